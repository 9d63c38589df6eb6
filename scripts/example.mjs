// Runs an example by its name, or lists all of them: npm run example -- answer-messages
import { spawnSync } from 'node:child_process';

const examples = {
  quickstart: [8, 'login, Pages, a post, a photo, a Reel; a lost response that is found again; errors'],
  'answer-messages': [2, 'reads conversations, answers customers; what happens after the 24 hours'],
  'backfill-leads': [2, 'fetches the leads that a webhook missed, in runs that remember where they stopped'],
  'inbox-desk': [2, 'answers with buttons, reacts, hands over to a human after the 24 hours'],
  'publish-reel-in-two-steps': [9, 'one process begins a Reel and ends, another one finishes it'],
  'publish-video-story': [6, 'streams a video from disk, is interrupted, and resumes'],
  'receive-webhooks': [3, 'Hono on Node: leads, comments and messages come in, and are acted on'],
  'receive-webhooks-in-a-worker': [
    4,
    'a Cloudflare Worker responds at once, and handles events in waitUntil',
  ],
  'schedule-a-week': [3, 'posts, photos, a Reel and a carousel; one fails half-way, and is finished'],
};

const [name, ...args] = process.argv.slice(2);
if (Object.hasOwn(examples, name ?? '')) run(name);
else list();

function list() {
  if (name !== undefined) console.error(`There is no example ${name}.\n`);
  console.log('npm run example -- <name>      on the embedded sandbox: no account, no network\n');
  for (const [example, [seconds, what]] of Object.entries(examples))
    console.log(`${example.padEnd(28)} ${seconds} s   ${what}`);
  process.exitCode = name === undefined ? 0 : 1;
}

function run(example) {
  // The npm that runs this script. Its command has another name on Windows.
  const npm = process.env.npm_execpath;
  const build = npm ? node(npm, 'run', '--silent', 'build') : 0;
  process.exitCode = build === 0 ? node(`examples/${example}.ts`, ...args) : build;
}

/** Runs a script on the same Node as this one, and returns its exit code. */
function node(...script) {
  return spawnSync(process.execPath, script, { stdio: 'inherit' }).status ?? 1;
}
