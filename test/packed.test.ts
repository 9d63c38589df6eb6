import { execFile, spawn } from 'node:child_process';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import pkg from '../package.json' with { type: 'json' };
import { isCI } from './support/machine.ts';

// The package as its users get it: packed, installed elsewhere, compiled and loaded there.
const entries = Object.keys(pkg.exports).map((path) => `pagepics${path.slice(1)}`);
let app = '';

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'pagepics-'));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', app]);
  const [tarball = ''] = await readdir(app);
  const linked = (name: string): [string, string] => [name, `file:${resolve('node_modules', name)}`];
  const dependencies = Object.fromEntries([...Object.keys(pkg.dependencies), '@types/node'].map(linked));
  await writeFile(
    join(app, 'package.json'),
    JSON.stringify({ type: 'module', dependencies: { ...dependencies, pagepics: `file:./${tarball}` } }),
  );
  // Without a network: what the package needs is what was installed for these tests.
  await run(
    'npm',
    ['install', '--offline', '--ignore-scripts', '--loglevel=error', '--install-links=false'],
    app,
  );
  await cp('test/packed', app, { recursive: true });
});

afterAll(() => rm(app, { recursive: true, force: true }));

/** Runs a command; its output, which is that of the failure where there is one. */
async function run(command: string, args: readonly string[], cwd = '.'): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd });
  return stdout + stderr;
}

/** Serves the sandbox on a free port, visits its start page, and stops it as Ctrl-C does. */
async function served(command: string): Promise<{ status: number; code: number | null }> {
  const child = spawn(command, ['sandbox', '--port', '0'], { cwd: app });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (bytes) => resolve(String(bytes)));
    child.once('exit', () => reject(new Error('the command ended before it served')));
  });
  const { status } = await fetch(/http:\S+/.exec(said)?.[0] ?? '');
  child.kill('SIGINT');
  return { status, code: await ended };
}

const compilers = {
  'TypeScript 5.4': 'typescript-5.4/bin/tsc',
  'TypeScript 6': '@typescript/old/bin/tsc',
  'TypeScript 7': '@typescript/native/bin/tsc',
};
const dom = { lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] };
const node = { lib: ['es2023'], types: ['node'] };
const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' };
const bundler = { module: 'esnext', moduleResolution: 'bundler' };

/**
 * One, which is that of most of its users, with each of the slow compilers; the others with the fast one, and in CI all of
 * them.
 */
const settings = [
  ['nodenext, types of Node only', { ...nodenext, ...node }],
  ['bundler, types of the DOM', { ...bundler, ...dom }],
  ['nodenext, types of the DOM', { ...nodenext, ...dom }],
  ['bundler, types of Node only', { ...bundler, ...node }],
  ['nodenext, types of both', { ...nodenext, ...dom, types: ['node'] }],
] as const;
const settingsOf: Readonly<Record<keyof typeof compilers, readonly number[]>> = {
  'TypeScript 5.4': [0],
  'TypeScript 6': [1],
  'TypeScript 7': isCI ? [0, 1, 2, 3, 4] : [2, 3, 4],
};
const cases = Object.entries(compilers).flatMap(([compiler, path]) =>
  settings
    .filter((_, at) => settingsOf[compiler as keyof typeof compilers].includes(at))
    .map(([name, options]) => ({ compiler, path, name, options })),
);

test.each(cases)(
  '$compiler compiles what uses every entry ($name)',
  async ({ compiler, path, name, options }) => {
    const config = `tsconfig.${`${compiler} ${name}`.replaceAll(/\W+/g, '-')}.json`;
    const compilerOptions = {
      // The latest that all of them know.
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      ...options,
    };
    await writeFile(join(app, config), JSON.stringify({ compilerOptions, files: ['usage.ts', 'values.ts'] }));

    const said = await run(process.execPath, [resolve('node_modules', path), '-p', config], app).catch(
      (failed: { readonly stdout: string }) => failed.stdout,
    );

    expect(said).toBe('');
  },
);

describe('the installed package', () => {
  test('can be imported at every entry, and required from CommonJS', async () => {
    const all = JSON.stringify(entries);
    const log =
      "console.log(name, name.endsWith('.json') ? all.exports ?? all.default.exports : Object.keys(all).sort())";
    const type = "name.endsWith('.json') ? { with: { type: 'json' } } : {}";
    const imports = `for (const name of ${all}) { const all = await import(name, ${type}); ${log}; }`;
    const requires = `for (const name of ${all}) { const all = require(name); ${log}; }`;

    const [imported, required] = await Promise.all([
      run(process.execPath, ['--input-type=module', '--eval', imports], app),
      run(process.execPath, ['--input-type=commonjs', '--eval', requires], app),
    ]);

    expect(required).toBe(imported);
    for (const entry of entries) expect(imported).toMatch(new RegExp(`^${entry} [\\[{]\\s+\\S`, 'm'));
  });

  test('says which Node it needs, and holds what its source maps lead to', async () => {
    const root = join(app, 'node_modules/pagepics');
    expect(JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))).toMatchObject({
      engines: pkg.engines,
    });
    expect(await readdir(root)).toEqual(expect.arrayContaining(['dist', 'src', 'README.md', 'LICENSE']));
  });

  test('holds what coding tools read, and the examples without what was installed for them', async () => {
    const root = join(app, 'node_modules/pagepics');
    const files = await readdir(root, { recursive: true });

    expect(files).toEqual(
      expect.arrayContaining(['SKILL.md', 'llms.txt', 'examples/quickstart.ts', 'examples/tracing/main.ts']),
    );
    expect(files.filter((name) => /^examples\/.*(?:node_modules|-lock|tsconfig)/.test(name))).toEqual([]);
  });

  test('runs an example outside a clone, from a copy that is theirs to change', async () => {
    const command = join(app, 'node_modules/.bin/pagepics');
    const copy = join(app, 'pagepics-examples/answer-messages.ts');

    expect(await run(command, ['example', 'answer-messages'], app)).toMatch(/sent +Thank you! We are open/);
    await appendFile(copy, "log.say('Changed.');\n");
    expect(await run(command, ['example', 'answer-messages'], app)).toContain('\nChanged.\n');
    await run(
      process.execPath,
      [resolve('node_modules', compilers['TypeScript 7']), '-p', 'pagepics-examples'],
      app,
    );
    await expect(run(command, ['example', 'receive-webhooks'], app)).rejects.toMatchObject({
      code: 1,
      stderr: 'It needs a step before it runs:\n  npm install hono @hono/node-server\n',
    });
    expect(await run(command, ['example'], app)).toContain('\nquickstart ');
    await expect(run(command, ['example', 'quickstar'], app)).rejects.toMatchObject({
      code: 1,
      stderr: 'There is no example quickstar.\n\n',
    });
  });

  test('holds neither the sources of the sandbox nor maps of it, and no map to what is not there', async () => {
    const root = join(app, 'node_modules/pagepics');
    const files = await readdir(root, { recursive: true });
    const maps = files.filter((name) => name.endsWith('.map'));
    const leads = await Promise.all(
      maps.map(async (name) => {
        const map = JSON.parse(await readFile(join(root, name), 'utf8')) as { readonly sources: string[] };
        return map.sources.map((source) => join(dirname(name), source));
      }),
    );

    expect(files.filter((name) => name.startsWith('src/sandbox'))).toEqual([]);
    expect(maps.filter((name) => name.includes('sandbox'))).toEqual([]);
    expect(maps.length).toBeGreaterThan(100);
    expect(leads.flat().filter((name) => !files.includes(name))).toEqual([]);
  });

  test('declares types of neverthrow and valibot, and of no other package', async () => {
    const types = join(app, 'node_modules/pagepics/dist');
    const files = (await readdir(types, { recursive: true })).filter((name) => name.endsWith('.d.ts'));
    const named = await Promise.all(
      files.map(async (name) => {
        const text = (await readFile(join(types, name), 'utf8')).replaceAll(/^ *\*.*$/gm, '');
        const imports = [...text.matchAll(/(?:\bfrom |\bimport\(|\bimport |types=)["']([^."'][^"']*)/g)];
        return imports.map(([, from = '']) =>
          /^(?:neverthrow|valibot)$/.test(from) ? from : `${from} in ${name}`,
        );
      }),
    );

    expect(files.length).toBeGreaterThan(150);
    expect([...new Set(named.flat())].toSorted()).toEqual(['neverthrow', 'valibot']);
  });

  test('has the command `pagepics`', async () => {
    const command = join(app, 'node_modules/.bin/pagepics');
    expect(await run(command, ['--help'], app)).toMatch(/^Usage: pagepics <command>/);
    await expect(run(command, ['sandbox', '--port', 'x'], app)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--port takes a whole number'),
    });
    await expect(served(command)).resolves.toEqual({ status: 200, code: 0 });
  });
});
