import { okAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { type Entry, findMade, type Look, sendOnce } from '../../../src/core/writes/once.ts';
import { type Created, createdSchema } from '../../../src/models/created.ts';
import { pageContext, virtualClock } from '../../support/context.ts';
import { json, networkFailure, type Step, stubFetch } from '../stub.ts';

const minute = 60_000;
let keys = 0;

/** Writes of one key, whose looks show the same entries. */
function createWrites(deadlineMs = Infinity) {
  const clock = virtualClock();
  const start = clock.now();
  const entries: Entry<Created>[] = [];
  const key = `subjects ${++keys}`;
  // One context for all: what it never found is its own.
  let fetch: typeof globalThis.fetch;
  const context = pageContext({
    clock,
    deadlineMs,
    fetch: (...request) => fetch(...request),
    retry: { baseDelayMs: 500, jitter: 'none' },
  });
  const contextWith = (step: Step) => {
    fetch = stubFetch(step);
    return context;
  };
  const lookFor = (kind: Partial<Look<Created>>): Look<Created> => ({
    key,
    idOf: ({ id }) => id,
    find: () => okAsync({ entries: [...entries] }),
    ...kind,
  });
  const send = (kind: Partial<Look<Created>>, step: Step) =>
    sendOnce(contextWith(step), { method: 'POST', path: 'x', schema: createdSchema }, lookFor(kind));
  return {
    clock,
    lookFor,
    /** Puts an entry on the list, made so many milliseconds after the start. */
    list: (id: string, afterMs: number) => entries.push({ id, at: start + afterMs, value: { id } }),
    lose: (kind: Partial<Look<Created>> = {}) => send(kind, networkFailure('ECONNRESET')),
    make: (id: string, kind: Partial<Look<Created>> = {}) => send(kind, json({ id })),
    find: (kind: Partial<Look<Created>>, sinceMs: number) =>
      findMade(contextWith(json({})), lookFor(kind), start + sinceMs),
  };
}

describe('what a subject has become', () => {
  test('is what a write of it is known to have made, whatever else fits', async () => {
    const { make, list, find } = createWrites();
    await make('a', { subject: 's' });
    list('a', 0);
    list('b', 1000);

    expect((await find({ subject: 's' }, -minute))._unsafeUnwrap()).toEqual({ id: 'a' });
    expect((await find({ subject: 't' }, -minute))._unsafeUnwrap()).toEqual({ id: 'b' });
  });

  test('is not looked for among what is older than the write of it', async () => {
    const { lose, list, find } = createWrites();
    expect((await lose({ subject: 's' })).isErr()).toBe(true);
    list('older', -minute);
    list('own', 1000);

    expect((await find({ subject: 's' }, -60 * minute))._unsafeUnwrap()).toEqual({ id: 'own' });
  });

  test('may be what the first of two lost writes of it made', async () => {
    const { clock, lose, list } = createWrites();
    expect((await lose({ subject: 's' })).isErr()).toBe(true);
    list('first', 1000);
    clock.advance(minute);

    expect((await lose({ subject: 's' }))._unsafeUnwrap()).toEqual({ id: 'first' });
  });

  test('is no other entry, once it is known and not listed any more', async () => {
    const { make, list, find } = createWrites();
    await make('gone', { subject: 's' });
    list('other', 1000);

    expect((await find({ subject: 's' }, -minute))._unsafeUnwrap()).toBeUndefined();
  });

  test('is known from then on: no other write can have made it', async () => {
    const { lose, list, find } = createWrites();
    list('found', 1000);
    expect((await find({ subject: 's' }, 0))._unsafeUnwrap()).toEqual({ id: 'found' });

    expect((await lose())._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a lost write whose entry was never found', () => {
  test.each([
    ['other content', 'one', 'two', false],
    ['the same content', 'one', 'one', true],
    ['any content', undefined, 'two', true],
    ['some content, for one of any', 'one', undefined, true],
  ])('with %s is a rival or not', async (_, first, second, isRival) => {
    const { lose, list } = createWrites();
    expect((await lose({ content: first })).isErr()).toBe(true);
    list('made', 8000);

    const result = await lose({ content: second });

    expect(result.map(({ id }) => id).unwrapOr('unknown')).toBe(isRival ? 'unknown' : 'made');
  });

  test('is no rival to the writes of another context', async () => {
    const { lose, list, lookFor, clock } = createWrites();
    expect((await lose()).isErr()).toBe(true);
    list('made', 8000);
    const other = pageContext({ clock, fetch: stubFetch(networkFailure('ECONNRESET')) });

    const result = await sendOnce(other, { method: 'POST', path: 'x', schema: createdSchema }, lookFor({}));

    expect(result._unsafeUnwrap()).toEqual({ id: 'made' });
  });

  test('is forgotten when a thousand other lists were written to', async () => {
    const { lose, list } = createWrites();
    expect((await lose()).isErr()).toBe(true);
    const { make } = createWrites();
    for (let at = 0; at < 1001; at++) await make(`${at}`, { key: `crowd ${at}` });
    list('made', 8000);

    expect((await lose())._unsafeUnwrap()).toEqual({ id: 'made' });
  });
});

test.each([
  [500, 0],
  [501, 1],
])('with %i ms for the call, the looks after a lost write are %i', async (deadlineMs, expected) => {
  let looks = 0;
  const { lose } = createWrites(deadlineMs);
  const find = () => {
    looks++;
    return okAsync({ entries: [] });
  };

  expect((await lose({ find })).isErr()).toBe(true);
  expect(looks).toBe(expected);
});
