// Runs an example by its name, or lists all of them: npm run example -- answer-messages
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// The tests of examples start several at once, on what they have built before.
if (process.env.npm_execpath) succeed('scripts/build.mjs', '--if-stale');
// It imports what is built.
const { examples, listExamples, start } = await import('../bin/examples.js');

const [name, ...args] = process.argv.slice(2);
if (Object.hasOwn(examples, name ?? '')) await run(name);
else list();

function list() {
  if (name !== undefined) console.error(`There is no example ${name}.\n`);
  console.log('npm run example -- <name>      on the embedded sandbox: no account, no network\n');
  listExamples(console.log);
  process.exitCode = name === undefined ? 0 : 1;
}

async function run(example) {
  const folder = `examples/${example}`;
  // An example with packages of its own.
  const hasOwn = existsSync(`${folder}/package.json`);
  if (hasOwn) succeed('scripts/install.mjs', folder);
  process.exitCode = await start(example, hasOwn ? `${folder}/main.ts` : `${folder}.ts`, args);
}

/** Runs a script on the same Node as this one, and ends with its exit code unless it succeeds. */
function succeed(...script) {
  const { status } = spawnSync(process.execPath, script, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
