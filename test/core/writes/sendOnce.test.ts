import { errAsync, okAsync } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import { close } from '../../../src/core/client.ts';
import type { Context } from '../../../src/core/context.ts';
import { TransportError } from '../../../src/core/errors.ts';
import { POST } from '../../../src/core/http/methods.ts';
import type { RetryPolicy } from '../../../src/core/http/retry.ts';
import type { Governor } from '../../../src/core/http/types.ts';
import {
  type EffectLookup,
  type EntryLookup,
  type ObjectLookup,
  queryEntries,
  toListed,
} from '../../../src/core/writes/lookups.ts';
import type { WriteMemory } from '../../../src/core/writes/memory.ts';
import { lookUpEffect, sendOnce } from '../../../src/core/writes/sendOnce.ts';
import { type Created, createdSchema } from '../../../src/models/fields.ts';
import { picsContext, platform, virtualClock, newCall } from '../../support/context.ts';
import { fc, runs } from '../../support/property.ts';
import { json, networkFailure, refusal, type Step, text } from '../stub.ts';

interface Post {
  readonly id: string;
  readonly message: string;
  readonly at: number;
  /** When the list shows it. */
  readonly shownAt: number;
}

/** What becomes of one write at the platform: whether it is done, and what the caller gets. */
interface Fate {
  readonly isDone?: boolean;
  readonly response?: Step;
  /** Milliseconds of the platform's time before it is done. */
  readonly afterMs?: number;
  /** Milliseconds before the list shows it. */
  readonly lagMs?: number;
}

interface WorldOptions {
  /** Milliseconds that the platform's clock is ahead. */
  readonly skewMs?: number;
  readonly retry?: Partial<RetryPolicy>;
  readonly deadlineMs?: number;
  readonly tellsDate?: boolean;
  /** Milliseconds that the `Date` of responses is ahead of the platform's clock, as that of a proxy. */
  readonly dateAheadMs?: number;
  readonly memory?: WriteMemory;
  readonly governor?: Governor;
}

const lost = networkFailure('ECONNRESET');
let messages = 0;

/** A platform with a list of posts and a clock of its own. */
function createWorld({
  skewMs = 0,
  retry,
  deadlineMs = Infinity,
  tellsDate = true,
  dateAheadMs = 0,
  memory,
  governor,
}: WorldOptions = {}) {
  const virtual = virtualClock(Date.UTC(2026, 0, 2) + 350);
  const clock = {
    ...virtual,
    // Requests in flight proceed while a call sleeps.
    sleep: async (ms: number, signal?: AbortSignal) => {
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      await virtual.sleep(ms, signal);
    },
  };
  const posts: Post[] = [];
  const fates: Fate[] = [];
  /** What each write made, by its order. */
  const madeBy: (string | undefined)[] = [];
  const looks: Step[] = [];
  const onLook = vi.fn<() => void>();
  let lookCount = 0;
  let writeCount = 0;

  const now = (): number => clock.now() + skewMs;
  function add(message: string, at = now(), lagMs = 0): string {
    const id = `42_${posts.length + 1}`;
    posts.push({ id, message, at, shownAt: at + lagMs });
    return id;
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = input as Request;
    const headers: Record<string, string> = tellsDate
      ? { date: new Date(now() + dateAheadMs).toUTCString() }
      : {};
    if (request.method === 'GET') {
      lookCount++;
      onLook();
      const step = looks.shift();
      if (step) return step(request, init?.signal);
      const data = posts
        .filter(({ shownAt }) => shownAt <= now())
        .map(({ id, message, at }) => ({
          id,
          message,
          created_time: `${new Date(at).toISOString().slice(0, 19)}+0000`,
        }));
      return json({ data: data.toReversed() }, 200, headers)(request, init?.signal);
    }
    const form = new URLSearchParams(await request.text());
    const message = form.get('message') ?? '';
    // Calls that are made at once may arrive in any order: `n` says which one this is.
    const index = Number(form.get('n') ?? writeCount);
    writeCount++;
    const fate = fates[index] ?? {};
    clock.advance(fate.afterMs ?? 0);
    const id = (fate.isDone ?? true) ? add(message, now(), fate.lagMs) : undefined;
    madeBy[index] = id;
    return (fate.response ?? json({ id }, 200, headers))(request, init?.signal);
  };

  // Without a secret nothing is signed, and the requests go out in the order of the calls.
  const context = picsContext({
    appSecret: '',
    platform: { picsGraphUrl: platform.graphUrl },
    fetch,
    clock,
    deadlineMs,
    // The only limit of real time. A request that hangs does so while a thousand others are sent.
    timeoutMs: 600_000,
    memory,
    governor,
    retry: { baseDelayMs: 500, jitter: 'none', attempts: 3, ...retry },
  });
  return {
    clock,
    context,
    posts,
    fates,
    madeBy,
    looks,
    onLook,
    add,
    now,
    lookCount: () => lookCount,
    writeCount: () => writeCount,
    newMessage: () => `message ${++messages}`,
  };
}

const asCreated = { idOf: ({ id }: Created) => id, toValue: (id: string): Created => ({ id }) };

function lookupOf(
  context: Context,
  message: string,
  signal?: AbortSignal,
  resource?: string,
): EffectLookup<Created> {
  const request = { ...newCall(), path: '42/published_posts', token: 'page-token', signal };
  const entries: EntryLookup<Created>['entries'] = {
    list: '42/feed',
    text: message,
    query: (limits) =>
      queryEntries(context, { ...request, ...limits, query: { limit: 25 } }).map((posts) => ({
        entries: posts.map((post) => toListed(post, 'created_time', post['message'])),
      })),
  };
  const ids = { container_id: 'c1' };
  return resource === undefined
    ? { kind: 'entry', ...asCreated, entries, ids }
    : { kind: 'object', ...asCreated, entries, ids, resource, state: () => okAsync({ isDone: true }) };
}

function publish(context: Context, message: string, signal?: AbortSignal, n?: number) {
  return sendOnce(
    context,
    {
      ...newCall(context),
      method: POST,
      path: '42/feed',
      token: 'page-token',
      form: { message, n },
      schema: createdSchema,
      signal,
    },
    lookupOf(context, message, signal),
  );
}

describe('a write that gets a response', () => {
  test('returns its response without a look', async () => {
    const world = createWorld();

    expect((await publish(world.context, world.newMessage()))._unsafeUnwrap()).toEqual({ id: '42_1' });
    expect(world.lookCount()).toBe(0);
  });

  test.each([
    ['a refusal', refusal(190, { status: 401 })],
    ['success: false', json({ success: false })],
  ])('with %s was not done: nobody looks', async (_, response) => {
    const world = createWorld();
    world.fates.push(...Array.from({ length: 3 }, () => ({ isDone: false, response })));

    const error = (await publish(world.context, world.newMessage()))._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'rejected', payload: { container_id: 'c1' } });
    expect(world.lookCount()).toBe(0);
  });

  test('with a limit is sent again', async () => {
    const world = createWorld();
    world.fates.push(
      { isDone: false, response: refusal(4) },
      { isDone: false, response: refusal(32, { status: 403 }) },
    );

    expect((await publish(world.context, world.newMessage()))._unsafeUnwrap()).toEqual({ id: '42_1' });
    expect(world.writeCount()).toBe(3);
  });
});

const unclear: readonly (readonly [string, Step])[] = [
  ['is lost', lost],
  // Of a `fetch` of the caller's, nobody knows whose connection was refused.
  ['is lost, and something was refused', networkFailure('ECONNREFUSED')],
  ['is a 502', text('Bad Gateway', 502)],
  ['is a 500 with a refusal in it', refusal(190, { status: 500 })],
  ['is transient', refusal(2)],
  ['is suspected spam', refusal(4, { subcode: 2207051, status: 403 })],
  ['is empty', text('')],
  ['is HTML', text('<h1>OK</h1>')],
  ['is cut', text('{"id":"42_')],
  ['has no id', json({})],
  ['has an odd id', json({ id: { a: 1 } })],
  ['is an error at 200', json({ error: { code: 100, message: 'No' } })],
  ['is a redirect', text('', 302, { location: 'https://graph.test/' })],
  ['is a bare 403', text('', 403)],
];

describe.each(unclear)('a write whose response %s', (_, response) => {
  test('is never sent again, and found if it was done', async () => {
    const world = createWorld();
    world.fates.push({ response });

    expect((await publish(world.context, world.newMessage()))._unsafeUnwrap()).toEqual({ id: '42_1' });
    expect(world.writeCount()).toBe(1);
    expect(world.clock.slept).toEqual([500]);
  });

  test('says that it is unknown where it is not found', async () => {
    const world = createWorld();
    world.fates.push({ isDone: false, response });

    const error = (await publish(world.context, world.newMessage()))._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'unknown', payload: { container_id: 'c1' } });
    expect(world.writeCount()).toBe(1);
    expect(world.clock.slept).toEqual([500, 1000, 2000, 4000]);
  });
});

describe('looks', () => {
  test('are repeated while the list lags', async () => {
    const world = createWorld();
    world.fates.push({ response: lost, lagMs: 3000 });

    expect((await publish(world.context, world.newMessage()))._unsafeUnwrap()).toEqual({ id: '42_1' });
    expect(world.clock.slept).toEqual([500, 1000, 2000]);
  });

  test('may fail, and are one attempt each', async () => {
    const world = createWorld();
    world.fates.push({ response: lost });
    world.looks.push(lost, text('<h1>', 200), json({ data: {} }));

    expect((await publish(world.context, world.newMessage()))._unsafeUnwrap()).toEqual({ id: '42_1' });
    expect(world.lookCount()).toBe(4);
  });

  test('that all fail leave it unknown', async () => {
    const world = createWorld();
    world.fates.push({ response: lost });
    world.looks.push(lost, lost, lost, lost);

    const error = (await publish(world.context, world.newMessage()))._unsafeUnwrapErr();
    expect(error).toMatchObject({ name: 'TransportError', reason: 'network', outcome: 'unknown' });
  });

  test('end with the deadline', async () => {
    const world = createWorld({ deadlineMs: 1600 });
    world.fates.push({ isDone: false, response: lost });

    const error = (await publish(world.context, world.newMessage()))._unsafeUnwrapErr();

    expect(error.outcome).toBe('unknown');
    expect(world.clock.slept).toEqual([500, 1000]);
  });

  test('end with the signal, and with the context', async () => {
    for (const end of ['abort', 'close']) {
      const world = createWorld();
      const controller = new AbortController();
      world.fates.push({ isDone: false, response: lost });
      world.onLook.mockImplementation(() => {
        if (end === 'abort') controller.abort();
        else close(world.context)._unsafeUnwrap();
      });

      const error = (await publish(world.context, world.newMessage(), controller.signal))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'TransportError',
        outcome: 'unknown',
        payload: { container_id: 'c1' },
      });
      expect(world.lookCount()).toBe(1);
    }
  });

  test('are not taken for a call that was aborted', async () => {
    const world = createWorld();
    const controller = new AbortController();
    world.fates.push({
      response: () => {
        controller.abort();
        return new Promise(() => undefined);
      },
    });

    const error = (await publish(world.context, world.newMessage(), controller.signal))._unsafeUnwrapErr();

    expect(error).toMatchObject({ reason: 'aborted', outcome: 'unknown' });
    expect(error.message).toMatch(/its outcome is unknown: it was not looked up$/);
    expect(world.lookCount()).toBe(0);
  });

  test('are not taken where the policy repeats writes', async () => {
    const world = createWorld({ retry: { onceOnly: false } });
    world.fates.push({ response: text('', 502) }, {}, { response: lost });

    expect((await publish(world.context, world.newMessage()))._unsafeUnwrap()).toEqual({ id: '42_2' });
    expect((await publish(world.context, world.newMessage()))._unsafeUnwrapErr().outcome).toBe('unknown');
    expect(world.lookCount()).toBe(0);
  });

  test('that show the effect but not its id say so', async () => {
    const world = createWorld();
    world.fates.push({ response: lost });
    const state = vi
      .fn<ObjectLookup<Created>['state']>()
      .mockReturnValueOnce(okAsync({ isDone: true }))
      .mockReturnValue(errAsync(new TransportError('network', 'gone')));
    const query = () => okAsync({ entries: [] });

    const error = (
      await sendOnce(
        world.context,
        { ...newCall(), method: POST, path: '42/feed', schema: createdSchema },
        { kind: 'object', ...asCreated, state, entries: { list: 'list', query }, ids: { video_id: 'v' } },
      )
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'applied', payload: { video_id: 'v' } });
    expect(state).toHaveBeenCalledTimes(4);
  });
});

describe('the message of an unknown write says why', () => {
  const lose = async (lookup: (world: ReturnType<typeof createWorld>) => EffectLookup<Created>) => {
    const world = createWorld();
    world.fates.push({ isDone: false, response: lost });
    const request = { ...newCall(), method: POST, path: '42/feed', schema: createdSchema };
    const sent = await sendOnce(world.context, { ...request, form: { message: 'c' } }, lookup(world));
    return sent._unsafeUnwrapErr();
  };
  const listing = (texts: readonly string[]) => (world: ReturnType<typeof createWorld>) => {
    const entries = texts.map((text, at) => ({ id: `${at}`, createdAt: world.now() + 1000, text }));
    const query = () => okAsync({ entries });
    return { kind: 'entry' as const, ...asCreated, entries: { list: 'l', text: 'c', query } };
  };

  test.each<[string, Parameters<typeof lose>[0], unknown]>([
    ['no list shows it', () => ({ kind: 'none', ...asCreated }), undefined],
    ['not found in the list of feed (0 read)', ({ context }) => lookupOf(context, 'c'), undefined],
    [
      'the list of l could not be read',
      () => ({
        ...listing([])(createWorld()),
        entries: { list: 'l', text: 'c', query: () => errAsync(new TransportError('network', 'gone')) },
      }),
      undefined,
    ],
    [
      'not found in the list of media (0 read)',
      // The list of an account that is named by its token.
      (world) => {
        const lookup = listing([])(world);
        return { ...lookup, entries: { ...lookup.entries, list: 'IGto/ken/media' } };
      },
      undefined,
    ],
  ])('%s', async (why, lookup, candidates) => {
    const error = await lose(lookup);

    expect(error.message).toContain(why);
    expect(error).toMatchObject({ outcome: 'unknown' });
    expect(Object(error.payload)).not.toHaveProperty('candidates');
    expect(candidates).toBeUndefined();
  });

  test('with the candidates in its payload', async () => {
    const world = createWorld();
    const message = world.newMessage();
    world.fates.push({ response: lost, afterMs: 300 });
    world.onLook.mockImplementationOnce(() => void world.add(message));

    const error = (await publish(world.context, message))._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'unknown', payload: { candidates: ['42_2', '42_1'] } });
    expect(error.message).toContain('2 candidates');
  });
});

describe('an entry of the same content', () => {
  describe.each([0, 60_000, -60_000, 3_600_000])('with the platform %i ms ahead', (skewMs) => {
    test('that is older is not taken, whether or not the write was done', async () => {
      for (const isDone of [true, false]) {
        const world = createWorld({ skewMs });
        const message = world.newMessage();
        world.add(message, world.now() - 3000);
        world.fates.push({ isDone, response: lost });

        const post = await publish(world.context, message);

        expect(post.isOk() ? post.value.id : post.error.outcome).toBe(isDone ? '42_2' : 'unknown');
      }
    });

    test('that is as new leaves it unknown', async () => {
      const world = createWorld({ skewMs });
      const message = world.newMessage();
      world.fates.push({ response: lost, afterMs: 300 });
      world.onLook.mockImplementationOnce(() => void world.add(message));

      expect((await publish(world.context, message))._unsafeUnwrapErr().outcome).toBe('unknown');
    });
  });

  test('that was made while a refused write waited is not taken', async () => {
    const world = createWorld();
    const message = world.newMessage();
    world.fates.push(
      { isDone: false, response: refusal(4, { headers: { 'retry-after': '50' } }) },
      { isDone: false, response: lost },
    );
    world.add(message, world.now() + 20_000);

    const post = await publish(world.context, message);

    expect(post._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    expect(world.writeCount()).toBe(2);
  });

  test('is not taken where the platform never told its clock', async () => {
    const world = createWorld({ tellsDate: false });
    world.fates.push({ response: lost });

    expect((await publish(world.context, world.newMessage()))._unsafeUnwrapErr().outcome).toBe('unknown');
  });

  test.each([
    ['an hour ahead: its post is a candidate', 3_600_000],
    ['an hour behind: its post is found, beside one that was there before', -3_600_000],
  ])('under a `Date` of %s', async (_, dateAheadMs) => {
    const world = createWorld({ dateAheadMs });
    const message = world.newMessage();
    world.add(message, world.now() - 600_000);
    world.fates.push({ response: lost });

    const result = await publish(world.context, message);

    if (dateAheadMs < 0) expect(result._unsafeUnwrap()).toEqual({ id: '42_2' });
    else
      expect(result._unsafeUnwrapErr()).toMatchObject({
        outcome: 'unknown',
        payload: { candidates: ['42_2'] },
      });
  });

  test('without a readable time is not taken', async () => {
    const world = createWorld();
    const message = world.newMessage();
    world.fates.push({ isDone: false, response: lost });
    const odd = json({
      data: [
        { id: '1', message },
        { id: '2', message, created_time: 'soon' },
        { id: '3', message, created_time: {} },
      ],
    });
    world.looks.push(odd, odd, odd, odd);

    expect((await publish(world.context, message)).isErr()).toBe(true);
  });
});

describe('equal writes of one process', () => {
  test('all lost: each is done, none gets the id of another', async () => {
    const world = createWorld();
    const message = world.newMessage();
    world.fates.push(...Array.from({ length: 6 }, () => ({ response: lost })));

    const results = await Promise.all(
      Array.from({ length: 6 }, (_, n) => publish(world.context, message, undefined, n)),
    );

    expect(world.posts).toHaveLength(6);
    // A call that ends before another begins knows its own post; the others cannot.
    for (const [n, result] of results.entries()) {
      if (result.isOk()) expect(result.value.id).toBe(world.madeBy[n]);
      else expect(result.error.outcome).toBe('unknown');
    }
    expect(results.filter((result) => result.isErr()).length).toBeGreaterThan(1);
  });

  test('one lost: it gets what is left', async () => {
    for (let index = 0; index < 6; index++) {
      const world = createWorld();
      const message = world.newMessage();
      world.fates[index] = { response: lost };

      const results = await Promise.all(
        Array.from({ length: 6 }, (_, n) => publish(world.context, message, undefined, n)),
      );

      expect(results.map((result) => result._unsafeUnwrap().id)).toEqual(world.madeBy);
    }
  });

  test('two lost, one after the other: the second gets what the first one did not', async () => {
    const world = createWorld();
    const message = world.newMessage();
    world.fates.push({ response: lost }, { response: lost });

    expect((await publish(world.context, message))._unsafeUnwrap()).toEqual({ id: '42_1' });
    expect((await publish(world.context, message))._unsafeUnwrap()).toEqual({ id: '42_2' });
  });

  test("one lost, while another is still under way: it takes nothing that may be the other's", async () => {
    const world = createWorld();
    const message = world.newMessage();
    const response = Promise.withResolvers<Response>();
    world.fates.push({ response: () => response.promise }, { isDone: false, response: lost });

    const pending = publish(world.context, message);
    await expect.poll(world.writeCount).toBe(1);
    expect((await publish(world.context, message))._unsafeUnwrapErr().outcome).toBe('unknown');
    response.resolve(Response.json({ id: '42_1' }));

    expect((await pending)._unsafeUnwrap()).toEqual({ id: '42_1' });
  });

  test('a rival that begins after the write and ends before the look is told by its id', async () => {
    const world = createWorld();
    const message = world.newMessage();
    world.fates.push({ isDone: false, response: lost });

    const first = publish(world.context, message);
    await expect.poll(world.writeCount).toBe(1);
    const second = await publish(world.context, message);

    expect(second._unsafeUnwrap()).toEqual({ id: '42_1' });
    expect((await first).isErr()).toBe(true);
  });

  test('a refused one is no rival', async () => {
    const world = createWorld();
    const message = world.newMessage();
    world.fates.push({ isDone: false, response: refusal(190) }, { response: lost });

    expect((await publish(world.context, message)).isErr()).toBe(true);
    expect((await publish(world.context, message))._unsafeUnwrap()).toEqual({ id: '42_1' });
  });

  test('one that was never found is a rival for ten minutes: it may land late', async () => {
    for (const [minutes, found] of [
      [9, false],
      [11, true],
    ] as const) {
      const world = createWorld();
      const message = world.newMessage();
      world.fates.push({ isDone: false, response: lost }, { response: lost });
      expect((await publish(world.context, message)).isErr()).toBe(true);

      world.clock.advance(minutes * 60_000);

      expect((await publish(world.context, message)).isOk()).toBe(found);
    }
  });

  test.each([
    [19, false],
    [21, true],
  ])(
    'one in flight is a rival until ten minutes after its time limit: %i minutes',
    async (minutes, isOver) => {
      const world = createWorld();
      const message = world.newMessage();
      const response = Promise.withResolvers<Response>();
      world.fates.push(
        { isDone: false, response: () => response.promise },
        { isDone: false, response: lost },
      );
      const first = publish(world.context, message);
      await expect.poll(world.writeCount).toBe(1);
      world.clock.advance(minutes * 60_000);
      world.onLook.mockImplementationOnce(() => void world.add(message));

      const second = await publish(world.context, message);
      response.resolve(Response.json({ id: '42_1' }));

      expect((await first)._unsafeUnwrap()).toEqual({ id: '42_1' });
      expect(second.isOk()).toBe(isOver);
    },
  );

  test('one that was held for long before it was sent, as by a governor, is a rival', async () => {
    const letting = Promise.withResolvers<void>();
    const hold = vi.fn<() => Promise<void>>(async () => undefined).mockReturnValueOnce(letting.promise);
    const governor: Governor = {
      govern:
        (attemptOnce) =>
        async (...attempt) => {
          await hold();
          return attemptOnce(...attempt);
        },
      limits: () => Promise.reject(new Error('nobody asks')),
    };
    const world = createWorld({ governor });
    const message = world.newMessage();
    const first = publish(world.context, message);
    await expect.poll(() => hold.mock.calls.length).toBe(1);
    world.clock.advance(21 * 60_000);
    expect((await publish(world.context, world.newMessage())).isOk()).toBe(true);
    const response = Promise.withResolvers<Response>();
    world.fates[1] = { isDone: false, response: () => response.promise };
    world.fates[2] = { isDone: false, response: lost };
    letting.resolve();
    await expect.poll(world.writeCount).toBe(2);
    world.onLook.mockImplementationOnce(() => void world.add(message));

    const second = await publish(world.context, message);
    response.resolve(Response.json({ id: world.posts.at(-1)?.id }));

    expect((await first).isOk()).toBe(true);
    expect(second._unsafeUnwrapErr().outcome).toBe('unknown');
  });

  test('one that is under way is a rival, however many others there are', { tags: 'long' }, async () => {
    const world = createWorld();
    const message = world.newMessage();
    const response = Promise.withResolvers<Response>();
    world.fates.push({ isDone: false, response: () => response.promise });
    const first = publish(world.context, message);
    await expect.poll(world.writeCount).toBe(1);
    for (let other = 0; other < 1500; other++) await publish(world.context, world.newMessage());
    world.fates[world.writeCount()] = { isDone: false, response: lost };
    world.onLook.mockImplementationOnce(() => void world.add(message));

    const second = await publish(world.context, message);
    response.resolve(Response.json({ id: world.posts.at(-1)?.id }));

    expect((await first).isOk()).toBe(true);
    expect(second._unsafeUnwrapErr().outcome).toBe('unknown');
  });

  test(
    'never get an id that is not their own, whatever is lost and however the list lags',
    { tags: 'long' },
    async () => {
      const fate = fc.record({
        isDone: fc.boolean(),
        kind: fc.constantFrom('fine', 'lost', '502', 'limit'),
        afterMs: fc.integer({ min: 0, max: 1500 }),
        lagMs: fc.constantFrom(0, 0, 700, 3000, 20_000),
        startMs: fc.constantFrom(0, 0, 400, 2500),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fate, { minLength: 1, maxLength: 7 }),
          fc.integer({ min: -90_000, max: 90_000 }),
          async (fates, skewMs) => {
            const world = createWorld({ skewMs });
            const message = world.newMessage();
            const calls = fates.map(async ({ kind, isDone, startMs, ...times }, index) => {
              if (startMs > 0) {
                await new Promise((resolve) => setImmediate(resolve));
                world.clock.advance(startMs);
              }
              const made: Fate =
                kind === 'fine'
                  ? { ...times }
                  : kind === 'limit'
                    ? { isDone: false, response: refusal(4) }
                    : { ...times, isDone, response: kind === 'lost' ? lost : text('', 502) };
              world.fates[index] = made;
              return publish(world.context, message, undefined, index);
            });
            const results = await Promise.all(calls);

            for (const [index, result] of results.entries()) {
              if (result.isOk()) expect(result.value.id).toBe(world.madeBy[index]);
              else if (result.error.outcome === 'rejected') expect(world.madeBy[index]).toBeUndefined();
              else expect(result.error.outcome).toBe('unknown');
            }
          },
        ),
        { numRuns: runs(500) },
      );
    },
  );
});

describe('a query of its own', () => {
  type Query = EntryLookup<Created>['entries']['query'];

  /** Loses a write in the world, and looks it up with the query. */
  function lose(
    { context, fates }: ReturnType<typeof createWorld>,
    query: Query,
    place: Partial<EntryLookup<Created>['entries']> = { text: 'c' },
  ) {
    fates.push({ response: lost });
    const request = {
      ...newCall(),
      method: POST,
      path: '42/feed',
      form: { message: 'c' },
      schema: createdSchema,
    };
    return sendOnce(context, request, {
      kind: 'entry',
      ...asCreated,
      entries: { list: '42/feed', query, ...place },
    });
  }

  test('gets five seconds each time, and less at the end: all lookups take ten more than their pauses', async () => {
    const world = createWorld();
    const startedAt = world.clock.monotonic();
    const limits: object[] = [];
    const query: Query = ({ deadline, attempts }) => {
      limits.push({ deadline: deadline - startedAt, attempts });
      world.clock.advance(5000);
      return errAsync(new TransportError('timeout', 'No response'));
    };

    expect((await lose(world, query)).isErr()).toBe(true);

    expect(limits).toEqual([5500, 10_500, 15_500, 17_500].map((deadline) => ({ deadline, attempts: 1 })));
  });

  test('for an object that no list shows is made once', async () => {
    const world = createWorld();
    world.fates.push({ response: lost });
    const state = vi.fn<ObjectLookup<Created>['state']>(() => okAsync({ isDone: true }));
    const request = { ...newCall(), method: POST, path: '42/feed', schema: createdSchema };
    const sent = await sendOnce(world.context, request, { kind: 'object', ...asCreated, state });

    const error = sent._unsafeUnwrapErr();
    expect(error.outcome).toBe('applied');
    // Who reads the message alone must not send it again.
    expect(error.message).toMatch(/; it took effect all the same, and its id is not known$/);
    expect(state).toHaveBeenCalledTimes(1);
  });

  test('for what nothing tells from others is not made', async () => {
    const query = vi.fn<Query>(() => okAsync({ entries: [] }));

    const error = (await lose(createWorld(), query, {}))._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'unknown' });
    expect(error.message).toContain('no list shows it');
    expect(query).not.toHaveBeenCalled();
  });

  test('that shows an id of the write is believed, whatever the platform tells of times', async () => {
    const query: Query = () => okAsync({ entries: [{ id: '7', createdAt: NaN, isOwn: true }] });

    const made = await lose(createWorld({ tellsDate: false }), query, { carries: true });

    expect(made._unsafeUnwrap()).toEqual({ id: '7' });
  });
});

describe('lookUpEffect', () => {
  /** A world whose clock is known, and the platform's time. */
  async function createKnownWorld() {
    const world = createWorld();
    await publish(world.context, world.newMessage());
    const at = (time: number) => ({ earliest: time, latest: time });
    return { ...world, at, since: at(world.now()) };
  }

  test('finds what was made since, alone in fitting', async () => {
    const { context, clock, add, since, newMessage } = await createKnownWorld();
    const message = newMessage();
    add(message, since.earliest - 5000);
    clock.advance(5000);
    const id = add(message);
    clock.advance(3_600_000);

    const lookup = lookupOf(context, message, undefined, 'container 1');
    const other = lookupOf(context, message, undefined, 'container 2');

    expect((await lookUpEffect(context, lookup, since))._unsafeUnwrap()).toBe(id);
    expect((await lookUpEffect(context, lookup, since))._unsafeUnwrap()).toBe(id);
    expect((await lookUpEffect(context, other, since))._unsafeUnwrap()).toBeUndefined();
  });

  test('tells apart that nothing matches and that several do', async () => {
    const { context, add, since, newMessage } = await createKnownWorld();
    const message = newMessage();
    const lookup = lookupOf(context, message);

    expect((await lookUpEffect(context, lookup, since))._unsafeUnwrap()).toBeUndefined();
    add(message);
    add(message);
    expect((await lookUpEffect(context, lookup, since))._unsafeUnwrap()).toBeUndefined();
  });

  test('needs no Date header where the instant is known', async () => {
    const world = createWorld({ tellsDate: false });
    const message = world.newMessage();
    const id = world.add(message);
    const since = { earliest: world.now(), latest: world.now() };

    const match = await lookUpEffect(world.context, lookupOf(world.context, message), since);

    expect(match._unsafeUnwrap()).toBe(id);
  });

  test('takes nothing that is older by the local clock than the platform’s seems to allow', async () => {
    const { context, clock, add, since, newMessage } = await createKnownWorld();
    const halfAnHourMs = 1_800_000;
    const message = newMessage();
    add(message, since.earliest - 600_000);
    const slow = {
      earliest: since.earliest - halfAnHourMs,
      latest: since.latest - halfAnHourMs,
      local: since.earliest,
    };
    const lookUp = () => lookUpEffect(context, lookupOf(context, message, undefined, 'container 1'), slow);
    expect((await lookUp())._unsafeUnwrap()).toBeUndefined();
    clock.advance(5000);
    const id = add(message);

    expect((await lookUp())._unsafeUnwrap()).toBe(id);
  });

  test('at once for two that see one entry does not give it to both', async () => {
    const { context, add, since, newMessage } = await createKnownWorld();
    const message = newMessage();
    add(message);

    const found = await Promise.all(
      ['1', '2'].map((resource) =>
        lookUpEffect(context, lookupOf(context, message, undefined, resource), since),
      ),
    );

    expect(found.filter((match) => match._unsafeUnwrap() !== undefined).length).toBeLessThan(2);
  });

  test('remembers what it found: an equal write made later gets another entry', async () => {
    const { context, clock, add, at, now, since, newMessage } = await createKnownWorld();
    const message = newMessage();
    const first = add(message);
    const lookUp = (resource: string, from: typeof since) =>
      lookUpEffect(context, lookupOf(context, message, undefined, resource), from);
    expect((await lookUp('1', since))._unsafeUnwrap()).toBe(first);
    clock.advance(1000);
    const later = at(now());
    const second = add(message);

    expect((await lookUp('2', later))._unsafeUnwrap()).toBe(second);
  });

  test('that finds nothing leaves what is made later to others', async () => {
    const { context, add, since, newMessage } = await createKnownWorld();
    const message = newMessage();
    const lookUp = (resource: string) =>
      lookUpEffect(context, lookupOf(context, message, undefined, resource), since);
    expect((await lookUp('1'))._unsafeUnwrap()).toBeUndefined();
    const id = add(message);

    expect((await lookUp('2'))._unsafeUnwrap()).toBe(id);
  });

  test('fails as its query does, in one attempt', async () => {
    const { context, since, looks, newMessage, lookCount } = await createKnownWorld();
    looks.push(lost);

    expect((await lookUpEffect(context, lookupOf(context, newMessage()), since)).isErr()).toBe(true);
    expect(lookCount()).toBe(1);
  });
});
