// Publishes planned posts from a job queue, pg-boss on Postgres, through three worker processes that are killed at
// random, on a platform that loses a fifth of the responses. It ends once all are published, and counts how many were
// published twice. An app would copy `worker.ts` and `queue.ts`.
//
//   npm run example -- scheduler     installs pg-boss and a Postgres server first; no account
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { openQueue, type PlannedPost, publishing, type WorkerMessage } from './queue.ts';
import { startPostgres } from './startPostgres.ts';

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '120' },
    kills: { type: 'string', default: '30' },
  },
});

/** After how many started posts a worker is killed, in the middle of one. */
const beginsPerKill = Math.max(1, Math.floor(Number(values.posts) / Number(values.kills)));

const postgres = await startPostgres();
// A limit for the Page, and one for its account, of which all workers together use less than they would like to.
const quota = { calls: 100, windowMs: 20_000 };
const sandbox = createSandbox({ posts: 0, quotas: { page: quota, pics: quota } });
const server = await serveSandbox(sandbox);
const [page] = sandbox.pages;
if (page?.picsId === undefined) throw new Error('the first Page has an account');

// A platform on a bad day: publishing requests are lost on the way there or on the way back, and everything is slow.
const publishes = { method: 'POST', path: /\/(feed|photos|media_publish)$/, times: Infinity };
sandbox.fault({ ...publishes, chance: 0.15, when: 'after', drop: true });
sandbox.fault({ ...publishes, chance: 0.05, when: 'before', drop: true });
// Lookups get through: after one that fails, the SDK says to call again later, too long for an example.
sandbox.fault({ method: 'POST', chance: 0.1, times: Infinity, when: 'after', drop: true });
sandbox.fault({ times: Infinity, delayMs: 100 });
sandbox.tune({ containers: { processingMs: 300 } });

const planned: readonly PlannedPost[] = Array.from({ length: Number(values.posts) }, (_, at) => ({
  key: `post-${at}`,
  platform: at % 2 === 0 ? 'page' : 'pics',
  text: `Cup number ${at}`,
  // Every other post of the Page has a photo; on the photo-sharing platform, all have.
  ...(at % 4 === 0 ? {} : { imageUrl: `https://cdn.example/cups/${at}.jpg` }),
}));
const boss = await openQueue(postgres.url);
await boss.insert(
  publishing,
  planned.map((post) => ({ data: { ...post, attempts: 0 } })),
);
console.log(`planned    ${planned.length} posts, half of them for each platform`);

const published = new Set<string>();
const handedOver = new Set<string>();
const interrupted = new Set<string>();
const counts = { begun: 0, kills: 0, busy: 0, heldBack: 0, unknown: 0 };
const workers = new Set<ChildProcess>();
const { promise: isOver, resolve: end, reject: fail } = Promise.withResolvers<void>();
for (let started = 0; started < 3; started++) startWorker();
await isOver;
await Promise.all([...workers].map((worker) => (worker.kill('SIGTERM'), once(worker, 'exit'))));
await boss.stop();

// What is on the platform counts, not what workers report.
const texts = [...sandbox.effects('post'), ...sandbox.effects('photo'), ...sandbox.effects('media')].map(
  ({ content }) => content['message'] ?? content['caption'],
);
const times = planned.map(({ text }) => texts.filter((other) => other === text).length);
console.log(`published  ${times.filter((count) => count > 0).length}`);
console.log(`killed     ${counts.kills} workers, with ${interrupted.size} posts in their hands`);
console.log(`resumed    ${[...interrupted].filter((key) => published.has(key)).length}`);
console.log(`busy       ${counts.busy} calls, which came back later`);
console.log(`held back  ${counts.heldBack} calls, so that they stay under the limits; they came back, too`);
console.log(
  `limited    ${sandbox.requests.filter(({ status }) => status === 400).length} calls, by the platform`,
);
console.log(
  `unknown    ${counts.unknown} calls, settled by later ones; left to a person: ${handedOver.size}`,
);
console.log(`twice      ${times.filter((count) => count > 1).length}`);
await server.close();
await postgres[Symbol.asyncDispose]();

function startWorker(): void {
  const worker = fork(new URL('worker.ts', import.meta.url), {
    env: {
      ...process.env,
      DATABASE_URL: postgres.url,
      PLATFORM: JSON.stringify(server.platform),
      APP_ID: sandbox.app.id,
      APP_SECRET: sandbox.app.secret,
      PAGE_ID: page?.id,
      PAGE_TOKEN: page?.token,
      PICS_USER_ID: page?.picsId,
    },
  });
  workers.add(worker);
  /** The posts that it has started and not finished. */
  const inHand = new Set<string>();
  worker.on('message', (message) => {
    const { key, event, outcome } = message as WorkerMessage;
    if (event === 'begins') inHand.add(key);
    else inHand.delete(key);
    if (event === 'published') published.add(key);
    if (event === 'handed over') handedOver.add(key);
    if (event === 'busy') counts.busy++;
    if (event === 'held back') counts.heldBack++;
    if (outcome === 'unknown') counts.unknown++;
    if (event === 'begins' && ++counts.begun % beginsPerKill === 0) setTimeout(kill, Math.random() * 600);
    if (published.size + handedOver.size === planned.length) end();
  });

  // A worker that ends without being told to has a bug.
  worker.on('exit', (code) => {
    if (workers.has(worker) && code !== 0) fail(new Error(`a worker ended with ${code}`));
  });

  /** The way a machine dies: without a word, and without cleaning up. Another worker takes its place. */
  function kill(): void {
    if (counts.kills >= Number(values.kills) || inHand.size === 0 || !workers.delete(worker)) return;
    worker.kill('SIGKILL');
    for (const key of inHand) interrupted.add(key);
    counts.kills++;
    startWorker();
  }
}
