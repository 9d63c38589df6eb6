// What a release must pass besides CI, which leaves it out because it takes long, or needs the network: each command in
// turn, also after one that fails, and at the end what became of each. An hour and a half on two cores.
// `npm run release:check -- docs watch` runs those whose names contain one of these.
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

/** What these need and no package of npm brings: packages of Debian, and a program of each. */
const programs = {
  chromium: 'chromium',
  ffmpeg: 'ffmpeg',
  'libheif-examples': 'heif-convert',
  'mariadb-server': 'mariadbd',
  'nats-server': 'nats-server',
  'rabbitmq-server': 'rabbitmq-server',
  'redis-server': 'redis-server',
};

const wanted = process.argv.slice(2);
const chosen = commands.filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
if (chosen.length === 0) {
  console.error(`None of these commands is wanted: ${commands.join(', ')}`);
  process.exit(1);
}
const lacking = Object.keys(programs).filter((name) => spawnSync('which', [programs[name]]).status !== 0);
if (lacking.length > 0)
  console.error(`What needs these will fail here: ${lacking.join(', ')} (names of Debian's packages)`);

const results = chosen.map((name) => {
  console.log(`\n> npm run ${name}\n`);
  const begun = Date.now();
  // The npm that runs this script. Its command has another name on Windows.
  const { status } = spawnSync(process.execPath, [process.env.npm_execpath, 'run', ...name.split(' ')], {
    stdio: 'inherit',
    // Tests that lack a program fail, instead of being left out.
    env: { ...process.env, NOTHING_SKIPPED: '1' },
  });
  return { name, isPassed: status === 0, seconds: Math.round((Date.now() - begun) / 1000) };
});

console.log('\nrelease:check');
for (const { name, isPassed, seconds } of results)
  console.log(`${isPassed ? 'passed' : 'FAILED'} ${String(seconds).padStart(6)} s  ${name}`);
const failed = results.filter(({ isPassed }) => !isPassed);
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
