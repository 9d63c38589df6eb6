import { okAsync } from 'neverthrow';
import { afterEach, describe, expect, test, vi } from 'vitest';

import {
  beginWrite,
  canHaveMade,
  createWriteMemory,
  digest,
  memoryOf,
  type OngoingWrite,
  rivalsOf,
  type WriteContext,
  writerOf,
} from '../../../src/core/writes/memory.ts';
import { createdOffMs, memoryMs } from '../../../src/core/writes/tolerances.ts';
import { createPageContext } from '../../../src/page/context.ts';
import { appSecret, pageContext, picsContext, virtualClock } from '../../support/context.ts';
import { json, stubFetch } from '../stub.ts';

afterEach(() => void vi.unstubAllGlobals());

describe('the memory of a context', () => {
  test('is one for all that use the global fetch, handed in or not, and whatever replaces it later', () => {
    const { memory } = pageContext();

    expect(picsContext().memory).toBe(memory);
    expect(pageContext({ fetch: globalThis.fetch }).memory).toBe(memory);
    vi.stubGlobal('fetch', stubFetch(json({})));
    expect(pageContext().memory).toBe(memory);
  });

  test('is one for each fetch that is handed in', () => {
    const fetch = stubFetch(json({}));

    expect(pageContext({ fetch }).memory).toBe(picsContext({ fetch }).memory);
    expect(pageContext({ fetch }).memory).not.toBe(pageContext({ fetch: stubFetch(json({})) }).memory);
    expect(pageContext({ fetch }).memory).not.toBe(memoryOf(undefined));
  });

  test('is the one that is given', () => {
    const memory = createWriteMemory();

    expect(pageContext({ memory, fetch: stubFetch(json({})) }).memory).toBe(memory);
  });

  test.each([{}, 7, new Map()])('cannot be %j', (memory) => {
    const context = createPageContext({ appId: 'a', appSecret, memory: memory as never });

    expect(context._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'memory' });
  });
});

test('texts have digests of their own, by which equal ones are found', () => {
  const texts = ['Open until nine', 'Open until ten', 'nine until Open', '', 'a', 'b'];

  expect(new Set(texts.map(digest)).size).toBe(texts.length);
  expect(digest('Open until nine')).toBe(digest(texts[0] ?? ''));
});

describe('of the writes of a memory', () => {
  const clock = virtualClock();

  function begin(context: WriteContext, place: { list: string; within?: string }, text = 'Hi'): OngoingWrite {
    const entries = { ...place, text, query: () => okAsync({ entries: [] }) };
    const lookup = { kind: 'entry', idOf: () => undefined, toValue: () => undefined, entries } as const;
    return beginWrite(context, lookup, 600_000);
  }
  const fresh = (): WriteContext => pageContext({ clock, memory: createWriteMemory() });

  test('the writer of an entry is one of its list and text, as long as nobody knows its id', () => {
    const context = fresh();
    const lost = begin(context, { list: 'feed' });
    const other = begin(context, { list: 'feed' });
    begin(context, { list: 'another' });
    const writer = (text: string) =>
      writerOf(context, lost.write, { id: '1', text, createdAt: clock.monotonic() });

    expect(writer('Hi')).toBe(other.write);
    expect(writer('Ho')).toBeUndefined();
    other.end();
    expect(writer('Hi')).toBe(other.write);
    other.end('2');
    expect(writer('Hi')).toBeUndefined();
  });

  test('rivals are those of its list, and of the larger one that holds it', () => {
    const context = fresh();
    const post = begin(context, { list: 'feed' }).write;
    const photo = begin(context, { list: 'photos', within: 'feed' }).write;
    begin(context, { list: 'another' });
    begin(context, { list: 'feed' }, 'Ho');

    expect(rivalsOf(context, photo)).toEqual([post]);
    expect(rivalsOf(context, post)).toEqual([]);
  });

  test('those that ended ten minutes ago are forgotten, also behind one in flight', () => {
    const time = virtualClock();
    const context = pageContext({ clock: time, memory: createWriteMemory() });
    const hung = begin(context, { list: 'feed' }).write;
    begin(context, { list: 'feed' }).end('1');
    time.advance(memoryMs);
    const last = begin(context, { list: 'feed' }).write;

    expect([...context.memory.writes]).toEqual([hung, last]);
  });

  test('rivals are those of other versions of the platform, too', () => {
    const memory = createWriteMemory();
    const at = (graphVersion: string) => pageContext({ clock, memory, graphVersion });
    const older = begin(at('v24.0'), { list: 'feed' }).write;

    expect(rivalsOf(at('v25.0'), begin(at('v25.0'), { list: 'feed' }).write)).toEqual([older]);
  });

  test('one can have made what was created while it ran, by a clock that may be off by some seconds', () => {
    const timeAt = (instant: number) => ({ earliest: instant - 100, latest: instant + 100 });
    const write = { ...begin(fresh(), { list: 'feed' }).write, startedAt: 1_000_000, endedAt: 1_010_000 };
    const first = write.startedAt - 100 - createdOffMs;
    const last = write.endedAt + 100 + createdOffMs;
    const made = (id: string | undefined, createdAt: number) =>
      canHaveMade({ ...write, id }, createdAt, timeAt);

    expect([first - 1, first, last, last + 1].map((time) => made('1', time))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    // One that was lost may take effect later.
    expect([first - 1, first, last + 1].map((time) => made(undefined, time))).toEqual([false, true, true]);
    expect(made('1', NaN)).toBe(true);
  });
});
