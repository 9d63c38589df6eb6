import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from 'vitest';

import { createJournal, isFinal, type JournalStore, memoryJournal } from '../../../../src/core/index.ts';
import { publishPost, publishScheduledPost } from '../../../../src/page/index.ts';
import {
  d1Journal,
  type DenoKv,
  denoKvJournal,
  durableObjectJournal,
  type Journal,
  sqliteJournal,
} from '../../../../src/stores/index.ts';
import { createD1 } from '../../../support/d1.ts';
import { createWorld, leaseMs, settleMs, type World } from './support.ts';

const dayMs = 86_400_000;
const message = 'The autumn menu is here';

function publish(world: World, options: { readonly scheduledAt?: Date; readonly idempotencyKey: string }) {
  const { id: pageId, token: pageToken } = world.page;
  return publishPost(world.start().context, { pageId, pageToken, message, ...options });
}

const postsOf = ({ sandbox }: World): number => sandbox.effects('post').length;

/** Stores that go by the time of the context. */
const stores: Readonly<Record<string, () => Journal>> = {
  memoryJournal,
  sqliteJournal: () => sqliteJournal(new DatabaseSync(':memory:')),
  d1Journal: () => d1Journal(createD1().db),
  durableObjectJournal: () => {
    const rows = new Map<string, unknown>();
    const get = async (key: string): Promise<unknown> => rows.get(key);
    const put = async (key: string, value: unknown): Promise<unknown> => rows.set(key, value);
    return durableObjectJournal({ get, transaction: (work) => work({ get, put }) });
  },
  denoKvJournal: () => {
    const rows = new Map<string, unknown>();
    let version = 0;
    const kv: DenoKv = {
      get: async ([, key = '']) => ({ value: rows.get(key), versionstamp: `${version}` }),
      atomic: () => {
        const atomic: ReturnType<DenoKv['atomic']> = {
          check: () => atomic,
          set: ([, key = ''], value) => {
            rows.set(key, value);
            return atomic;
          },
          commit: async () => ({ ok: version++ >= 0 }),
        };
        return atomic;
      },
    };
    return denoKvJournal(kv);
  },
};

describe.each(Object.entries(stores))('a key in %s', (_, open) => {
  test('of a scheduled post outlives its time by journalTtlMs, by the clock of the context', async () => {
    const world = createWorld(open());
    const scheduledAt = new Date(world.sandbox.now() + 20 * dayMs);
    const call = () => publish(world, { scheduledAt, idempotencyKey: 'job' });
    const post = (await call())._unsafeUnwrap();
    // The seven days are over, those after it is out are not.
    for (const days of [8, 11, 7.9]) {
      world.sandbox.advance(days * dayMs);
      expect((await call())._unsafeUnwrap()).toEqual(post);
    }
    expect(postsOf(world)).toBe(1);

    world.sandbox.advance(0.2 * dayMs);
    expect((await call())._unsafeUnwrapErr()).toMatchObject({ option: 'scheduledAt' });
  });

  test('of a post that is out at once is forgotten after journalTtlMs', async () => {
    const world = createWorld(open());
    await publish(world, { idempotencyKey: 'job' });
    world.sandbox.advance(6.9 * dayMs);
    await publish(world, { idempotencyKey: 'job' });
    expect(postsOf(world)).toBe(1);
    world.sandbox.advance(0.2 * dayMs);
    await publish(world, { idempotencyKey: 'job' });
    expect(postsOf(world)).toBe(2);
  });
});

test('what is stored of a scheduled post lives as long: its owner, and its lock', async () => {
  const kept = new Map<string, number>();
  const memory = memoryJournal();
  const world = createWorld({
    get: (...key) => memory.get(...key),
    compareAndSet: (key, expected, value, ttlMs, now) => {
      kept.set(key.split(' ')[0] ?? '', ttlMs / dayMs);
      return memory.compareAndSet(key, expected, value, ttlMs, now);
    },
  });
  const scheduledAt = new Date(Math.ceil(world.sandbox.now() / 1000) * 1000 + 20 * dayMs);
  expect((await publish(world, { scheduledAt, idempotencyKey: 'job' })).isOk()).toBe(true);

  expect(Object.fromEntries([...kept].map(([kind, days]) => [kind, Math.round(days)]))).toEqual({
    pagepics: 27,
    'pagepics-lock': 27,
    'pagepics-effect': 34,
  });
});

describe('two keys with the same scheduled post, of which one is published by hand', () => {
  const at = (world: World) => new Date(Math.ceil(world.sandbox.now() / 1000) * 1000 + 20 * dayMs);

  /** Lists say of what is published by hand that it was created then. */
  function createHand(world: World, store?: JournalStore) {
    const times = new Map<string, number>();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await world.sandbox.fetch(input, init);
      if (!(input as Request).url.includes('/published_posts')) return response;
      const { data, ...rest } = (await response.json()) as {
        readonly data: readonly { readonly id: string }[];
      };
      const moved = data.map((post) => {
        const time = times.get(post.id);
        return time === undefined ? post : { ...post, created_time: new Date(time).toISOString() };
      });
      return Response.json({ data: moved, ...rest }, response);
    };
    const options = { fetch, ...(store && { journal: createJournal(store) }) };
    const publishByHand = async (postId: string): Promise<void> => {
      const published = await publishScheduledPost(world.start().context, {
        postId,
        pageToken: world.page.token,
      });
      expect(published.isOk()).toBe(true);
      times.set(postId, world.sandbox.now());
    };
    const call = (key: string, options_: Partial<Parameters<typeof publishPost>[1]>) =>
      publishPost(world.start(Infinity, options).context, {
        pageId: world.page.id,
        pageToken: world.page.token,
        message,
        idempotencyKey: key,
        ...options_,
      });
    return { call, publishByHand };
  }

  /** Loses the response of a call, which then sees no list. */
  async function lose(world: World, when: 'before' | 'after', call: () => ReturnType<typeof publishPost>) {
    world.sandbox.fault({ method: 'POST', path: '/feed', when, drop: true });
    const repair = ['/scheduled_posts', '/published_posts'].map((path) =>
      world.sandbox.fault({ method: 'GET', path, status: 503, times: Infinity }),
    );
    expect((await call())._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    for (const end of repair) end();
    world.sandbox.advance(settleMs);
  }

  const idsIn = ({ sandbox }: World) => sandbox.effects('post').map(({ id }) => id);

  test('long after it was sent: the other one does not take it for its own', async () => {
    const world = createWorld();
    const { call, publishByHand } = createHand(world);
    const scheduledAt = at(world);
    await lose(world, 'before', () => call('a', { scheduledAt }));
    await lose(world, 'after', () => call('b', { scheduledAt }));
    world.sandbox.advance(dayMs);
    const [ofB = ''] = idsIn(world);
    await publishByHand(ofB);

    const a = await call('a', { scheduledAt });

    expect(a._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown', payload: { candidates: [ofB] } });
  });

  test('while the other one is sent with the text of yet another: it is no candidate of that', async () => {
    const world = createWorld();
    const { call, publishByHand } = createHand(world);
    const scheduledAt = at(world);
    await lose(world, 'before', () => call('a', { scheduledAt, message: 'The winter menu is here' }));
    await lose(world, 'after', () => call('b', { scheduledAt }));
    world.sandbox.advance(dayMs);
    const [ofB = ''] = idsIn(world);
    await publishByHand(ofB);

    const a = (await call('a', { scheduledAt, message: 'The winter menu is here' }))._unsafeUnwrapErr();
    expect(isFinal(a)).toBe(false);
    expect(a.message).toContain('idempotencyKey b');
    expect(a).toMatchObject({ payload: { candidates: [] } });
    expect((await call('b', { scheduledAt }))._unsafeUnwrap()).toEqual({ id: ofB });
    const again = (await call('a', { scheduledAt, message: 'The winter menu is here' }))._unsafeUnwrap();
    expect([ofB, again.id]).toEqual(idsIn(world));
  });

  test('after the other one died between the records of its post and of its value', async () => {
    const world = createWorld();
    const { call, publishByHand } = createHand(world);
    const scheduledAt = at(world);
    await lose(world, 'after', () => call('a', { scheduledAt }));
    world.sandbox.advance(dayMs);
    const [ofA = ''] = idsIn(world);
    // While b is sent, so that by its time alone it could be what b made.
    let isPublished = false;
    const { store } = world;
    const { call: callB } = createHand(world, {
      get: (...key) => store.get(...key),
      compareAndSet: async (key, ...replacement) => {
        const isOwner = key.startsWith('pagepics-effect');
        if (isOwner && !isPublished) {
          isPublished = true;
          await publishByHand(ofA);
        }
        const isStored = !isPublished || isOwner ? await store.compareAndSet(key, ...replacement) : false;
        if (isPublished && !isOwner) throw new Error('the process dies');
        return isStored;
      },
    });
    expect((await callB('b', { scheduledAt })).isOk()).toBe(true);
    expect(isPublished).toBe(true);
    world.sandbox.advance(settleMs + leaseMs);

    const a = (await call('a', { scheduledAt }))._unsafeUnwrap();
    const b = (await call('b', { scheduledAt }))._unsafeUnwrap();

    expect([a.id, b.id]).toEqual(idsIn(world));
  });
});
