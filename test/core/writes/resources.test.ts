import { okAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { POST } from '../../../src/core/http/methods.ts';
import type { EffectLookup, EntryLookup, ListedEntry } from '../../../src/core/writes/lookups.ts';
import { beginWrite, createWriteMemory, type WriteMemory } from '../../../src/core/writes/memory.ts';
import { lookUpEffect, sendOnce } from '../../../src/core/writes/sendOnce.ts';
import { type Created, createdSchema } from '../../../src/models/fields.ts';
import { dated, pageContext, virtualClock, newCall } from '../../support/context.ts';
import { json, networkFailure, refusal, type Step, stubFetch } from '../stub.ts';

const minute = 60_000;
const lost = networkFailure('ECONNRESET');

/** What a write is of; by default it has the text `content` in the list `list`. */
interface Kind {
  readonly list?: string | null;
  readonly content?: string | null;
  readonly resource?: string;
  readonly query?: EntryLookup<Created>['entries']['query'];
}

/** Writes to one list, whose lookups show the same entries. Each is sent by a context and a `fetch` of its own. */
function createWrites(deadlineMs = Infinity) {
  const clock = virtualClock();
  const start = clock.now();
  const entries: ListedEntry[] = [];
  const shared = createWriteMemory();
  const contextWith = (step: Step, memory: WriteMemory | undefined) => {
    const context = pageContext({
      clock,
      deadlineMs,
      memory,
      fetch: stubFetch(step),
      retry: { baseDelayMs: 500, jitter: 'none' },
    });
    const headers = new Headers({ date: dated(clock)['date']?.() ?? '' });
    context.platformClock.observe(headers, clock.monotonic(), clock.monotonic());
    return context;
  };
  const lookupOf = ({ list = 'list', content, resource, query }: Kind): EffectLookup<Created> => ({
    kind: 'object',
    idOf: ({ id }) => id,
    toValue: (id) => ({ id }),
    resource,
    state: () => okAsync({ isDone: true }),
    ...(list !== null && {
      entries: {
        list,
        text: content === null ? undefined : (content ?? 'content'),
        query:
          query ??
          (() => okAsync({ entries: entries.map((one) => ({ ...one, text: content ?? 'content' })) })),
      },
    }),
  });
  const send = (kind: Kind, step: Step, memory: WriteMemory | undefined = shared) => {
    const context = contextWith(step, memory);
    const request = { ...newCall(context), method: POST, path: 'x', schema: createdSchema };
    return sendOnce(context, request, lookupOf(kind));
  };
  return {
    clock,
    memory: shared,
    /** Puts an entry on the list, made so many milliseconds after the start. */
    list: (id: string, afterMs: number) => entries.push({ id, createdAt: start + afterMs }),
    lose: (kind: Kind = {}, memory?: WriteMemory) => send(kind, lost, memory),
    make: (id: string, kind: Kind = {}) => send(kind, json({ id })),
    send,
    find: (kind: Kind, sinceMs: number) =>
      lookUpEffect(contextWith(json({}), shared), lookupOf(kind), {
        earliest: start + sinceMs,
        latest: start + sinceMs,
      }),
  };
}

describe('what a resource has become', () => {
  test('is what a write of it is known to have made, whatever else fits', async () => {
    const { make, list, find } = createWrites();
    await make('a', { resource: 's' });
    list('a', 0);
    list('b', 1000);

    expect((await find({ resource: 's' }, -minute))._unsafeUnwrap()).toBe('a');
    expect((await find({ resource: 't' }, -minute))._unsafeUnwrap()).toBe('b');
  });

  test('may be what the first of two lost writes of it made', async () => {
    const { clock, lose, list } = createWrites();
    expect((await lose({ resource: 's' })).isErr()).toBe(true);
    list('first', 1000);
    clock.advance(minute);

    expect((await lose({ resource: 's' }))._unsafeUnwrap()).toEqual({ id: 'first' });
  });

  test('is known from then on: no other write can have made it', async () => {
    const { lose, list, find } = createWrites();
    list('found', 1000);
    expect((await find({ resource: 's' }, 0))._unsafeUnwrap()).toBe('found');

    expect((await lose())._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
  });
});

describe('a lost write whose entry was never found', () => {
  test.each([
    ['other content', 'one', 'two', false],
    ['the same content', 'one', 'one', true],
    ['any content', null, 'two', true],
  ])('with %s is a rival or not', async (_, first, second, isRival) => {
    const { lose, list } = createWrites();
    expect((await lose({ content: first })).isErr()).toBe(true);
    list('made', 8000);

    const result = await lose({ content: second });

    expect(result.map(({ id }) => id).unwrapOr('unknown')).toBe(isRival ? 'unknown' : 'made');
  });

  test('is a rival to those of every context of its memory, and to none of another', async () => {
    const { lose, list } = createWrites();
    expect((await lose()).isErr()).toBe(true);
    // It lands late, while an equal one of another context is looked up.
    list('late', 8000);

    expect((await lose())._unsafeUnwrapErr().outcome).toBe('applied');
    list('own', 15_500);
    expect((await lose({}, createWriteMemory()))._unsafeUnwrap()).toEqual({ id: 'own' });
  });

  test('is no rival for an entry that is older than itself', async () => {
    const { clock, lose, send, list } = createWrites();
    const sent = Promise.withResolvers<void>();
    const response = Promise.withResolvers<Response>();
    const first = send({}, () => {
      sent.resolve();
      return response.promise;
    });
    await sent.promise;
    list('first', 0);
    clock.advance(2 * minute);
    const second = await lose({ content: 'other' });
    expect(second.isErr()).toBe(true);
    expect((await lose()).isErr()).toBe(true);
    response.resolve(new Response('', { status: 502 }));

    // The equal write that began two minutes later cannot have made it.
    expect((await first)._unsafeUnwrap()).toEqual({ id: 'first' });
  });

  test('is remembered whatever many others there are, and forgotten ten minutes after its end', async () => {
    const { clock, lose, make, list } = createWrites();
    expect((await lose()).isErr()).toBe(true);
    for (let at = 0; at < 1500; at++) await make(`${at}`, { content: `crowd ${at}` });
    list('made', clock.now() - Date.UTC(2026, 0, 2));
    expect((await lose())._unsafeUnwrapErr().outcome).toBe('applied');

    clock.advance(11 * minute);
    list('own', clock.now() - Date.UTC(2026, 0, 2));
    expect((await lose())._unsafeUnwrap()).toEqual({ id: 'own' });
  });
});

describe('a write that succeeded', () => {
  test('keeps its entry from an equal lost one, however many others there were since', async () => {
    const { make, lose, list } = createWrites();
    await make('hi 1');
    list('hi 1', 0);
    for (let at = 0; at < 1100; at++) await make(`${at}`, { content: `crowd ${at}` });

    expect((await lose())._unsafeUnwrapErr().outcome).toBe('applied');
  });

  test('made no entry of its id at quite another time, as two sandboxes show', async () => {
    const { clock, make, lose, list } = createWrites();
    await make('42_1');
    clock.advance(minute);
    list('42_1', minute + 600);

    expect((await lose())._unsafeUnwrap()).toEqual({ id: '42_1' });
  });
});

describe('the memory', () => {
  test('holds what ten minutes hold of 20,000 writes, of which one hangs', async () => {
    const clock = virtualClock();
    const context = pageContext({ clock, memory: createWriteMemory() });
    const { writes } = context.memory;
    const begin = (text: string) => {
      const entries = { list: 'list', text, query: () => okAsync({ entries: [] }) };
      const lookup = { kind: 'entry', idOf: () => undefined, toValue: () => undefined, entries } as const;
      return beginWrite(context, lookup, 600_000);
    };
    const hung = begin('hung');
    for (let at = 0; at < 20_000; at++) {
      clock.advance(1000);
      begin(`text ${at}`).end(`${at}`);
    }

    expect(writes.size).toBeLessThan(610);
    // Nobody saw its end: its runtime may have ended the call.
    expect(writes.has(hung.write)).toBe(false);
    clock.advance(11 * minute);
    const last = begin('last');
    expect([...writes]).toEqual([last.write]);
  });

  test('holds neither texts nor tokens', async () => {
    const { memory, make, lose } = createWrites();
    await make('1', { list: 'secret-token/media', content: 'a private text' });
    await lose({ list: 'secret-token/media', content: 'another private text' });

    const held = JSON.stringify([...memory.writes]);
    expect(memory.writes.size).toBe(2);
    expect(held).not.toMatch(/secret|private|token|text/);
  });

  test('keeps nothing of a refused write, nor of one whose entry only it can have made', async () => {
    const { memory, make, lose, send } = createWrites();
    expect((await send({}, refusal(190, { status: 401 }))).isErr()).toBe(true);
    await make('1', { list: null });
    await lose({ list: null });

    expect(memory.writes.size).toBe(0);
  });
});

test.each([
  [500, 0],
  [501, 1],
])('with %i ms for the call, the lookups after a lost write are %i', async (deadlineMs, expected) => {
  let lookups = 0;
  const { lose } = createWrites(deadlineMs);
  const query = () => {
    lookups++;
    return okAsync({ entries: [] });
  };

  expect((await lose({ query })).isErr()).toBe(true);
  expect(lookups).toBe(expected);
});
