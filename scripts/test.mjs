// The tests: those of the everyday loop, or all with `--all`. Further arguments go to vitest. `npm cit` runs `npm test`
// after a clean install, as CI does, and gets all of them: those that draw their cases draw more in CI
// (`NOTHING_SKIPPED`). In the everyday loop, `test/docs.test.ts` and `test/api.test.ts` need the package built.
import { spawnSync } from 'node:child_process';

import { has } from '../test/support/machine.ts';

const all = process.argv.includes('--all') || process.env.npm_command === 'install-ci-test';
const names = all ? ['unit', 'long', 'alone', 'types'] : ['unit', 'types'];
const projects = names.flatMap((name) => ['--project', name]);
const tags = all ? [] : ['--tags-filter', '!long'];
const further = process.argv.slice(2).filter((argument) => argument !== '--all');
const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...tags, ...further];
// The workers compile the same files, and so does the next run.
const env = { NODE_COMPILE_CACHE: 'node_modules/.cache/node', ...process.env };

const named = further.filter((argument) => !argument.startsWith('-'));
const needsBuild = all || named.length === 0 || named.some((path) => /docs|api/.test(path));

process.exitCode = (needsBuild && run(['scripts/build.mjs', '--if-stale'])) || run(vitest);
if (all) {
  if (!has('chromium'))
    console.log('Not run: the sandbox and checks of media in a browser. There is no /usr/bin/chromium.');
  console.log(
    'Not run, as it has packages of its own: test:foreign, test:servers, test:engines and test:runtimes. CI runs these too.',
  );
}

function run(script) {
  return spawnSync(process.execPath, script, { stdio: 'inherit', env }).status ?? 1;
}
