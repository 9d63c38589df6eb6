import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import { createJournal } from '../../src/core/index.ts';
import { publishPost } from '../../src/page/index.ts';
import type { Journal } from '../../src/stores/index.ts';
import { createWorld } from '../core/writes/journal/support.ts';

/** Two journals over one store, like those of two machines. */
export type Pair = readonly [one: Journal, two: Journal];

const dayMs = 86_400_000;

/** What every store must do. Keys are new each time, so that tests can share a store. */
export function keepsItsWord(
  open: () => Pair | Promise<Pair>,
  { valueLength = 100_000 }: { readonly valueLength?: number } = {},
): void {
  test('stores only on top of what was read', async () => {
    const [one, two] = await open();
    const key = newKey();
    expect(await one.get(key)).toBeUndefined();
    expect(await one.compareAndSet(key, 'x', 'y', dayMs)).toBe(false);
    expect(await two.get(key)).toBeUndefined();
    expect(await one.compareAndSet(key, undefined, '1', dayMs)).toBe(true);
    expect(await two.compareAndSet(key, undefined, '2', dayMs)).toBe(false);
    expect(await two.compareAndSet(key, '', '2', dayMs)).toBe(false);
    expect(await two.compareAndSet(key, '1 ', '2', dayMs)).toBe(false);
    expect(await two.get(key)).toBe('1');
    expect(await two.compareAndSet(key, '1', '2', dayMs)).toBe(true);
    expect(await one.compareAndSet(key, '1', '3', dayMs)).toBe(false);
    expect(await one.get(key)).toBe('2');
    expect(await one.get(`${key} `)).toBeUndefined();
  });

  test('lets one of fifty at once through, each time', async () => {
    const pair = await open();
    const key = newKey();
    let expected: string | undefined;
    for (const round of ['first', 'second']) {
      const values = Array.from({ length: 50 }, (_, at) => `${round} ${at}`);
      const stored = await Promise.all(
        values.map((value, at) => pair[at % 2 === 0 ? 0 : 1].compareAndSet(key, expected, value, dayMs)),
      );
      expect(stored.filter(Boolean)).toEqual([true]);
      expected = values[stored.indexOf(true)];
      expect(await Promise.all(pair.map((journal) => journal.get(key)))).toEqual([expected, expected]);
    }
  });

  test('replaces two texts in one step, both or neither', async () => {
    const [one, two] = await open();
    // A store that cannot has no such method, and its calls store one text after another.
    const isWhole = one.compareAndSetAll !== undefined;
    const [lock, entry, owner] = [newKey(), newKey(), newKey()];
    expect(await one.compareAndSet(entry, undefined, '1', dayMs)).toBe(true);
    const replace = async (journal: Journal, ...all: readonly [string, string | undefined, string][]) =>
      (await journal.compareAndSetAll?.(
        all.map(([key, expected, value]) => ({ key, expected, value, ttlMs: dayMs })),
      )) ?? false;
    const read = () => Promise.all([lock, entry, owner].map((key) => two.get(key)));

    expect(await replace(one, [lock, undefined, 'L'], [entry, '0', '2'])).toBe(false);
    expect(await read()).toEqual([undefined, '1', undefined]);
    expect(await replace(one, [lock, undefined, 'L'], [entry, '1', '2'])).toBe(isWhole);
    if (!isWhole) return;
    expect(await read()).toEqual(['L', '2', undefined]);
    expect(await replace(two, [lock, undefined, 'M'], [entry, '2', '3'])).toBe(false);
    expect(await replace(two, [owner, undefined, 'O'], [lock, undefined, 'M'])).toBe(false);
    expect(await read()).toEqual(['L', '2', undefined]);
    expect(await replace(two, [lock, 'L', 'M'], [entry, '2', '3'])).toBe(true);
    expect(await read()).toEqual(['M', '3', undefined]);
  });

  test('lets one of fifty joint replacements at once through, whole', async () => {
    const pair = await open();
    if (pair[0].compareAndSetAll === undefined) return;
    const [lock, ...entries] = [newKey(), ...newKeys(50)];
    await Promise.all(entries.map((key) => pair[0].compareAndSet(key, undefined, '1', dayMs)));

    const stored = await Promise.all(
      entries.map(async (key, at) =>
        pair[at % 2 === 0 ? 0 : 1].compareAndSetAll?.([
          { key: lock, expected: undefined, value: key, ttlMs: dayMs },
          { key, expected: '1', value: '2', ttlMs: dayMs },
        ]),
      ),
    );

    expect(stored.filter(Boolean)).toEqual([true]);
    const winner = entries[stored.indexOf(true)];
    expect(await pair[1].get(lock)).toBe(winner);
    const values = await Promise.all(entries.map((key) => pair[0].get(key)));
    expect(values).toEqual(entries.map((key) => (key === winner ? '2' : '1')));
  });

  test('forgets expired entries, and nothing else', async () => {
    const [one, two] = await open();
    const [key, other] = [newKey(), newKey()];
    expect(await one.compareAndSet(other, undefined, 'stays', dayMs)).toBe(true);
    expect(await one.compareAndSet(key, undefined, '1', 1)).toBe(true);
    await expect.poll(() => two.get(key)).toBeUndefined();
    expect(await two.compareAndSet(key, '1', '2', dayMs)).toBe(false);
    expect(await two.compareAndSet(key, undefined, '2', dayMs)).toBe(true);
    expect(await one.get(key)).toBe('2');
    expect(await one.compareAndSet(key, '2', '3', 1)).toBe(true);
    await expect.poll(() => two.get(key)).toBeUndefined();
    expect(await one.get(other)).toBe('stays');
  });

  test('keeps every character of keys and values', async () => {
    const [one, two] = await open();
    // The longest key, in bytes, with the engine's prefix.
    const longest = `pagepics-effect https://graph.example.com ${'🔑'.repeat(255)}`;
    const odd = `\u0001\b\t\n\r\u001B "'\`\\$1 $$ ? % _ ; -- \u007F\u0085é ä e\u0308 \u200B\u2028\uFEFF\uFFFD\uFFFF ك 🔑`;
    for (const key of [longest, odd].map((text) => `${newKey()}${text}`.slice(-longest.length))) {
      for (const value of [odd, `{"a":"\\u0000 ${'ä'.repeat(10)} ${'x'.repeat(valueLength - 40)}"}`]) {
        const before = await one.get(key);
        expect(await one.compareAndSet(key, before, value, dayMs)).toBe(true);
        expect(await two.get(key)).toBe(value);
        expect(await two.compareAndSet(key, `${value} `, 'x', dayMs)).toBe(false);
        expect(await two.compareAndSet(key, value, `${value}!`, dayMs)).toBe(true);
        expect(await one.compareAndSet(key, `${value}!`, value, dayMs)).toBe(true);
      }
    }
  });

  test('does a hundred replacements of several kinds at once, each on its own', async () => {
    const pair = await open();
    const [held, over] = [newKeys(40), newKeys(40)];
    const all = <TResult>(keys: readonly string[], work: (key: string, at: number) => TResult) =>
      Promise.all(keys.map(work));
    await all(held, (key) => pair[0].compareAndSet(key, undefined, '1', dayMs));
    await all(over, (key) => pair[1].compareAndSet(key, undefined, '1', 1));
    await expect.poll(() => all(over, (key) => pair[0].get(key))).toEqual(over.map(() => undefined));

    const [replaced, renewed, refused] = await Promise.all([
      // Every second one does not match.
      all(held, (key, at) =>
        pair[at % 3 === 0 ? 0 : 1].compareAndSet(key, at % 2 === 0 ? '1' : '0', '2', dayMs),
      ),
      all(over, (key, at) => pair[at % 3 === 0 ? 0 : 1].compareAndSet(key, undefined, '2', dayMs)),
      all(held, (key) => pair[0].compareAndSet(key, undefined, '3', dayMs)),
    ]);

    const isDone = held.map((_, at) => at % 2 === 0);
    expect(replaced).toEqual(isDone);
    expect(await all(held, (key) => pair[1].get(key))).toEqual(isDone.map((done) => (done ? '2' : '1')));
    expect(renewed).toEqual(over.map(() => true));
    expect(await all(over, (key) => pair[1].get(key))).toEqual(over.map(() => '2'));
    expect(refused).toEqual(held.map(() => false));
  });

  test('lists what is stored under a prefix', async () => {
    const [one, two] = await open();
    const prefix = `${newKey()} *_%?[a]\\`;
    const names = Array.from({ length: 1100 }, (_, at) => `${prefix}${at}é🔑`);
    const stored = await Promise.all(
      names.map((key, at) =>
        one.compareAndSet(key, undefined, at % 100 === 0 ? `{"open":${at}}` : `{"value":${at}}`, dayMs),
      ),
    );
    expect(stored.every(Boolean)).toBe(true);
    await one.compareAndSet(`${prefix.slice(0, -1)}x`, undefined, 'other', dayMs);
    await one.compareAndSet(`${prefix}over`, undefined, 'over', 1);
    await expect.poll(() => two.get(`${prefix}over`)).toBeUndefined();

    const listed = new Map<string, string>();
    for await (const [key, value] of two.list?.({ prefix, without: '"value":' }) ?? [])
      listed.set(key, value);

    const open100 = names.filter((_, at) => at % 100 === 0);
    expect(new Set(listed.keys())).toEqual(new Set(open100));
    expect([...listed.values()].every((value) => value.startsWith('{"open":'))).toBe(true);
    let count = 0;
    for await (const [key] of two.list?.({ prefix, without: 'nothing has this' }) ?? []) {
      expect(key.startsWith(prefix)).toBe(true);
      count++;
    }
    expect(count).toBe(names.length);
  });

  test('carries a call whose response is lost to another machine', async () => {
    const [one, two] = await open();
    const world = createWorld();
    const { sandbox, page } = world;
    const options = { pageId: page.id, pageToken: page.token, message: 'Hi', idempotencyKey: newKey() };
    sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
    // It cannot be looked up either.
    const repair = sandbox.fault({ method: 'GET', times: Infinity, drop: true });
    const lost = await publishPost(world.start(Infinity, { journal: one }).context, options);
    expect(lost._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    repair();

    const { context } = world.start(Infinity, { journal: two });
    const posts = [await publishPost(context, options), await publishPost(context, options)];

    const effects = sandbox.effects('post');
    expect(effects.length).toBe(1);
    expect(posts.map((post) => post._unsafeUnwrap().id)).toEqual([effects[0]?.id, effects[0]?.id]);
  });
}

/** Many keys that publish the same content at once, as after a batch with badly chosen keys: they wait for one another. */
export function publishesEqualOnes(open: () => Pair | Promise<Pair>, count = 300): void {
  test(`publishes ${count} equal posts at once, each under its key`, { timeout: 120_000 }, async () => {
    const pair = await open();
    const world = createWorld();
    const { page } = world;
    // A new sandbox makes the ids of the last one again: in a shared store, they belong to the keys of another test.
    const prefix = newKey();
    const start = (shared: Journal) => {
      const journal = createJournal({
        get: (key) => shared.get(prefix + key),
        compareAndSet: (key, ...replacement) => shared.compareAndSet(prefix + key, ...replacement),
        ...(shared.compareAndSetAll && {
          compareAndSetAll: async (all) =>
            (await shared.compareAndSetAll?.(all.map((one) => ({ ...one, key: prefix + one.key })))) ?? false,
        }),
      });
      return world.start(Infinity, { journal, clock: undefined });
    };
    const [one, two] = [start(pair[0]), start(pair[1])] as const;
    const posts = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        publishPost((at % 2 === 0 ? one : two).context, {
          pageId: page.id,
          pageToken: page.token,
          message: 'Hi',
          idempotencyKey: newKey(),
        }),
      ),
    );

    expect(posts.flatMap((post) => (post.isErr() ? [post.error.message] : []))).toEqual([]);
    expect(new Set(posts.map((post) => post._unsafeUnwrap().id)).size).toBe(count);
    expect(world.sandbox.effects('post').length).toBe(count);
  });
}

function newKeys(count: number): readonly string[] {
  return Array.from({ length: count }, newKey);
}

function newKey(): string {
  return `pagepics test ${randomUUID()}`;
}
