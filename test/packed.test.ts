import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import pkg from '../package.json' with { type: 'json' };

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
}, 120_000);

afterAll(() => rm(app, { recursive: true, force: true }));

/** Runs a command; its output, which is that of the failure where there is one. */
async function run(command: string, args: readonly string[], cwd = '.'): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd });
  return stdout + stderr;
}

const compilers = {
  'TypeScript 5.8': 'typescript-5.8/bin/tsc',
  'TypeScript 6': '@typescript/old/bin/tsc',
  'TypeScript 7': '@typescript/native/bin/tsc',
};
const dom = { lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] };
const node = { lib: ['es2023'], types: ['node'] };
const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' };
const bundler = { module: 'esnext', moduleResolution: 'bundler' };

/** All of them with the fast compiler; one, which is that of most of its users, with each of the slow ones. */
const settings = [
  ['nodenext, types of Node only', { ...nodenext, ...node }],
  ['bundler, types of the DOM', { ...bundler, ...dom }],
  ['nodenext, types of the DOM', { ...nodenext, ...dom }],
  ['bundler, types of Node only', { ...bundler, ...node }],
  ['nodenext, types of both', { ...nodenext, ...dom, types: ['node'] }],
] as const;
const cases = Object.entries(compilers).flatMap(([compiler, path]) =>
  settings
    .filter((_, at) => compiler === 'TypeScript 7' || at === (compiler === 'TypeScript 6' ? 1 : 0))
    .map(([name, options]) => ({ compiler, path, name, options })),
);

test.each(cases)(
  '$compiler compiles what uses every entry ($name)',
  async ({ compiler, path, name, options }) => {
    const config = `tsconfig.${`${compiler} ${name}`.replaceAll(/\W+/g, '-')}.json`;
    const compilerOptions = {
      target: 'es2023',
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
  120_000,
);

describe('the installed package', () => {
  test.each(entries)('%s can be imported, and required from CommonJS', async (entry) => {
    const type = entry.endsWith('.json') ? " with { type: 'json' }" : '';
    const imports = `import * as all from '${entry}'${type}; console.log(Object.keys(all).sort().join());`;
    const requires = `console.log(Object.keys(require('${entry}')).sort().join());`;

    const imported = await run(process.execPath, ['--input-type=module', '--eval', imports], app);
    const required = await run(process.execPath, ['--input-type=commonjs', '--eval', requires], app);

    if (entry.endsWith('.json')) expect(required).toContain('exports');
    else expect(required).toBe(imported);
    expect(imported.trim()).not.toBe('');
  });

  test('says which Node it needs, and holds what its source maps lead to', async () => {
    const root = join(app, 'node_modules/pagepics');
    expect(JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))).toMatchObject({
      engines: pkg.engines,
    });
    expect(await readdir(root)).toEqual(expect.arrayContaining(['dist', 'src', 'README.md', 'LICENSE']));
  });
});
