import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import type { Journal } from '../../src/journal/index.ts';
import { publishPost } from '../../src/page/index.ts';
import { createWorld } from '../core/journal/support.ts';

/** Two journals of one store, as two machines have them. */
export type Pair = readonly [one: Journal, two: Journal];

const dayMs = 86_400_000;

/** What a store must do, whatever it is. Keys are new ones each time, so that tests may share a store. */
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

  test('forgets what is over, and nothing else', async () => {
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
    // The longest that a key can be, in bytes, with what the engine puts before it.
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

function newKey(): string {
  return `pagepics test ${randomUUID()}`;
}
