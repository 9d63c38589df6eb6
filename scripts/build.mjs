// Builds the package: the code and the types at once, into an empty folder, so that a module whose source is gone is
// not packed.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });

const steps = [
  ['node_modules/rollup/dist/bin/rollup', '-c', '--silent'],
  ['node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.types.json'],
];
for (const step of steps) {
  spawn(process.execPath, step, { stdio: 'inherit' }).on('exit', (code) => {
    process.exitCode ||= code ?? 1;
  });
}
