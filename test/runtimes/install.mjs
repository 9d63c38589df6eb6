import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import pkg from '../../package.json' with { type: 'json' };

/** The lower ends of the ranges. */
const lowest = Object.fromEntries(
  Object.entries(pkg.dependencies).map(([name, range]) => [name, range.replace('^', '')]),
);

/** Packs the package and installs it as its users do, once as npm chooses, once with the lowest versions it allows. */
export async function setup(project) {
  const root = await mkdtemp(join(tmpdir(), 'pagepics-runtimes-'));
  await npm(['pack', '--ignore-scripts', '--pack-destination', root], '.');
  const [tarball] = await readdir(root);
  const apps = await Promise.all(
    Object.entries({ newest: {}, lowest }).map(async ([name, versions]) => {
      const folder = join(root, name);
      await mkdir(folder);
      const dependencies = { pagepics: `file:../${tarball}`, ...versions };
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
      await npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
      for (const file of ['smoke.mjs', 'command.mjs'])
        await cp(resolve('test/runtimes', file), join(folder, file));
      return [name, folder];
    }),
  );
  project.provide('apps', { ...Object.fromEntries(apps), tarball: join(root, tarball) });
  return () => rm(root, { recursive: true, force: true });
}

/** The npm that runs the tests. Its command has another name on Windows. */
function npm(args, cwd) {
  const { npm_execpath: script } = process.env;
  const [command, ...first] = script === undefined ? ['npm'] : [process.execPath, script];
  return promisify(execFile)(command, [...first, ...args], { cwd });
}
