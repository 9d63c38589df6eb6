// `pagepics example`: the examples of this package. Node runs no TypeScript below node_modules, so an example is copied
// into a folder of the caller's, and runs there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

import { shownArgument } from '../dist/commandLine.js';
import { serveUi } from '../dist/sandbox/cli.js';
import { createSandbox, serveSandbox } from '../dist/sandbox/index.js';

const hono = ['hono', '@hono/node-server'];
const workers = ['esbuild', 'miniflare'];

/**
 * By name: how long it takes, unless it runs until it is stopped; what it shows; the packages that it needs beside this
 * one; whether its app and tokens come from the environment, and then what that sandbox allows (`quotas`) and whether
 * people act on its pages (`pages`).
 */
export const examples = {
  quickstart: {
    seconds: 8,
    what: 'login, Pages, a post, a photo, a Reel; a lost response that is found again; errors',
  },
  'first-comment': {
    seconds: 1,
    what: 'a post with a first comment, on a Page and on its account',
    fromEnv: true,
  },
  'post-once': {
    seconds: 1,
    what: 'a post under a key; run twice on one `pagepics sandbox`, it is still one post',
    fromEnv: true,
  },
  'carousel-with-alt-texts': {
    seconds: 1,
    what: 'several pictures with alt texts: a carousel, and a post of a Page',
    fromEnv: true,
  },
  story: {
    seconds: 3,
    what: 'stories of a Page and of its account, from a picture and a video',
    fromEnv: true,
  },
  'why-refused': {
    seconds: 1,
    what: 'checks a file, or an address, and tells what the platform refuses of it',
  },
  'check-in-a-browser': {
    what: 'a page that checks files before they are uploaded, and draws what is shown of them, until you stop it',
    packages: ['esbuild'],
  },
  'schedule-a-post': {
    seconds: 1,
    what: 'schedules posts, moves one, cancels one, publishes one now',
    fromEnv: true,
  },
  'schedule-many': {
    seconds: 1,
    what: 'schedules many posts at local times, five at a time, each once',
    fromEnv: true,
  },
  'reel-with-progress': { seconds: 3, what: 'a Reel from a file, with a progress bar', fromEnv: true },
  'moderate-comments': { seconds: 1, what: 'hides spam among comments and their replies', fromEnv: true },
  'leads-to-csv': {
    seconds: 1,
    what: 'adds the leads of each form of a Page to a CSV file',
    fromEnv: true,
  },
  'refresh-tokens': {
    seconds: 1,
    what: 'renews tokens every night, and tells who must log in again',
    fromEnv: true,
  },
  'daily-numbers': {
    seconds: 1,
    what: 'the numbers of a Page and of its account, day by day, as CSV',
    fromEnv: true,
  },
  dashboard: {
    seconds: 1,
    what: 'posts and media with their numbers, in one page with a chart',
    fromEnv: true,
  },
  'many-customers': {
    seconds: 1,
    what: 'the same job for many customers, each with their own token',
    fromEnv: true,
  },
  'answer-inbox': {
    seconds: 2,
    what: 'answers the customers who wrote last, on a Page and on its account',
    fromEnv: true,
  },
  webhook: {
    what: 'receives leads, answers comments in private, each once, until you stop it',
    packages: hono,
    fromEnv: true,
    pages: true,
  },
  'stay-under-limits': {
    seconds: 2,
    what: 'two workers share a limit, and none of their calls is refused',
    fromEnv: true,
    quotas: { page: 60 },
  },
  'live-check': {
    seconds: 60,
    what: 'reads your Page and account, and writes a report for an issue; on the platform of your .env',
  },
  'answer-messages': {
    seconds: 2,
    what: 'reads conversations, answers customers; what happens after the 24 hours',
  },
  'answer-once': {
    seconds: 8,
    what: 'two processes with webhooks and polls, one of them killed: one answer to each comment',
    packages: hono,
  },
  'answer-with-statuses': {
    seconds: 2,
    what: 'a server responds to each failure with the HTTP status that fits',
    packages: hono,
  },
  'backfill-leads': {
    seconds: 2,
    what: 'fetches the leads that a webhook missed, in runs that remember where they stopped',
  },
  'inbox-desk': {
    seconds: 2,
    what: 'answers with buttons, reacts, hands over to a human after the 24 hours',
  },
  'log-in-on-a-server': {
    seconds: 2,
    what: 'a signed cookie for the state, a person who says no, encrypted tokens, a job that renews them',
    packages: hono,
  },
  'log-in-with-pages': {
    seconds: 2,
    what: 'people log in and choose Pages; one declines a permission and is asked again; encrypted tokens',
    packages: hono,
  },
  'publish-in-a-workflow': {
    seconds: 5,
    what: 'a Cloudflare Workflow publishes a Reel in steps; one of them fails after its effect, and is retried',
    packages: workers,
  },
  'publish-reel-in-two-steps': {
    seconds: 9,
    what: 'one process begins a Reel and ends, another one finishes it',
  },
  'publish-video-story': { seconds: 6, what: 'streams a video from disk, is interrupted, and resumes' },
  'receive-webhooks': {
    seconds: 3,
    what: 'Hono on Node: leads, comments and messages come in, and are acted on',
    packages: hono,
  },
  'receive-webhooks-in-a-worker': {
    seconds: 4,
    what: 'a Cloudflare Worker responds at once, and handles events in waitUntil',
    packages: workers,
  },
  'schedule-a-week': {
    seconds: 3,
    what: 'posts, photos, a Reel and a carousel; one fails half-way, and is finished',
  },
  'settle-by-echo': {
    seconds: 2,
    what: 'the response to a message is lost; the event that echoes it settles its key',
  },
  'share-limits-in-workers': {
    seconds: 5,
    what: 'two Cloudflare Workers stay under one limit, over a Durable Object',
    packages: workers,
  },
  'set-up-an-inbox': {
    seconds: 2,
    what: 'greeting, questions and menu of a Page, as a deployment writes them; taps, and spam',
  },
  'watch-a-hashtag': {
    seconds: 2,
    what: 'tells new media once, likes, thanks who mentions the account; another account',
  },
  'queue-with-bullmq': {
    seconds: 8,
    what: 'a queue on Redis, which must be there: jobs wait as long as the platform asks',
  },
  tracing: {
    seconds: 2,
    what: 'OpenTelemetry spans for calls and attempts, with parents; pino logs what fails',
  },
  scheduler: {
    seconds: 90,
    what: 'a job queue on Postgres, whose workers are killed at random: nothing goes out twice',
  },
};

const sources = fileURLToPath(new URL('../examples', import.meta.url));
const target = 'pagepics-examples';

const usage = `Usage: pagepics example <name> [arguments of the example]

Copies an example into ./${target} and runs it on the embedded sandbox: no
account, no network. A file that is there is kept, so change it and run it again.
Those marked with * take their app and tokens from the environment, so
  node --env-file=.env ${target}/<name>.ts
runs them with yours, on the live platform. live-check always takes yours, and
runs there too, or where PAGEPICS_PLATFORM leads, such as to pagepics sandbox.
`;

/** Copies and runs an example, or lists all of them; returns the exit code. */
export async function run([, name, ...args], { write, writeError }) {
  if (name === undefined || name === '--help' || name === '-h') {
    write(usage);
    listExamples(write);
    return 0;
  }
  if (!Object.hasOwn(examples, name)) {
    writeError(`There is no example ${shownArgument(name)}.\n`);
    listExamples(write);
    return 1;
  }
  const file = copy(name);
  write(`The example is in ${file}.`);
  const missing = missingFor(name);
  if (missing.length > 0) {
    writeError(
      `It needs ${missing.length === 1 ? 'a step' : 'steps'} before it runs:\n  ${missing.join('\n  ')}`,
    );
    return 1;
  }
  return start(name, file, args);
}

/** Runs a file; one that takes its tokens from the environment gets those of a sandbox. Returns the exit code. */
export async function start(name, file, args) {
  const { fromEnv, pages, quotas } = examples[name] ?? {};
  const server = pages ? await servePages() : fromEnv ? await serveBusy(quotas) : undefined;
  const env = { ...process.env, ...server?.env };
  const [code] = await once(spawn(process.execPath, [file, ...args], { env, stdio: 'inherit' }), 'exit');
  await server?.close();
  return code ?? 1;
}

async function serveBusy(quotas) {
  const sandbox = busySandbox({ quotas });
  const { close, platform } = await serveSandbox(sandbox);
  return { close, env: environmentOf(sandbox, platform) };
}

/** A sandbox with pages for people. Its ids are new each time, since examples remember in files what they have seen. */
async function servePages() {
  const { close, url } = await serveUi({ seed: Date.now() % 2 ** 32 }, { port: 0 });
  console.log(`What people do, and the delivery of webhooks: ${url}. Ctrl-C stops it.`);
  return { close, env: parseEnv(await (await fetch(`${url}/.env`)).text()) };
}

/** A sandbox two days after it was seeded, since when some spam and two questions have come. */
export function busySandbox(options) {
  let ago = 2 * 86_400_000;
  const sandbox = createSandbox({ ...options, now: () => Date.now() - ago });
  ago = 0;
  const { account, pages } = sandbox;
  const [{ commentIds, contacts, postIds }] = pages;
  sandbox.addComment({ on: postIds[0], message: 'Cheap watches in my bio' });
  sandbox.addComment({ on: commentIds[1], message: 'No, here: https://watches.example' });
  sandbox.addComment({ on: account.mediaIds[0], message: 'CHEAP WATCHES' });
  sandbox.addComment({ on: account.commentIds[0], message: 'https://watches.example' });
  for (const [contact] of [contacts, account.contacts])
    sandbox.happen({ kind: 'message', contactId: contact.id, text: 'Are you open on Sunday?' });
  return sandbox;
}

/** What an app of the sandbox has in its environment. */
export function environmentOf({ app, picsApp, user, account, pages: [page] }, platform) {
  return {
    PAGE_APP_ID: app.id,
    PAGE_APP_SECRET: app.secret,
    PICS_APP_ID: picsApp.id,
    PICS_APP_SECRET: picsApp.secret,
    USER_TOKEN: user.token,
    PAGE_ID: page.id,
    PAGE_TOKEN: page.token,
    PICS_USER_ID: account.userId,
    PICS_TOKEN: account.token,
    PAGEPICS_PLATFORM: JSON.stringify(platform),
  };
}

export function listExamples(write) {
  for (const [name, { seconds, what, fromEnv }] of Object.entries(examples))
    write(
      `${`${name}${fromEnv ? ' *' : ''}`.padEnd(28)} ${seconds === undefined ? '-' : `${seconds} s`}   ${what}`,
    );
}

/** For Node, and for editors and `tsc`. */
const settings = {
  'package.json': { private: true, type: 'module' },
  'tsconfig.json': {
    compilerOptions: {
      strict: true,
      module: 'nodenext',
      types: ['node'],
      noEmit: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
    },
    include: ['*.ts', '*/main.ts', 'support/*.d.ts'],
  },
};

/** Copies what is not there yet; returns the file to run. */
function copy(name) {
  const path = existsSync(join(sources, name)) ? name : `${name}.ts`;
  mkdirSync(target, { recursive: true });
  for (const [file, content] of Object.entries(settings)) {
    const path = join(target, file);
    if (!existsSync(path)) writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`);
  }
  for (const part of ['support', path]) {
    const isOurs = (source) => !source.slice(sources.length).includes('node_modules');
    cpSync(join(sources, part), join(target, part), { recursive: true, force: false, filter: isOurs });
  }
  return path === name ? join(target, name, 'main.ts') : join(target, path);
}

/** What to do before the example can run. */
function missingFor(name) {
  const { packages = [] } = examples[name];
  const steps = [];
  if (!process.features.typescript)
    steps.push(`use Node 22.18 or later, which runs TypeScript as it stands: this is ${process.version}`);
  const lacking = ['pagepics', ...packages].filter((one) => !isInstalled(one, target));
  if (lacking.length > 0) steps.push(`npm install ${lacking.join(' ')}`);
  const own = join(target, name);
  if (existsSync(join(own, 'package.json')) && !existsSync(join(own, 'node_modules')))
    steps.push(`npm install --prefix ${own}`);
  return steps;
}

function isInstalled(name, folder) {
  const paths = createRequire(resolve(folder, 'any.js')).resolve.paths(name) ?? [];
  return paths.some((path) => existsSync(join(path, name, 'package.json')));
}
