// Builds the package: the code and the types at once, into an empty folder, so that a module whose source is gone is
// not packed. Types are not checked here: see `npm run typecheck`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
if (process.exitCode === 0) trimTypes('dist/sandbox');

/** Keeps the types that an entry needs. The sources of the sandbox are not packed, so maps would lead nowhere. */
function trimTypes(folder) {
  const needed = new Set();
  collect(join(folder, 'index.d.ts'), needed);
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name);
    if (file.endsWith('.d.ts.map') || (file.endsWith('.d.ts') && !needed.has(file))) rmSync(file);
    else if (needed.has(file)) writeFileSync(file, textOf(file).replace(/\/\/# sourceMappingURL=.*\n?$/, ''));
  }
}

/** Adds a file of types and those that it imports. */
function collect(file, found) {
  if (found.has(file)) return;
  found.add(file);
  for (const [, path] of textOf(file).matchAll(/(?:from |import\()['"](\..*?)\.ts['"]/g))
    collect(join(dirname(file), `${path}.d.ts`), found);
}

function textOf(file) {
  return readFileSync(file, 'utf8');
}
