import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from 'vitest';

import { memoryJournal } from '../../../../src/core/index.ts';
import { publishPost } from '../../../../src/page/index.ts';
import {
  d1Journal,
  type DenoKv,
  denoKvJournal,
  durableObjectJournal,
  type Journal,
  sqliteJournal,
} from '../../../../src/stores/index.ts';
import { createD1 } from '../../../support/d1.ts';
import { createWorld, type World } from './support.ts';

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
