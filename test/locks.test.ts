// The folders that have packages of their own install on a clean machine, by `npm ci` with the settings of `.npmrc`.
import { globSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

interface Locked {
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const locks = globSync('{,*/,*/*/,*/*/*/}package-lock.json', { exclude: ['**/node_modules'] });

test.each(locks)('%s: whole, without a registry, and each install script is decided on', (file) => {
  const { packages } = read<Lock>(file);
  const { allowScripts = {} } = read<{ readonly allowScripts?: object }>(file.replace('-lock', ''));
  const entries = Object.entries(packages);
  const nameOf = (path: string) => path.replace(/.*node_modules\//, '');
  const locked = new Set(entries.map(([path]) => nameOf(path)));

  expect(entries.length).toBeGreaterThan(1);
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  // npm leaves out, in silence, a version that it did not find, and `npm ci` then refuses the lock.
  const optional = entries.flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}));
  expect(optional.filter((name) => !locked.has(name))).toEqual([]);
  // Of `test/foreign`, no script runs: it is installed with `ignore-scripts`.
  if (file.startsWith('test/foreign')) return;
  const scripts = entries.flatMap(([path, entry]) => (entry.hasInstallScript ? [nameOf(path)] : []));
  expect(scripts.filter((name) => !(name in allowScripts))).toEqual([]);
});

function read<T>(file: string): T {
  // Written by npm, or by us.
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
