// The tests: those of the everyday loop, or all with `--all`. Further arguments go to vitest.
// `npm cit` runs `npm test` after a clean install, as CI does, and gets all of them.
import { spawnSync } from 'node:child_process';

const all = process.argv.includes('--all') || process.env.npm_command === 'install-ci-test';
const names = all ? ['unit', 'long', 'types'] : ['unit', 'types'];
const projects = names.flatMap((name) => ['--project', name]);
const further = process.argv.slice(2).filter((argument) => argument !== '--all');
const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...further];
process.exitCode = spawnSync(process.execPath, vitest, { stdio: 'inherit' }).status ?? 1;
