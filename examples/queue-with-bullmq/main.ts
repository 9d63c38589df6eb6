// Publishes from a BullMQ queue, whose jobs wait as long as the platform or a governor asks: one is refused for a time,
// the response of another one is lost for good, and of three posts each goes out once. It needs a `redis-server` on the PATH.
//
//   npm run example -- queue-with-bullmq     on the embedded sandbox: no account, no network but for its packages
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { createGovernor } from 'pagepics/governor';
import { redisJournal } from 'pagepics/journal';
import { createPageContext } from 'pagepics/page';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { orThrow } from '../support/orThrow.ts';
import * as log from '../support/print.ts';
import { startWorker } from './worker.ts';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');

const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
const port = await freePort();
const flags = ['--port', `${port}`, '--dir', folder, '--save', '', '--bind', '127.0.0.1'];
const redis = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
redis.once('error', () => {
  console.error('This example needs a redis-server on the PATH.');
  process.exit(1);
});
process.once('exit', () => redis.kill());
for await (const text of redis.stdout.iterator({ destroyOnReturn: false }))
  if (String(text).includes('Ready to accept connections')) break;

const connection = { host: '127.0.0.1', port };
const client = new Redis({ ...connection, maxRetriesPerRequest: 0 });
const journal = redisJournal(client);
const context = orThrow(
  createPageContext({
    appId: sandbox.app.id,
    appSecret: sandbox.app.secret,
    platform: server.platform,
    journal,
    // All workers together stay under the limits of the Page. A call that it holds back for longer is delayed, like one that
    // the platform refused.
    governor: createGovernor({ store: journal, maxWaitMs: 3000 }),
    onResponse: log.sent,
    // Short, so that the example ends soon. The defaults are right for the live platforms.
    retry: { attempts: 1, baseDelayMs: 20 },
    timeoutMs: 1000,
    journalLeaseMs: 1000,
    journalSettleMs: 2000,
  }),
);
const queue = new Queue('posts', { connection });

sandbox.fault({ method: 'POST', path: '/feed', status: 429, headers: { 'Retry-After': '2' } });
sandbox.fault({ method: 'POST', path: '/feed', skip: 1, when: 'after', drop: true });
sandbox.fault({ method: 'GET', path: '/published_posts', times: 2, status: 503 });

log.step('three jobs');
const began = Date.now();
const worker = startWorker(context, connection, { pageId: page.id, pageToken: page.token });
const ended = new Promise<void>((resolve) => {
  let left = 3;
  worker.on('completed', ({ data, returnvalue }) => {
    log.show('done', {
      key: data.key,
      id: returnvalue,
      afterSeconds: Math.round((Date.now() - began) / 1000),
    });
    if (--left === 0) resolve();
  });
  worker.on('failed', (job, error) => {
    log.show('failed', { key: job?.data.key, message: error.message });
    if (--left === 0) resolve();
  });
});
// The id of a job is the key of its post: added twice, it is one job.
for (const key of ['monday', 'tuesday', 'wednesday', 'monday'])
  await queue.add('post', { key, message: `Open on ${key}` }, { jobId: key, attempts: 1 });
await ended;

log.step('what is on the Page');
for (const { content } of sandbox.effects('post')) log.show('post', content['message']);

await worker.close();
await queue.close();
client.disconnect();
redis.kill();
redis.stdout.resume();
await once(redis, 'close');
await rm(folder, { recursive: true });
await server.close();
log.say('\nDone.');

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => void probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the server has a port');
  return address.port;
}
