// What a release must pass besides CI, which leaves it out because it takes long, or needs the network: each command in
// turn, and at the end those that failed. `npm run release:check -- docs watch` runs those whose names contain one of these.
import { spawnSync } from 'node:child_process';

const commands = [
  'watch',
  'test:docs',
  'test:foreign',
  'test:servers:more',
  'test:runtimes',
  'test:engines',
  'test:frameworks',
  'findings',
  'model',
  'soak',
  'bench',
  // Of every thirtieth mutant of the core, which takes a quarter of an hour; all of them take hours.
  'mutate -- core --one-in 30',
];

const wanted = process.argv.slice(2);
const chosen = commands.filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const failed = chosen.filter((name) => {
  console.log(`\n> npm run ${name}\n`);
  // The npm that runs this script. Its command has another name on Windows.
  const { status } = spawnSync(process.execPath, [process.env.npm_execpath, 'run', ...name.split(' ')], {
    stdio: 'inherit',
  });
  return status !== 0;
});
console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
