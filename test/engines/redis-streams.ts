import type { Redis } from 'ioredis';
import { type PageContext, publishPost } from 'pagepics/page';

import { startAgainIn } from './again.ts';

interface Planned {
  /** The id of the row that plans the post. */
  readonly key: string;
  readonly message: string;
}

/** `redis.xadd('posts', '*', 'job', JSON.stringify({ key, message }))` adds a job. */
export async function runWorker(
  redis: Redis,
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
  name: string,
  minIdleMs = 300_000,
): Promise<void> {
  const inGroup = ['posts', 'workers', name] as const;
  await redis.xgroup('CREATE', 'posts', 'workers', '0', 'MKSTREAM').catch(() => undefined); // it is there
  for (let cursor = '0-0'; ;) {
    // Streams know no delay: what is due comes back from a sorted set. If two workers bring it back, it has one key.
    for (const job of await redis.zrangebyscore('posts:later', 0, Date.now()))
      await redis.multi().xadd('posts', '*', 'job', job).zrem('posts:later', job).exec();
    // The jobs of killed workers come back after this time, so the `deadlineMs` of the context is shorter.
    const [next, left] = (await redis.xautoclaim(...inGroup, minIdleMs, cursor, 'COUNT', 1)) as [
      string,
      Entry[],
    ];
    cursor = next;
    const read = ['GROUP', 'workers', name, 'COUNT', 1, 'BLOCK', 1000, 'STREAMS', 'posts', '>'] as const;
    const [[, fresh] = ['', []]] = ((await redis.xreadgroup(...read)) ?? []) as [string, Entry[]][];
    for (const entry of [...left, ...fresh]) await publish(entry);
  }

  async function publish([id, [, job = '']]: Entry): Promise<void> {
    const { key, message } = JSON.parse(job) as Planned;
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    const afterMs = post.isErr() ? startAgainIn(post.error) : undefined;
    const stored = redis.multi().xack('posts', 'workers', id).xdel('posts', id);
    if (afterMs !== undefined) stored.zadd('posts:later', Date.now() + afterMs, job);
    else if (post.isErr()) stored.rpush('posts:failed', job);
    await stored.exec();
  }
}

type Entry = [id: string, fields: string[]];
