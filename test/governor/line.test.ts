// Who waits for whom: the calls ahead in line hold those behind only where the limit that they share has no room.
import type { ResultAsync } from 'neverthrow';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { close } from '../../src/core/client.ts';
import { withOptions } from '../../src/core/context.ts';
import type { RateLimitError } from '../../src/core/errors.ts';
import { get } from '../../src/core/lowLevel/request.ts';
import { createGovernor, type GovernorOptions } from '../../src/governor/index.ts';
import { conversations } from '../../src/page/inbox.ts';
import { publishPost } from '../../src/page/posts.ts';
import { json, refusal, stubFetch } from '../core/stub.ts';
import { pageContext, token } from '../support/context.ts';
import { handClock } from './support.ts';

const minute = 60_000;

afterEach(() => void vi.restoreAllMocks());

/** A platform where objects are used to some percent; the app to 2 %, if it is told. */
function openPlatform(options: GovernorOptions = {}, app: { percent: number } | null = { percent: 2 }) {
  const used: Record<string, number> = { 17: 100, 18: 1 };
  const served: string[] = [];
  const clock = handClock();
  const held: RateLimitError[] = [];
  /** Paths and tokens that a proxy refuses, with the seconds that it names. */
  const refused = new Map<string, number>();
  const fetch = stubFetch((request, init) => {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace(/^\/v[\d.]+\//, '');
    served.push(path);
    const seconds = refused.get(`${path} ${searchParams.get('access_token')}`);
    if (seconds !== undefined) return json({}, 429, { 'retry-after': `${seconds}` })(request, init);
    const id = /^1\d/.exec(path)?.[0] ?? '18';
    const isFull = (used[id] ?? 0) >= 100;
    const usage = {
      type: 'pages',
      call_count: used[id],
      total_cputime: 1,
      total_time: 1,
      estimated_time_to_regain_access: isFull ? 20 : 0,
    };
    const headers = {
      'x-business-use-case-usage': JSON.stringify({ [id]: [usage] }),
      ...(app && { 'x-app-usage': JSON.stringify({ call_count: app.percent }) }),
    };
    return (isFull ? refusal(80001, { headers }) : json({ id, data: [] }, 200, headers))(request, init);
  });
  const governor = createGovernor({
    maxWaitMs: 25 * minute,
    onHold: (error) => void held.push(error),
    ...options,
  });
  const make = () =>
    pageContext({ fetch, clock, governor, retry: { attempts: 1 }, deadlineMs: 300 * minute });
  const context = make();
  return { context, make, clock, served, used, held, refused, app };
}

/** Lets a call go as far as it can while the clock stands. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
};

/** What became of a call after as many milliseconds at most. */
async function outcomeOf<T, E>(
  call: ResultAsync<T, E>,
  clock: ReturnType<typeof handClock>,
  ms = 0,
): Promise<string> {
  let outcome = 'held';
  void call.match(
    () => (outcome = 'ok'),
    (error) => (outcome = String(error)),
  );
  await settled();
  for (let passed = 0; passed < ms && outcome === 'held'; passed += 10) {
    clock.advance(10);
    await settled();
  }
  return outcome;
}

describe('a call that waits for its own account', () => {
  test.each(['read', 'publish'] as const)('as a %s, holds no call to another account', async (lane) => {
    const { context, make, clock, served, held } = openPlatform();
    const own = withOptions(context, { lane })._unsafeUnwrap();
    await get(own, '18/posts', { token });
    await get(own, '17/posts', { token });
    const waiting = get(own, '17/posts', { token });
    await settled();
    expect(held).toMatchObject([{ limit: { kind: 'pages', id: '17' }, retryAfterMs: 20 * minute }]);

    // With the same token, another one, in another context, to read and to publish.
    const others: ResultAsync<unknown, unknown>[] = [
      get(context, '18/posts', { token }),
      get(context, '18/posts', { token: 'another' }),
      get(make(), '18/posts', { token }),
      publishPost(context, { pageId: '18', pageToken: token, message: 'Hello' }),
    ];
    for (const call of others) expect(await outcomeOf(call, clock)).toBe('ok');
    expect(held).toHaveLength(1);
    expect(served.filter((path) => path.startsWith('18'))).toHaveLength(5);

    close(context);
    expect((await waiting)._unsafeUnwrapErr()).toMatchObject({ reason: 'closed' });
  });

  test('is sent when that has room, though others went before it all the time', async () => {
    const { context, clock, used, served } = openPlatform();
    await get(context, '17/posts', { token });
    const waiting = get(context, '17/posts', { token });
    await settled();
    used[17] = 3;
    for (let minutes = 0; minutes < 20; minutes++) {
      expect(await outcomeOf(get(context, '18/posts', { token }), clock)).toBe('ok');
      clock.advance(minute);
      await settled();
    }

    expect(await outcomeOf(waiting, clock, 2000)).toBe('ok');
    expect(served.filter((path) => path.startsWith('17'))).toHaveLength(2);
  });

  test('holds nobody in the limit of the app either, once that has room again', async () => {
    const { context, clock, app, served } = openPlatform({ maxWaitMs: 120 * minute });
    await get(context, '17/posts', { token });
    if (app) app.percent = 80;
    await get(context, '18/posts', { token });
    const waiting = get(context, '17/posts', { token });
    const behind = get(context, '18/posts', { token });
    await settled();
    expect(served).toHaveLength(2);

    // Its lane has no share: nobody waits for it. Its response says that there is room again.
    if (app) app.percent = 3;
    const urgent = withOptions(context, { lane: 'publish' })._unsafeUnwrap();
    await get(urgent, '18/posts', { token });

    expect(await outcomeOf(behind, clock, 1500)).toBe('ok');
    close(context);
    expect((await waiting).isErr()).toBe(true);
  });
});

test.each([0, 1])('a proxy that refuses a function for one token holds no other call (%i)', async (app) => {
  const { context, clock, refused, held } = openPlatform({}, app ? { percent: 2 } : null);
  refused.set(`18/posts ${token}`, 600);
  await get(context, '18/me', { token });
  await get(context, '18/posts', { token });
  const waiting = get(context, '18/posts', { token });
  await settled();
  expect(held).toMatchObject([{ limit: { kind: 'http_429' }, retryAfterMs: 600_000 }]);

  for (const call of [
    get(context, '18/comments', { token }),
    get(context, '18/posts', { token: 'another' }),
    get(context, '19/photos', { token }),
  ])
    expect(await outcomeOf(call, clock)).toBe('ok');
  // What the proxy refuses waits, and says for what.
  const last = get(context, '18/posts', { token });
  expect(await outcomeOf(last, clock)).toBe('held');
  expect(held.at(-1)).toMatchObject({ limit: { kind: 'http_429' }, retryAfterMs: 600_000 });
  close(context);
  expect([(await waiting).isErr(), (await last).isErr()]).toEqual([true, true]);
});

describe('a call that is held behind others', () => {
  test('says how many, and when there is room after them', async () => {
    const { context, clock, app, held } = openPlatform({ maxWaitMs: 120 * minute });
    if (app) app.percent = 74;
    const hasty = withOptions(context, { deadlineMs: 5 * minute })._unsafeUnwrap();
    await get(context, '18/posts', { token });
    clock.advance(10);
    const large = get(context, '/', {
      token,
      params: { ids: Array.from({ length: 40 }, (_, id) => id).join() },
    });
    await settled();
    expect(await outcomeOf(large, clock)).toBe('held');
    expect(held).toMatchObject([{ limit: { kind: 'app', percent: 74 } }]);

    // One call more leaves 75 % at once.
    if (app) app.percent = 60;
    const urgent = withOptions(context, { lane: 'publish' })._unsafeUnwrap();
    await get(urgent, '18/posts', { token });
    const small = get(hasty, '18/posts', { token });
    await settled();
    const behind = held.at(-1);
    expect(behind).toMatchObject({ limit: { kind: 'app', percent: 60 } });
    expect(behind?.message).toMatch(/, nor 1 ahead in line$/);
    expect(behind?.retryAfterMs).toBeGreaterThan(minute);
    close(context);
    expect([(await large).isErr(), (await small).isErr()]).toEqual([true, true]);
  });
});

test(
  '3,000 calls that wait ask seldom, and go in their order, 500 in a second',
  { tags: 'long' },
  async () => {
    const { context, clock, served, used } = openPlatform({}, null);
    await get(context, '17/posts', { token });
    const order: number[] = [];
    for (let call = 0; call < 3000; call++)
      void get(context, `17/posts?call=${call}`, { token }).map(() => order.push(call));
    await settled();
    let asked = 0;
    const { now } = clock;
    for (let ms = 0; ms < 10_000; ms += 10) {
      clock.advance(10);
      asked += clock.woken();
      await settled();
    }
    expect(asked).toBeLessThan(25_000);
    expect(order).toEqual([]);

    used[17] = 3;
    clock.advance(20 * minute - 10_000);
    await settled();
    const freeAt = now();
    while (order.length < 3000 && now() - freeAt < minute) {
      clock.advance(10);
      await settled();
    }
    expect(now() - freeAt).toBeLessThan(8000);
    expect(served).toHaveLength(3001);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  },
);

test('time in which the process stood still does not count as waiting', async () => {
  const clock = handClock();
  const answers: (() => void)[] = [];
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    await new Promise<void>((resolve) => void answers.push(resolve));
    return Response.json({ data: [] });
  });
  const context = pageContext({
    fetch,
    clock,
    governor: createGovernor({ maxWaitMs: 2000 }),
    timeoutMs: 30 * minute,
  });
  // Two a second.
  const reads = Array.from({ length: 3 }, () => conversations(context, { pageId: '17', pageToken: token }));
  await vi.waitFor(() => expect(answers).toHaveLength(2));

  clock.advance(10_000);
  await new Promise((resolve) => void setImmediate(resolve));
  for (const answer of answers.splice(0)) answer();
  await Promise.all(reads.slice(0, 2));
  clock.advance(1000);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  answers[0]?.();

  expect((await reads[2])?.isOk()).toBe(true);
  expect(fetch).toHaveBeenCalledTimes(3);
});
