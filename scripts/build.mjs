// Builds the package: the code and the types side by side, into an empty folder, so that a module whose source is gone
// is not packed. It does not check types: see `npm run typecheck`. With `--if-stale`, it only builds if something has
// changed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { completeDeclarations } from './comments.mjs';
import { writeMethods } from './methods.mjs';

// Written after a whole build, with the time at which it began.
const stamp = 'node_modules/.cache/pagepics/built';
const inputs = [
  'src',
  'scripts/build.mjs',
  'scripts/comments.mjs',
  'scripts/methods.mjs',
  'rollup.config.mjs',
  'tsconfig.build.json',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

const isNeeded = () => !process.argv.includes('--if-stale') || !isFresh();

if (!isNeeded()) process.exit();
mkdirSync(dirname(stamp), { recursive: true });
// Two builds at once would remove each other's files. The lock of an empty database ends with the process that has it.
const alone = new DatabaseSync(`${dirname(stamp)}/building`, { timeout: 600_000 });
alone.exec('begin exclusive');
// The one before may have built all that this one is for.
if (!isNeeded()) process.exit();
const began = new Date();
rmSync(stamp, { force: true });
rmSync('dist', { recursive: true, force: true });

const steps = [
  ['node_modules/rollup/dist/bin/rollup', '-c', '--silent'],
  ['node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.build.json'],
];
const codes = await Promise.all(
  steps.map(async (step) => {
    const [code] = await once(spawn(process.execPath, step, { stdio: 'inherit' }), 'exit');
    return code ?? 1;
  }),
);
process.exitCode = Math.max(...codes);
if (process.exitCode === 0) {
  trimTypes('dist/sandbox');
  for (const platform of ['page', 'pics']) {
    completeDeclarations(platform);
    writeMethods(platform);
  }
  writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
}
alone.close();

function isFresh() {
  return existsSync('dist') && existsSync(stamp) && newest(inputs) < timeOf(stamp);
}

/** When any of the files or folders last changed. Folders change with the names in them. */
function newest(paths) {
  const inside = paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map((name) => join(path, name))
      : [],
  );
  return Math.max(...[...paths, ...inside].map(timeOf));
}

function timeOf(path) {
  return statSync(path).mtimeMs;
}

/** Keeps the types that an entry needs. The sandbox's sources are not packed, so source maps would lead nowhere. */
function trimTypes(folder) {
  const needed = new Set();
  collect(join(folder, 'index.d.ts'), needed);
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name);
    if (file.endsWith('.d.ts.map') || (file.endsWith('.d.ts') && !needed.has(file))) rmSync(file);
    else if (needed.has(file)) writeFileSync(file, textOf(file).replace(/\/\/# sourceMappingURL=.*\n?$/, ''));
  }
}

/** Adds a declaration file and those that it imports. */
function collect(file, found) {
  if (found.has(file)) return;
  found.add(file);
  for (const [, path] of textOf(file).matchAll(/(?:from |import\()['"](\..*?)\.ts['"]/g))
    collect(join(dirname(file), `${path}.d.ts`), found);
}

function textOf(file) {
  return readFileSync(file, 'utf8');
}
