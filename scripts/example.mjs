// Runs an example by its name, or lists all of them: npm run example -- answer-messages
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const examples = {
  quickstart: [8, 'login, Pages, a post, a photo, a Reel; a lost response that is found again; errors'],
  'answer-messages': [2, 'reads conversations, answers customers; what happens after the 24 hours'],
  'answer-once': [8, 'two processes with webhooks and polls, one of them killed: one answer to each comment'],
  'answer-with-statuses': [2, 'a server answers each failure with the HTTP status that fits'],
  'backfill-leads': [2, 'fetches the leads that a webhook missed, in runs that remember where they stopped'],
  'inbox-desk': [2, 'answers with buttons, reacts, hands over to a human after the 24 hours'],
  'leads-to-csv': [2, 'exports leads to a CSV file; a page fails, and the next run goes on after it'],
  'log-in-on-a-server': [
    2,
    'a signed cookie for the state, a person who says no, encrypted tokens, a job that renews them',
  ],
  'publish-in-a-workflow': [
    5,
    'a Cloudflare Workflow publishes a Reel in steps; one of them fails after its effect, and is retried',
  ],
  'publish-reel-in-two-steps': [9, 'one process begins a Reel and ends, another one finishes it'],
  'publish-video-story': [6, 'streams a video from disk, is interrupted, and resumes'],
  'receive-webhooks': [3, 'Hono on Node: leads, comments and messages come in, and are acted on'],
  'receive-webhooks-in-a-worker': [
    4,
    'a Cloudflare Worker responds at once, and handles events in waitUntil',
  ],
  'schedule-a-week': [3, 'posts, photos, a Reel and a carousel; one fails half-way, and is finished'],
  'set-up-an-inbox': [
    2,
    'greeting, questions and menu of a Page, as a deployment writes them; taps, and spam',
  ],
  'watch-a-hashtag': [2, 'tells new media once, likes, thanks who mentions the account; another account'],
  'queue-with-bullmq': [8, 'a queue on Redis, which must be there: jobs wait as long as the platform asks'],
  tracing: [2, 'OpenTelemetry spans for calls and attempts, with parents; pino logs what fails'],
  scheduler: [90, 'a job queue on Postgres, whose workers are killed at random: nothing goes out twice'],
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
  if (npm) succeed(npm, 'run', '--silent', 'build');
  const folder = `examples/${example}`;
  // An example with packages of its own.
  const hasOwn = existsSync(`${folder}/package.json`);
  if (hasOwn) succeed('scripts/install.mjs', folder);
  succeed(hasOwn ? `${folder}/main.ts` : `${folder}.ts`, ...args);
}

/** Runs a script on the same Node as this one, and ends with its exit code unless it succeeds. */
function succeed(...script) {
  const { status } = spawnSync(process.execPath, script, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
