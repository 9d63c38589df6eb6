import { afterEach, describe, expect, test, vi } from 'vitest';

import {
  type CallEvent,
  close,
  type ContextOptions,
  createJournal,
  type Journal,
  journalState,
  type JournalStore,
  memoryJournal,
  type TransportError,
  withOptions,
} from '../../../../src/core/index.ts';
import { createPageContext, type PageContext, publishPost, sendMessage } from '../../../../src/page/index.ts';
import { pageContext } from '../../../support/context.ts';
import { createWorld, leaseMs, settleMs, type World } from './support.ts';

afterEach(() => {
  vi.useRealTimers();
});

const idempotencyKey = 'job-1';
const message = 'A text that nobody may read';

function optionsOf({ page }: World) {
  return { pageId: page.id, pageToken: page.token, message, idempotencyKey };
}

/** A store whose operations are those of a memory, but for those given. */
function storeWith(changed: (memory: Journal) => Partial<Journal>): Journal {
  const memory = memoryJournal();
  return createJournal({
    get: (...key) => memory.get(...key),
    compareAndSet: (...replacement) => memory.compareAndSet(...replacement),
    ...changed(memory),
  });
}

/** The texts of a store, by key. */
function spied(): { readonly store: Journal; readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const store = storeWith((memory) => ({
    compareAndSet: async (key, expected, value, ttlMs) => {
      const isStored = await memory.compareAndSet(key, expected, value, ttlMs);
      if (isStored) texts.set(key, value);
      return isStored;
    },
  }));
  return { store, texts };
}

test.each([
  ['three times: claim, lock and record, owner and value', true, true, ['one', 'all', 'all']],
  ['three times where no list shows its like', true, false, ['one', 'one', 'all']],
  ['that replaces one text at a time five times', false, true, ['one', 'one', 'one', 'one', 'one']],
  ['that does so four times where no list shows its like', false, false, ['one', 'one', 'one', 'one']],
] as const)('a publish asks a store %s', async (_, isWhole, published, trips) => {
  const memory = memoryJournal();
  const asked: string[] = [];
  const counted = createJournal({
    get: (...key) => (asked.push('get'), memory.get(...key)),
    compareAndSet: (...replacement) => (asked.push('one'), memory.compareAndSet(...replacement)),
    ...(isWhole && {
      compareAndSetAll: async (...all) => (asked.push('all'), memory.compareAndSetAll?.(...all) ?? false),
    }),
  });
  const world = createWorld();
  const { context } = world.start(Infinity, { journal: counted });

  expect((await publishPost(context, { ...optionsOf(world), published })).isOk()).toBe(true);
  expect(asked).toEqual(trips);
});

test('what a copy of a journal does at each replacement, such as to wait for a replica, is done at each', async () => {
  const journal = memoryJournal();
  const seen = new Map<string, string>();
  const copy: Journal = {
    ...journal,
    compareAndSet: async (key, expected, value, ...rest) => {
      const isStored = await journal.compareAndSet(key, expected, value, ...rest);
      if (isStored) seen.set(key, value);
      return isStored;
    },
  };
  const world = createWorld();
  const { context } = world.start(Infinity, { journal: copy });

  expect((await publishPost(context, optionsOf(world))).isOk()).toBe(true);
  const query = { prefix: '', without: '\0', now: world.sandbox.now() };
  expect(new Map(await Array.fromAsync(journal.list?.(query) ?? []))).toEqual(seen);
});

describe('a key', () => {
  test.each(['', 'x'.repeat(256), 7, '\uD800', 'a\0b', {}])('is refused if it is %j', async (bad) => {
    const world = createWorld();
    const error = (
      await publishPost(world.start().context, { ...optionsOf(world), idempotencyKey: bad as string })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'idempotencyKey' });
    expect(world.sandbox.requests).toEqual([]);
  });

  test('is refused without a journal in the context, so that nobody trusts what is not there', async () => {
    const error = (
      await publishPost(pageContext(), { pageId: '42', pageToken: 't', message, idempotencyKey })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ConfigurationError',
      option: 'idempotencyKey',
      message: 'idempotencyKey needs a journal in the context',
    });
  });

  test('may have 255 characters', async () => {
    const world = createWorld();
    const post = await publishPost(world.start().context, {
      ...optionsOf(world),
      idempotencyKey: '🔑'.repeat(127) + 'x',
    });
    expect(post.isOk()).toBe(true);
  });

  test('gives what it has published, in any process and without a request', async () => {
    const world = createWorld();
    const post = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrap();
    const requests = world.sandbox.requests.length;

    const again = await publishPost(world.start().context, { ...optionsOf(world), pageToken: 'dead' });

    expect(again._unsafeUnwrap()).toEqual({ id: post.id });
    expect(world.sandbox.requests.length).toBe(requests);
  });

  test.each([
    ['text', { message: 'Another' }],
    ['Page', { pageId: '77' }],
    ['link', { link: 'https://example.com/?a=1' }],
    ['flag', { published: true }],
  ])('is refused with another %s', async (_, change) => {
    const world = createWorld();
    await publishPost(world.start().context, optionsOf(world));
    const requests = world.sandbox.requests.length;

    const error = (
      await publishPost(world.start().context, { ...optionsOf(world), ...change })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'idempotencyKey' });
    expect(world.sandbox.requests.length).toBe(requests);
  });

  test('begins anew after a refusal, with corrected content too', async () => {
    const world = createWorld();
    world.sandbox.fault({ path: '/feed', error: { code: 100, message: 'No' }, status: 400 });
    const refused = await publishPost(world.start().context, optionsOf(world));
    expect(refused._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', code: 100, outcome: 'rejected' });
    expect((await journalState(world.start().context, idempotencyKey))._unsafeUnwrap()).toMatchObject({
      state: 'rejected',
    });

    const post = await publishPost(world.start().context, { ...optionsOf(world), message: 'Corrected' });

    expect(post._unsafeUnwrap().id).toBe(world.sandbox.effects('post')[0]?.id);
  });

  test('finds what a lost response had made, by the lookups of its own call', async () => {
    const world = createWorld();
    world.sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });

    const post = await publishPost(world.start().context, optionsOf(world));

    expect(post._unsafeUnwrap().id).toBe(world.sandbox.effects('post')[0]?.id);
  });

  test('sends a lost request again once it has settled, and not before', async () => {
    const world = createWorld();
    world.sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    expect((await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr()).toMatchObject({
      outcome: 'unknown',
    });

    const early = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr();
    expect(early).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
    expect('retryAfterMs' in early && early.retryAfterMs).toBeLessThanOrEqual(settleMs);
    expect(world.sandbox.effects('post')).toEqual([]);

    world.sandbox.advance(settleMs);
    const post = await publishPost(world.start().context, optionsOf(world));
    expect(post._unsafeUnwrap().id).toBe(world.sandbox.effects('post')[0]?.id);
  });

  test('never takes what another key has published for its own', async () => {
    const world = createWorld();
    world.sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    await publishPost(world.start().context, { ...optionsOf(world), idempotencyKey: 'b' });
    const early = await publishPost(world.start().context, { ...optionsOf(world), idempotencyKey: 'a' });
    expect(early._unsafeUnwrapErr()).toMatchObject({ reason: 'busy' });
    world.sandbox.advance(settleMs);
    const a = await publishPost(world.start().context, { ...optionsOf(world), idempotencyKey: 'a' });
    const b = await publishPost(world.start().context, { ...optionsOf(world), idempotencyKey: 'b' });

    expect(a.isOk() && b.isOk()).toBe(true);
    expect(new Set([a, b].map((post) => post._unsafeUnwrap().id)).size).toBe(2);
    expect(world.sandbox.effects('post').length).toBe(2);
  });

  test.each(['before', 'after'] as const)(
    'is found or sent again where its request was lost %s its effect, and many posts came since',
    async (when) => {
      const world = createWorld();
      const { sandbox, page } = world;
      sandbox.fault({ method: 'POST', path: '/feed', when, drop: true });
      sandbox.fault({ method: 'GET', path: '/published_posts', status: 503, times: 4 });
      await publishPost(world.start().context, optionsOf(world));
      // What a person posts before the request is over could be it, whatever it says.
      if (when === 'before') sandbox.advance(settleMs);
      for (let post = 0; post < 130; post++) sandbox.addPost({ pageId: page.id, message: `Post ${post}` });
      sandbox.advance(settleMs);

      const post = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrap();

      expect([post]).toEqual(sandbox.effects('post').map(({ id }) => ({ id })));
    },
  );

  test('stays unknown where more posts came since than are read', async () => {
    const world = createWorld();
    const { sandbox, page } = world;
    sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    await publishPost(world.start().context, optionsOf(world));
    for (let post = 0; post < 501; post++) sandbox.addPost({ pageId: page.id, message: `Post ${post}` });
    sandbox.advance(settleMs);

    const error = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'unknown', retryAfterMs: undefined });
    expect(world.sandbox.effects('post')).toEqual([]);
  });

  test('stays unknown where more than one entry could be it, and where the lookup fails', async () => {
    const world = createWorld();
    world.sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    const { idempotencyKey: _, ...unkeyed } = optionsOf(world);
    await publishPost(world.start().context, optionsOf(world));
    await publishPost(world.start().context, unkeyed);
    await publishPost(world.start().context, unkeyed);
    world.sandbox.advance(settleMs);

    const ambiguous = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr();
    expect(ambiguous).toMatchObject({ outcome: 'unknown', retryAfterMs: undefined });

    world.sandbox.fault({ method: 'GET', path: '/published_posts', error: { code: 190 }, status: 400 });
    const blind = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr();
    expect(blind).toMatchObject({ name: 'ApiError', code: 190, outcome: 'unknown' });
    expect(world.sandbox.effects('post').length).toBe(2);
  });
});

describe('an entry', () => {
  test('holds no text, no token and no secret', async () => {
    const { store, texts } = spied();
    const world = createWorld(store);
    await publishPost(world.start().context, optionsOf(world));

    const all = JSON.stringify([...texts]);
    expect(texts.size).toBe(3);
    for (const secret of [message, world.page.token, world.sandbox.app.secret]) {
      expect(all).not.toContain(secret);
    }
  });

  test.each(['', 'null', '{}', '[]', '{"version":2,"digest":"a"}', '{"version":1}', '7'])(
    'that reads %j is never overwritten',
    async (text) => {
      const { store, texts } = spied();
      const world = createWorld(store);
      const { context } = world.start();
      const key = `pagepics ${new URL(world.sandbox.platform.graphUrl).origin} ${idempotencyKey}`;
      await store.compareAndSet(key, undefined, text, 1e6);

      const error = (await publishPost(context, optionsOf(world)))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'TransportError', reason: 'journal' });
      expect(texts.get(key)).toBe(text);
      expect(world.sandbox.requests).toEqual([]);
      expect((await journalState(context, idempotencyKey))._unsafeUnwrapErr()).toMatchObject({
        reason: 'journal',
      });
    },
  );

  test('is told to operators', async () => {
    const world = createWorld();
    const { context } = world.start();
    expect((await journalState(context, idempotencyKey))._unsafeUnwrap()).toBeUndefined();
    const post = (await publishPost(context, optionsOf(world)))._unsafeUnwrap();
    expect((await journalState(context, idempotencyKey))._unsafeUnwrap()).toMatchObject({
      state: 'published',
      ids: {},
      value: { id: post.id },
    });
    expect((await journalState(context, ''))._unsafeUnwrapErr()).toMatchObject({ option: 'idempotencyKey' });
    expect((await journalState(pageContext(), 'a'))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
    });
  });
});

describe('a store', () => {
  const faults: Readonly<Record<string, (memory: Journal) => Partial<Journal>>> = {
    'rejects a read': () => ({ get: () => Promise.reject(new Error('down')) }),
    throws: () => ({
      get: () => {
        throw new Error('down');
      },
    }),
    'rejects a write': () => ({ compareAndSet: () => Promise.reject(new Error('down')) }),
    'never responds to a read': () => ({ get: () => new Promise(() => undefined) }),
    'never responds to a write': () => ({ compareAndSet: () => new Promise(() => undefined) }),
    'reads nonsense': () => ({ get: async () => 7 as never }),
    'says nonsense of a write': () => ({ compareAndSet: async () => 'OK' as never }),
    'never stores': () => ({ compareAndSet: async () => false }),
  };

  test.each(Object.entries(faults))('that %s: nothing is sent', async (_, changed) => {
    let isSound = true;
    const world = createWorld(
      storeWith((memory) => {
        const faulty = { ...memory, ...changed(memory) };
        return {
          get: (key) => (isSound ? memory : faulty).get(key),
          compareAndSet: (...args) => (isSound ? memory : faulty).compareAndSet(...args),
        };
      }),
    );
    const { context } = world.start(Infinity, { timeoutMs: 20 });
    // A first call claims its key without reading.
    world.sandbox.fault({ path: '/feed', error: { code: 100 }, status: 400 });
    expect((await publishPost(context, optionsOf(world))).isErr()).toBe(true);
    const { length } = world.sandbox.requests;
    isSound = false;

    const error = (await publishPost(context, optionsOf(world)))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'journal', outcome: 'rejected' });
    expect(world.sandbox.requests.length).toBe(length);
  });

  test('that holds a key for a dead call says for how long', async () => {
    const world = createWorld(memoryJournal());
    const dead = world.start('before POST');
    expect(await Promise.race([publishPost(dead.context, optionsOf(world)), dead.death])).toBe('dead');
    world.sandbox.advance(1000);

    const error = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr();
    expect(error).toMatchObject({ reason: 'busy' });
    expect('retryAfterMs' in error && error.retryAfterMs).toBeGreaterThan(0);
    expect('retryAfterMs' in error && error.retryAfterMs).toBeLessThanOrEqual(leaseMs - 1000);
  });

  test('that reads `null` where there is nothing holds nothing', async () => {
    const world = createWorld(
      storeWith((memory) => ({
        ...memory,
        get: async (key) => (await memory.get(key)) ?? (null as unknown as undefined),
      })),
    );

    const state = await journalState(world.start().context, 'job-1');
    expect(state._unsafeUnwrap()).toBeUndefined();
  });

  test.each([
    ['its claim', 2, { reason: 'journal', outcome: 'rejected' }],
    ['the record of the publishing request', 4, undefined],
  ])('that loses %s, as Redis does under memory pressure, is told to have lost it', async (_, at, error) => {
    let memory = memoryJournal();
    let writes = 0;
    const world = createWorld({
      get: (key) => memory.get(key),
      compareAndSet: (...replacement) => {
        if (++writes === at) memory = memoryJournal();
        return memory.compareAndSet(...replacement);
      },
    });
    const onJournalError = vi.fn<(failure: TransportError) => void>();
    const { context } = world.start(Infinity, { onJournalError });

    const post = await publishPost(context, optionsOf(world));

    const lost = { message: 'the journal failed: it has lost the entry of this key' };
    if (error === undefined) {
      expect(post.isOk()).toBe(true);
      expect(onJournalError).toHaveBeenCalledWith(expect.objectContaining({ reason: 'journal', ...lost }));
    } else {
      expect(post._unsafeUnwrapErr()).toMatchObject({ ...error, ...lost });
      expect(world.sandbox.requests).toEqual([]);
    }
  });

  test('that stores but says it did not is believed', async () => {
    const world = createWorld(
      storeWith((memory) => ({
        compareAndSet: async (...args) => {
          await memory.compareAndSet(...args);
          return false;
        },
      })),
    );
    const post = await publishPost(world.start().context, optionsOf(world));
    expect(post.isOk()).toBe(true);
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'never responds',
      () => {
        setImmediate(() => vi.isFakeTimers() && vi.advanceTimersByTime(30_000));
        return new Promise<never>(() => undefined);
      },
    ],
  ])('that %s once the effect is there: the value is returned, and the error told', async (_, fail) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let writes = 0;
    const onJournalError = vi.fn<(error: Error) => void>(() => {
      throw new Error('the hook');
    });
    const world = createWorld(
      storeWith((memory) => ({
        compareAndSet: async (...args) => (++writes > 3 ? fail() : memory.compareAndSet(...args)),
      })),
    );

    const onCallStart = vi.fn<(event: CallEvent) => void>();
    const hooks = { onJournalError, onCallStart };
    const post = await publishPost(world.start(Infinity, hooks).context, optionsOf(world));

    expect(post._unsafeUnwrap().id).toBe(world.sandbox.effects('post')[0]?.id);
    // The value, and whose it is: each on its own.
    expect(onJournalError).toHaveBeenCalledTimes(2);
    const { callId } = onCallStart.mock.calls[0]?.[0] ?? {};
    for (const [error] of onJournalError.mock.calls) {
      expect(error).toMatchObject({ reason: 'journal', operation: 'publishPost', callId });
    }

    // The next call finds the effect, and sends nothing.
    world.sandbox.advance(leaseMs + 1);
    writes = -Infinity;
    const again = await publishPost(world.start().context, optionsOf(world));
    expect(again._unsafeUnwrap()).toEqual(post._unsafeUnwrap());
    expect(world.sandbox.effects('post').length).toBe(1);
  });

  test('that fails after a refusal: the refusal is returned as it was', async () => {
    let writes = 0;
    const onJournalError = vi.fn<() => void>();
    const world = createWorld(
      storeWith((memory) => ({
        compareAndSet: async (...args) =>
          ++writes > 3 ? Promise.reject(new Error('down')) : memory.compareAndSet(...args),
      })),
    );
    world.sandbox.fault({ path: '/feed', error: { code: 100, message: 'No' }, status: 400 });

    const error = (
      await publishPost(world.start(Infinity, { onJournalError }).context, optionsOf(world))
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 100, outcome: 'rejected' });
    expect(onJournalError).toHaveBeenCalledTimes(1);
  });
});

describe('a lease', () => {
  /** A world whose store takes its time over the n-th write, by the clock of the world. */
  function slowWorld(slow: number, lateMs: number, meanwhile = async () => undefined as unknown): World {
    let writes = 0;
    const world: World = createWorld(
      storeWith((memory) => ({
        compareAndSet: async (...args) => {
          if (++writes !== slow) return memory.compareAndSet(...args);
          const isStored = await memory.compareAndSet(...args);
          world.sandbox.advance(lateMs);
          await meanwhile();
          return isStored;
        },
      })),
    );
    return world;
  }

  test('that a slow write has used up stops the call before it sends', async () => {
    const world = slowWorld(3, leaseMs / 2);

    const error = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'busy', outcome: 'unknown' });
    expect('retryAfterMs' in error && error.retryAfterMs).toBeGreaterThan(0);
    expect(world.sandbox.requests).toEqual([]);
    expect((await publishPost(world.start().context, optionsOf(world))).isOk()).toBe(true);
  });

  test('that outlasts the deadline of its call sets no timer of less than nothing', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const world = slowWorld(2, 20_000);

    const call = await publishPost(world.start(Infinity, { deadlineMs: 10_000 }).context, optionsOf(world));

    expect(call.isErr()).toBe(true);
    expect(timers.mock.calls.filter(([, ms = 0]) => ms < 0)).toEqual([]);
    timers.mockRestore();
  });

  test('that another call has taken meanwhile is lost', async () => {
    let taken: unknown;
    const world = slowWorld(3, leaseMs + 1, async () => {
      taken = await publishPost(world.start().context, optionsOf(world));
    });

    const error = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr();

    expect(error).toMatchObject({ reason: 'busy', outcome: 'unknown' });
    // The other one saw the record of a request that may have left.
    expect(taken).toMatchObject({ error: { outcome: 'unknown' } });
    expect(world.sandbox.effects('post')).toEqual([]);
    world.sandbox.advance(settleMs);
    expect((await publishPost(world.start().context, optionsOf(world))).isOk()).toBe(true);
    expect(world.sandbox.effects('post').length).toBe(1);
  });

  test('is renewed while a request takes longer than it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    const world = createWorld();
    const held = Promise.withResolvers<void>();
    const options: ContextOptions = {
      clock: undefined,
      timeoutMs: 3 * leaseMs,
      fetch: async (input, init) => {
        const response = await world.sandbox.fetch(input, init);
        await held.promise;
        return response;
      },
    };
    const slow = publishPost(world.start(Infinity, options).context, optionsOf(world));
    await expect.poll(() => world.sandbox.effects('post').length).toBe(1);
    await vi.advanceTimersByTimeAsync(2 * leaseMs);

    const other = (
      await publishPost(world.start(Infinity, options).context, optionsOf(world))
    )._unsafeUnwrapErr();
    held.resolve();

    expect(other).toMatchObject({ reason: 'busy' });
    expect((await slow).isOk()).toBe(true);
    expect(world.sandbox.effects('post').length).toBe(1);
  });

  test('is renewed although the wall clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    const world = createWorld();
    let held = Promise.withResolvers<void>();
    const machine = (backMs: () => number): PageContext =>
      world.start(Infinity, {
        clock: {
          now: () => Date.now() - backMs(),
          monotonic: () => Date.now(),
          sleep: async () => undefined,
        },
        timeoutMs: 3 * leaseMs,
        fetch: async (input, init) => {
          const response = await world.sandbox.fetch(input, init);
          await held.promise;
          return response;
        },
      }).context;
    let backMs = 0;
    world.sandbox.fault({ method: 'POST', path: '/feed', error: { code: 4 }, status: 400 });
    const slow = publishPost(
      machine(() => backMs),
      optionsOf(world),
    );
    await expect.poll(() => world.sandbox.requests.length).toBe(1);
    await vi.advanceTimersByTimeAsync(leaseMs / 4 + 5000);
    // The last write of the call; then its clock is set back, no more than machines may differ by.
    held.resolve();
    held = Promise.withResolvers();
    await expect.poll(() => world.sandbox.effects('post').length).toBe(1);
    backMs = leaseMs / 2;
    await vi.advanceTimersByTimeAsync(leaseMs + 1);

    const other = await publishPost(
      machine(() => 0),
      optionsOf(world),
    );
    held.resolve();

    expect(other._unsafeUnwrapErr()).toMatchObject({ reason: 'busy' });
    expect((await slow).isOk()).toBe(true);
  });

  test.each([
    ['before an abort', 'abort'],
    ['after an abort', 'abort'],
    ['before the context is closed', 'close'],
    ['after the context is closed', 'close'],
  ])('is given up within five seconds where the store hangs %s', async (when, end) => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
    let isHung = false;
    const memory = memoryJournal();
    const hang = <T>(work: () => Promise<T>): Promise<T> => (isHung ? new Promise(() => undefined) : work());
    const journal = createJournal({
      get: (key) => hang(() => memory.get(key)),
      compareAndSet: (...args) => hang(() => memory.compareAndSet(...args)),
    });
    const world = createWorld();
    const controller = new AbortController();
    const stop = (): void => void (end === 'abort' ? controller.abort() : close(context));
    const { context } = world.start(Infinity, {
      journal,
      fetch: async (input, init) => {
        const response = await world.sandbox.fetch(input, init);
        isHung = true;
        if (when.startsWith('after')) stop();
        return response;
      },
    });
    let isDone = false;
    const call = publishPost(context, { ...optionsOf(world), signal: controller.signal });
    const done = call.then(() => {
      isDone = true;
    });
    await expect.poll(() => isHung).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
    stop();

    await vi.advanceTimersByTimeAsync(5000);

    expect(isDone).toBe(true);
    await done;
  });

  test('is let go after an abort, and after the end of the context', async () => {
    const world = createWorld();
    const hang = world.sandbox.fault({ method: 'POST', path: '/feed', hang: true, times: 2 });
    const controller = new AbortController();
    const aborted = publishPost(world.start().context, { ...optionsOf(world), signal: controller.signal });
    const { context } = world.start();
    const closed = publishPost(context, {
      ...optionsOf(world),
      message: 'Another',
      idempotencyKey: 'job-2',
    });
    await expect.poll(() => world.sandbox.requests.length).toBe(2);
    controller.abort();
    close(context);

    expect((await aborted)._unsafeUnwrapErr()).toMatchObject({ reason: 'aborted', outcome: 'unknown' });
    expect((await closed)._unsafeUnwrapErr()).toMatchObject({ reason: 'closed', outcome: 'unknown' });
    hang();
    for (const key of [idempotencyKey, 'job-2']) {
      const state = await journalState(world.start().context, key);
      expect(state._unsafeUnwrap()).toMatchObject({ state: 'sent', heldUntil: undefined });
    }
  });
});

describe('a context', () => {
  const app = { appId: 'a', appSecret: 'b' };

  test.each([
    ['journal', { journal: {} as Journal }],
    ['journal', { journal: 'redis://' as unknown as Journal }],
    ['journalLeaseMs', { journalLeaseMs: 0 }],
    // The timer of its renewal would fire each millisecond.
    ['journalLeaseMs', { journalLeaseMs: 24 * 86_400_000 + 1, journalSettleMs: 1e10, journalTtlMs: 1e11 }],
    ['journalLeaseMs', { journalLeaseMs: '1' as unknown as number }],
    ['journalSettleMs', { journal: memoryJournal(), journalSettleMs: 149_999 }],
    ['journalSettleMs', { journal: memoryJournal(), timeoutMs: 480_001 }],
    ['journalTtlMs', { journal: memoryJournal(), journalTtlMs: 600_000 }],
    ['onJournalError', { onJournalError: 1 as never }],
  ])('is refused with a bad %s', (option, bad) => {
    expect(createPageContext({ ...app, ...bad })._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });

  test.each([
    ['journalSettleMs', {}, 150_000],
    ['journalSettleMs', { journalLeaseMs: 500_000, timeoutMs: 1000 }, 501_000],
    ['journalTtlMs', {}, 600_001],
    ['journalTtlMs', { journalSettleMs: 700_000 }, 700_001],
  ])('says at once the bound that holds for %s beside %j', (option, beside, least) => {
    const made = (value: number) =>
      createPageContext({ ...app, journal: memoryJournal(), ...beside, [option]: value });

    for (const value of [-Infinity, -1, 0, 0.5, 1, least - 1, 1e15 + 1, Infinity, NaN]) {
      const { message } = made(value)._unsafeUnwrapErr();
      // What is no number is refused by its rule.
      const isNumber = value > -Infinity;
      expect(message).toBe(`${option} must be a number${isNumber ? ` from ${least} to ${1e15}` : ''}`);
    }
    expect(made(least).isOk()).toBe(true);
  });

  test('is refused with a store that createJournal has made no journal of, by type too', () => {
    const store: JournalStore = { get: async () => undefined, compareAndSet: async () => true };

    // @ts-expect-error: nothing works with it.
    expect(createPageContext({ ...app, journal: store })._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'journal',
      message: 'journal must be made by createJournal',
    });
    expect(createPageContext({ ...app, journal: createJournal(store) }).isOk()).toBe(true);
  });

  test('keeps its journal with other options, as far as the times leave room', async () => {
    const world = createWorld();
    const { context } = world.start();
    const quick = withOptions(context, { timeoutMs: 1000 })._unsafeUnwrap();
    expect((await publishPost(quick, optionsOf(world))).isOk()).toBe(true);
    expect(withOptions(context, { timeoutMs: 480_001 })._unsafeUnwrapErr()).toMatchObject({
      option: 'journalSettleMs',
    });
  });

  test('that is closed asks no store', async () => {
    const get = vi.fn<Journal['get']>();
    const world = createWorld(storeWith(() => ({ get })));
    const { context } = world.start();
    close(context);

    const error = (await publishPost(context, optionsOf(world)))._unsafeUnwrapErr();

    expect(error).toMatchObject({ reason: 'closed' });
    expect(get).not.toHaveBeenCalled();
  });
});

test('a key that stood still once it had its lock sends nothing after another key has taken that over', async () => {
  const frozen = Promise.withResolvers<void>();
  const thaw = Promise.withResolvers<void>();
  const writes: string[] = [];
  let isFreezing = false;
  const world = createWorld(memoryJournal(), {
    onPoint: async (point) => {
      if (!isFreezing || point !== 'after a write') return;
      writes.push(point);
      // Its claim; its lock with the record of the request, which fails; its lock alone.
      if (writes.length < 3) return;
      isFreezing = false;
      frozen.resolve();
      await thaw.promise;
    },
  });
  const { sandbox, page } = world;
  const call = (key: string) =>
    publishPost(world.start().context, {
      pageId: page.id,
      pageToken: page.token,
      message,
      idempotencyKey: key,
    });
  expect((await call('earlier')).isOk()).toBe(true);
  sandbox.advance(settleMs);
  isFreezing = true;
  const still = call('still');
  await frozen.promise;
  sandbox.advance(leaseMs + 1);

  expect((await call('other')).isOk()).toBe(true);
  thaw.resolve();

  expect((await still)._unsafeUnwrapErr()).toMatchObject({ reason: 'busy' });
  expect(sandbox.effects('post').length).toBe(2);
});

test('a call that only looks, since another one of its key is at work, sends nothing where that will', async () => {
  const looking = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let isFreezing = false;
  const world = createWorld(memoryJournal(), {
    onPoint: async (point) => {
      if (!isFreezing || !point.startsWith('after GET')) return;
      isFreezing = false;
      looking.resolve();
      await goOn.promise;
    },
  });
  const { sandbox, page } = world;
  const call = () =>
    sendMessage(world.start().context, {
      pageId: page.id,
      pageToken: page.token,
      recipientId: page.contacts[0]?.id ?? '',
      text: message,
      idempotencyKey,
    });
  sandbox.fault({ method: 'POST', path: '/messages', when: 'before', drop: true });
  expect((await call())._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  // By then, it is certain that nothing was sent.
  sandbox.advance(settleMs);
  isFreezing = true;
  const atWork = call();
  await looking.promise;

  expect((await call())._unsafeUnwrapErr()).toMatchObject({ reason: 'busy' });
  expect(sandbox.effects('message')).toEqual([]);
  goOn.resolve();

  expect((await atWork).isOk()).toBe(true);
  expect(sandbox.effects('message').length).toBe(1);
});
