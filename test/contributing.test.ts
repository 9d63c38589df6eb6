import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
const core = readFileSync('src/core/README.md', 'utf8');
/** What is about a room stands there. */
const rooms = ['scripts', 'src', 'src/core', 'findings']
  .map((room) => readFileSync(`${room}/README.md`, 'utf8'))
  .join('\n');

describe('the rooms of src/core', () => {
  const [, table = ''] = /\nThe rooms of `src\/core`([\s\S]*?)\n\n[^|]*```/.exec(core) ?? [];
  /** The height of each file and folder of `src/core`: that of its row. */
  const heights = new Map(
    [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ''], row) =>
      [...cell.matchAll(/`(.*?)\/?`/g)].map(([, name = '']) => [name, row] as const),
    ),
  );
  const files = readdirSync('src/core', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );

  function roomOf(file: string): string {
    return file.split('/')[0] ?? '';
  }

  test('are all in the table', () => {
    expect([...heights.keys(), 'README.md'].toSorted()).toEqual(readdirSync('src/core').toSorted());
  });

  test('import nothing from above, and nothing from outside', () => {
    const upwards = files.flatMap((file) =>
      [...readFileSync(`src/core/${file}`, 'utf8').matchAll(/from '(\..*?)'/g)]
        .map(([, path = '']) => join(dirname(file), path))
        .filter((to) => roomOf(to) !== roomOf(file))
        .filter(
          (to) => !((heights.get(roomOf(to)) ?? Number.NaN) <= (heights.get(roomOf(file)) ?? Number.NaN)),
        )
        .map((to) => `${file} -> ${to}`),
    );
    expect(upwards).toEqual([]);
  });

  test('and the files of http import only those before them', () => {
    const [, row = ''] = /^\| `http\/` \|(.*)\|$/m.exec(table.replace(/ +/g, ' ')) ?? [];
    const names = [...row.matchAll(/`(\w+)\.ts`/g)].map(([, name = '']) => name);
    const upwards = names.flatMap((name, height) =>
      [...readFileSync(`src/core/http/${name}.ts`, 'utf8').matchAll(/from '\.\/(.*?)\.ts'/g)]
        .map(([, to = '']) => to)
        .filter((to) => !(names.indexOf(to) < height))
        .map((to) => `${name} -> ${to}`),
    );

    expect(names.toSorted()).toEqual(readdirSync('src/core/http').map((name) => name.replace('.ts', '')));
    expect(upwards).toEqual([]);
  });
});

test('what a publish does with a key goes through functions that are there', () => {
  const [, drawing = ''] =
    /\nWhat a publishing function does with a key[^`]*```\n([\s\S]*?)\n```/.exec(core) ?? [];
  const steps = [...drawing.matchAll(/^(?:.*[├└] )?(?:engine\.)?(\w+)(?= {2})/gm)].map(
    ([, name = '']) => name,
  );
  const code = readdirSync('src/core/writes', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`src/core/writes/${name}`, 'utf8'))
    .join('\n');

  expect(steps.length).toBeGreaterThan(8);
  expect(steps.filter((name) => !new RegExp(`(?:function|const) ${name}\\b`).test(code))).toEqual([]);
});

test('the terms of the glossary are in their order', () => {
  const [, glossary = ''] = /\n## Glossary\n([\s\S]*)$/.exec(readFileSync('src/README.md', 'utf8')) ?? [];
  const terms = [...glossary.matchAll(/^\| (?!Term|-)(.+?) \|/gm)].map(([, term = '']) => term);

  expect(terms.length).toBeGreaterThan(10);
  expect(terms).toEqual(terms.toSorted());
});

const workflows = readdirSync('.github/workflows').map((name) =>
  readFileSync(`.github/workflows/${name}`, 'utf8'),
);

test('each script is explained', () => {
  const unexplained = readdirSync('scripts').filter(
    (name) => name !== 'README.md' && !rooms.includes(`scripts/${name}`),
  );
  expect(unexplained).toEqual([]);
});

test('the commands that are told, and those of the workflows, are scripts', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: object };
  const told = [...(contributing + rooms).matchAll(/`npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name);
  const run = workflows.flatMap((text) =>
    [...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name),
  );
  expect(run.length).toBeGreaterThan(2);
  expect([...told, ...run].filter((name) => !['ci', 'cit'].includes(name) && !(name in scripts))).toEqual([]);
});

test('each script is run by CI or before a release, or checks nothing', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const texts = ['.ci/run', 'scripts/releaseCheck.mjs'].map((file) => readFileSync(file, 'utf8'));
  const [, ofRelease = ''] = /const commands = (\[[^]*?\n\]);/.exec(texts[1] ?? '') ?? [];
  const called = (text: string): readonly string[] =>
    [...text.matchAll(/npm (?:run )?(?:--silent )?([a-z][\w:]*)/g)].map(([, name = '']) => name);
  const known = new Set([
    ...called((texts[0] ?? '').replaceAll(/^#.*$/gm, '')),
    ...[...ofRelease.matchAll(/'([\w:]+)/g)].map(([, name = '']) => name),
  ]);
  // A Set goes on with what is added meanwhile.
  for (const name of known) for (const other of called(scripts[name] ?? '')) known.add(other);
  // These change or make files, or are what npm calls by itself; the command itself.
  const others = [
    'api',
    'build',
    'docs:picture',
    'example',
    'format',
    'prepack',
    'preversion',
    'version',
    'release:check',
  ];
  expect([...known].filter((name) => !['ci', 'cit'].includes(name) && !(name in scripts))).toEqual([]);
  expect(Object.keys(scripts).filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
});

describe('what is checked before a release', { tags: 'long' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-check-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  // In the place of npm: it only says what it was called with.
  const npm = join(folder, 'npm.cjs');
  writeFileSync(
    npm,
    "const [, name, ...more] = process.argv.slice(2); console.log(`ran ${[name, ...more].join(' ')}, ${process.env.NOTHING_SKIPPED}`); process.exitCode = name === 'test:docs' ? 3 : 0;",
  );

  function check(...args: readonly string[]) {
    const env = { ...process.env, npm_execpath: npm };
    const script = [resolve('scripts/releaseCheck.mjs'), ...args];
    return spawnSync(process.execPath, script, { encoding: 'utf8', env });
  }

  test('goes on after a failure, and ends with what became of each', () => {
    const { status, stdout } = check('watch', 'docs', 'mutate');

    expect(status).toBe(1);
    expect(stdout.match(/^ran .*/gm)).toEqual([
      'ran watch, 1',
      'ran test:docs, 1',
      'ran mutate -- core --one-in 30, 1',
    ]);
    expect(stdout.slice(stdout.lastIndexOf('release:check')).replaceAll(/ +\d+ s {2}/g, ' ')).toBe(
      'release:check\npassed watch\nFAILED test:docs\npassed mutate -- core --one-in 30\n2 passed, 1 failed\n',
    );
  });

  test('passes where all do, and not where none is wanted', () => {
    expect(check('soak').status).toBe(0);
    expect(check('sook')).toMatchObject({ status: 1, stdout: '' });
  });

  test('names the programs that the machine lacks, at once', () => {
    const { stderr, stdout } = spawnSync(process.execPath, [resolve('scripts/releaseCheck.mjs'), 'soak'], {
      encoding: 'utf8',
      env: { npm_execpath: npm, PATH: folder },
    });

    expect(stderr).toMatch(/^What needs these will fail here: chromium, ffmpeg, .*mariadb-server.*\n$/);
    expect(stdout).toContain('ran soak');
  });
});

test('the workflows take actions by their commits, and no more rights than they say', () => {
  const used = workflows.flatMap((text) =>
    [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action),
  );
  expect(used.length).toBeGreaterThan(8);
  expect(used.filter((action) => !/^\.\/|@[0-9a-f]{40} # v\d/.test(action))).toEqual([]);
  for (const text of workflows) expect(text).toContain('\npermissions:\n  contents: read\n');
});

describe('a release', { tags: 'long' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-release-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function changelog(version: string, text: string, ...args: readonly string[]) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
    writeFileSync(join(folder, 'CHANGELOG.md'), text);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [resolve('scripts/changelog.mjs'), ...args],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    return { status, said: stdout + stderr, text: readFileSync(join(folder, 'CHANGELOG.md'), 'utf8') };
  }

  const before = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- `b`.\n\n## 1.3.0\n\n- `a`.\n';

  test('dates what is unreleased, once, and takes its notes from there', () => {
    const released = changelog('1.4.0', before, 'release');
    const today = new Date().toISOString().slice(0, 10);

    expect(released).toEqual({
      status: 0,
      said: '',
      text: before.replace('[Unreleased]\n', `[Unreleased]\n\n## [1.4.0] - ${today}\n`),
    });
    expect(changelog('1.4.0', released.text, 'notes', 'v1.4.0').said).toBe('### Added\n\n- `b`.\n');
    expect(changelog('1.3.0', released.text, 'notes', 'v1.3.0').said).toBe('- `a`.\n');
    expect(changelog('1.4.1', released.text, 'release')).toMatchObject({ status: 1, text: released.text });
  });

  test('changes nothing where nothing is unreleased', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: object };
    mkdirSync(join(folder, 'scripts'));
    copyFileSync('scripts/changelog.mjs', join(folder, 'scripts/changelog.mjs'));
    const manifest = JSON.stringify({ name: 'a', version: '1.3.0', scripts });
    writeFileSync(join(folder, 'package.json'), manifest);
    writeFileSync(join(folder, 'CHANGELOG.md'), before.replace(/### Added\n\n- `b`.\n\n/, ''));

    const { status, stdout, stderr } = spawnSync('npm', ['version', 'minor', '--no-git-tag-version'], {
      cwd: folder,
      encoding: 'utf8',
    });

    expect({ status, said: stdout + stderr }).toEqual({
      status: 1,
      said: expect.stringContaining('There is nothing under [Unreleased] in CHANGELOG.md.'),
    });
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(manifest);
  });

  test.each([
    ['1.3.0', 'release', '', 'CHANGELOG.md tells of 1.3.0 already.'],
    ['1.4.0', 'notes', 'v1.3.0', 'The tag is v1.3.0, and package.json has version 1.4.0.'],
    ['1.4.0', 'notes', 'v1.4.0', 'CHANGELOG.md does not tell of 1.4.0.'],
  ])('of %s is refused by %s %s', (version, command, tag, said) => {
    expect(changelog(version, before, command, tag)).toEqual({ status: 1, said: `${said}\n`, text: before });
  });
});

test.each(readdirSync('findings').filter((name) => name !== 'README.md'))(
  'the finding %s has the form of all',
  (name) => {
    const path = join('findings', name);
    const lines = readFileSync(path, 'utf8').split('\n');
    const code = lines.filter((line) => !line.startsWith('#')).join('\n');

    expect(name).toMatch(/^[\w-]+\.sh$/);
    expect(lines[0]).toBe('#!/usr/bin/env bash');
    expect(lines[1]).toMatch(/^# .*\d/);
    expect(code).toMatch(/^set -euo pipefail$/m);
    expect(code).toMatch(/^(?:\w+=)?"?\$\(mktemp -d\)/m);
    expect(code).not.toContain('pagepics');
    // A program that is missing is told apart from what has changed.
    for (const line of code.match(/^command -v .*$/gm) ?? [])
      expect(line).toMatch(/ \|\| \{ echo '.*'; exit 2; \}$/);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o111).not.toBe(0);
  },
);
