// A worker that the program kills: one engine, with the example of its docs.
import { Redis } from 'ioredis';
import { postgresJournal, redisJournal } from 'pagepics/journal';
import { createPageContext, publishPost } from 'pagepics/page';
import pg from 'pg';

const settings = JSON.parse(process.env.ENGINE);
const { engine, folder, url, redis, platform, app, isKeyed, isFirst, diesAtEnd } = settings;
const { adapters } = await import(`${folder}/adapters.mjs`);

const pool = url === undefined ? undefined : new pg.Pool({ connectionString: url, max: 4 });
// As graphile-worker demands.
pool?.on('error', (error) => console.error(error));
pool?.on('connect', (client) => void client.on('error', (error) => console.error(error)));
const client = redis === undefined ? undefined : new Redis({ ...redis, maxRetriesPerRequest: 0 });

const made = createPageContext({
  appId: app.id,
  appSecret: app.secret,
  platform,
  ...(isKeyed && (pool ?? client) ? { journal: pool ? postgresJournal(pool) : redisJournal(client) } : {}),
  // Short, so that the table is made soon. The defaults are right for the live platforms.
  timeoutMs: 2000,
  journalLeaseMs: 3000,
  journalSettleMs: 5000,
  retry: { baseDelayMs: 50 },
  onCallStart: () => process.send({ event: 'start' }),
  onCallEnd: ({ error }) => {
    // The response is there, and the engine knows nothing of it.
    if (diesAtEnd) process.kill(process.pid, 'SIGKILL');
    process.send({ event: error === undefined ? 'end' : 'failure', message: error?.message });
  },
});
if (made.isErr()) throw made.error;

/** Without any care for the engine: what it does by default. */
async function publish(context, page, { key, message }) {
  const post = await publishPost(context, { ...page, message, idempotencyKey: key });
  if (post.isErr()) throw post.error;
  return post.value.id;
}

const add = await adapters[engine]({ ...settings, pool, context: made.value, publish });
if (isFirst) await add({ message: 'Open until nine.', ...(isKeyed ? { key: 'row-7' } : {}) });
