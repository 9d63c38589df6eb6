import { err, errAsync, okAsync, ResultAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { ApiError, RateLimitError, type RequestFailure, TransportError } from '../../../src/core/errors.ts';
import { startPolling, type StatusRequest } from '../../../src/core/http/polling.ts';
import { pageContext, virtualClock, newCall } from '../../support/context.ts';

interface Status {
  readonly state: 'working' | 'done';
}

const working: Status = { state: 'working' };
const done: Status = { state: 'done' };
const flaky = new ApiError('No such object', { code: 100, subcode: 33, category: 'not_found' });
const dead = new ApiError('Token expired', { code: 190, category: 'auth' });
const limited = (ms?: number) => new RateLimitError('Slow down', { category: 'rate_limit' }, ms);

/** One lookup: what comes of it, and how long it takes. */
type Lookup = Status | RequestFailure | readonly [Status | RequestFailure, number];

function setUp(
  lookups: readonly Lookup[],
  waitTimeoutMs = 300_000,
  more: { deadlineMs?: number; pausesFirst?: boolean } = {},
) {
  const clock = virtualClock();
  const begun = clock.now();
  const requests: StatusRequest[] = [];
  const times: number[] = [];
  const polling = startPolling<Status>(pageContext({ clock }), {
    ...newCall(),
    waitTimeoutMs,
    pausesFirst: more.pausesFirst,
    deadline: begun + (more.deadlineMs ?? Infinity),
    readStatus: (request) => {
      times.push(clock.now() - begun);
      requests.push(request);
      const lookup = lookups[Math.min(times.length, lookups.length) - 1] ?? done;
      const [outcome, ms] = Array.isArray(lookup)
        ? (lookup as readonly [Status | RequestFailure, number])
        : [lookup as Status, 0];
      clock.advance(Math.min(ms, (request.deadline ?? Infinity) - clock.now()));
      return 'state' in outcome ? okAsync(outcome) : errAsync(outcome);
    },
    isPending: ({ state }) => state === 'working',
  });
  return { clock, polling, requests, times, elapsed: () => clock.now() - begun };
}

describe('the polling of a wait', () => {
  test('ends with the first status that is not pending', async () => {
    const { polling, times } = setUp([working, working, done]);

    expect((await polling.poll())._unsafeUnwrap()).toEqual({ isTimeUp: false, status: done });
    expect(times).toEqual([0, 1000, 2500]);
  });

  test('looks ever more rarely, and for the last time when the time is up', async () => {
    const { polling, times, clock } = setUp([working], 200_000);

    expect((await polling.poll())._unsafeUnwrap()).toEqual({ isTimeUp: true, status: working });
    expect(times.at(-1)).toBe(200_000);
    expect(clock.slept.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
    expect(Math.max(...clock.slept)).toBe(30_000);
  });

  test.each([
    [0, [0]],
    [500, [0, 500]],
  ])('is over after its %i ms, with a status that it remembers', async (waitTimeoutMs, expected) => {
    const { polling, times } = setUp([working], waitTimeoutMs);

    expect((await polling.poll())._unsafeUnwrap()).toEqual({ isTimeUp: true, status: working });
    expect((await polling.poll())._unsafeUnwrap()).toEqual({ isTimeUp: true, status: working });
    expect(times).toEqual(expected);
  });

  test('can be gone back to, within the same time', async () => {
    const { polling, times } = setUp([done, done, done, done, done], 10_000, { pausesFirst: true });

    for (const leastPauseMs of [undefined, 0, 5000])
      expect((await polling.poll(leastPauseMs)).isOk()).toBe(true);
    expect(times).toEqual([1000, 2500, 7500]);
    expect((await polling.poll())._unsafeUnwrap()).toEqual({ isTimeUp: false, status: done });
    expect((await polling.poll())._unsafeUnwrap()).toEqual({ isTimeUp: true, status: done });
    expect(times).toEqual([1000, 2500, 7500, 10_000]);
  });

  test('asks for one attempt of a status lookup, which has the time that is left, but 5 seconds at least', async () => {
    const { polling, requests, clock, times } = setUp([working], 8000);
    const begun = clock.now();

    await polling.poll();

    expect(requests.map(({ attempts, purpose }) => [attempts, purpose])).toEqual(
      times.map(() => [1, 'status']),
    );
    expect(times).toEqual([0, 1000, 2500, 4750, 8000]);
    expect(requests.map(({ deadline }) => deadline - begun)).toEqual([8000, 8000, 8000, 9750, 13_000]);
  });

  test.each([
    ['the first lookup hangs', [[flaky, 1e9]], 5000],
    ['a later lookup hangs', [working, working, [flaky, 1e9]], 7500],
    ['each lookup is slow', [[working, 4000]], 9000],
  ] as const)('takes hardly longer than 5 seconds when %s', async (_, lookups, expected) => {
    const { polling, elapsed } = setUp(lookups, 5000);

    await polling.poll();

    expect(elapsed()).toBe(expected);
  });

  test('goes on after any number of failed lookups', async () => {
    const lost = new TransportError('timeout', 'too late');
    const { polling } = setUp([flaky, flaky, lost, flaky, flaky, lost, done]);

    expect((await polling.poll())._unsafeUnwrap()).toEqual({ isTimeUp: false, status: done });
  });

  test('ends with the last failure when no lookup ever succeeded', async () => {
    const { polling, elapsed } = setUp([new ApiError('other'), flaky], 60_000);

    expect((await polling.poll())._unsafeUnwrapErr()).toBe(flaky);
    expect(elapsed()).toBe(60_000);
  });

  test('ends with the last status when one lookup succeeded', async () => {
    const { polling } = setUp([flaky, working, flaky], 60_000);

    expect((await polling.poll())._unsafeUnwrap()).toEqual({ isTimeUp: true, status: working });
  });

  test.each([dead, new TransportError('aborted', 'aborted'), new TransportError('closed', 'closed')])(
    'ends at once with what cannot pass: $message',
    async (failure) => {
      const { polling, times } = setUp([working, failure]);

      expect((await polling.poll())._unsafeUnwrapErr()).toBe(failure);
      expect(times).toEqual([0, 1000]);
    },
  );

  test('waits as long as a rate limit asks, where that much time is left', async () => {
    const { polling, times } = setUp([limited(90_000), limited(), done], 100_000);

    expect((await polling.poll()).isOk()).toBe(true);
    expect(times).toEqual([0, 90_000, 91_500]);
  });

  test.each([
    [60_000, { waitTimeoutMs: 60_000 }, true],
    [60_001, { waitTimeoutMs: 60_000 }, false],
    [1, { waitTimeoutMs: 0 }, false],
    [40_000, { waitTimeoutMs: 60_000, deadlineMs: 30_000 }, false],
  ])('asked for %i ms under %j, it waits: %j', async (ms, { waitTimeoutMs, ...more }, isWaited) => {
    const { polling, clock } = setUp([limited(ms), done], waitTimeoutMs, more);
    const polled = await polling.poll();

    expect(polled.isOk()).toBe(isWaited);
    expect(clock.slept).toEqual(isWaited ? [ms] : []);
  });

  test('begins nothing that would go beyond the deadline of the call', async () => {
    const { polling, clock } = setUp([working], 60_000, { deadlineMs: 3000 });

    expect((await polling.poll())._unsafeUnwrap()).toEqual({ isTimeUp: true, status: working });
    expect(clock.slept).toEqual([1000, 1500]);
  });

  test('knows no status where the deadline leaves no time for a lookup', async () => {
    const { polling, times } = setUp([working], 60_000, { deadlineMs: 1000, pausesFirst: true });

    expect((await polling.poll())._unsafeUnwrap()).toEqual({ isTimeUp: true, status: undefined });
    expect(times).toEqual([]);
  });

  test('ends at once when it is aborted during a pause', async () => {
    const abort = new AbortController();
    const clock = { ...virtualClock(), sleep: () => new Promise<void>(() => abort.abort()) };
    const { poll } = startPolling<Status>(pageContext({ clock }), {
      ...newCall(),
      waitTimeoutMs: 60_000,
      signal: abort.signal,
      readStatus: () => new ResultAsync(Promise.resolve(err(flaky))),
      isPending: () => true,
    });

    expect((await poll())._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', reason: 'aborted' });
  });
});
