import { describe, expect, test, vi } from 'vitest';

import { ApiError, RateLimitError, TransportError } from '../../../src/core/errors.ts';
import type { RetryEvent } from '../../../src/core/http/hooks.ts';
import { methodOf } from '../../../src/core/http/methods.ts';
import {
  afterRejection,
  afterResponse,
  backoff,
  defaultRetryPolicy,
  type FailedAttempt,
  retryDelay,
  type RetryState,
} from '../../../src/core/http/retry.ts';
import { send } from '../../../src/core/http/send.ts';
import { del, get, post, request } from '../../../src/core/lowLevel/request.ts';
import { createdSchema } from '../../../src/models/fields.ts';
import { pageContext, virtualClock, newCall } from '../../support/context.ts';
import { json, networkFailure, refusal, type Step, stubFetch, text } from '../stub.ts';

const rateLimitCodes = [
  4, 17, 32, 341, 613, 80000, 80001, 80002, 80003, 80004, 80005, 80006, 80008, 80009, 80014,
];
const statuses = [200, 400, 403, 429, 500];
const fine = json({ id: '1' });

/** After which failures a request may be sent again. */
const after = { anyFailure: undefined, response: afterResponse, rejection: afterRejection };

function write(context: ReturnType<typeof pageContext>, failures: keyof typeof after, method = 'POST') {
  return send(context, {
    ...newCall(),
    method: methodOf(method),
    path: '42/feed',
    mayRepeat: after[failures],
    schema: createdSchema,
  });
}

function noisy(...steps: readonly Step[]) {
  const fetch = stubFetch(...steps);
  const clock = virtualClock();
  return { fetch, clock, context: pageContext({ fetch, clock, retry: { baseDelayMs: 500 } }) };
}

describe('rate limits', () => {
  // The code decides, whatever the status: each code at one of them, and one code at each.
  test.each([
    ...rateLimitCodes.map((code, at) => [code, statuses[at % statuses.length] ?? 400] as const),
    ...statuses.map((status) => [4, status] as const),
  ])('code %i at HTTP %i is sent three times and ends as a RateLimitError', async (code, status) => {
    for (const failures of ['anyFailure', 'response', 'rejection'] as const) {
      const { fetch, context } = noisy(refusal(code, { status }));

      const error = (await write(context, failures))._unsafeUnwrapErr();

      expect(fetch).toHaveBeenCalledTimes(3);
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({
        name: 'RateLimitError',
        category: 'rate_limit',
        code,
        status,
        outcome: 'rejected',
      });
    }
  });

  test('a subcode of the ads or messaging limits changes nothing', async () => {
    for (const [code, subcode] of [
      [17, 2446079],
      [613, 1996],
      [613, 2534040],
      [80004, 2446079],
    ] as const) {
      const { fetch, context } = noisy(refusal(code, { subcode }));
      expect((await write(context, 'rejection'))._unsafeUnwrapErr().name).toBe('RateLimitError');
      expect(fetch).toHaveBeenCalledTimes(3);
    }
  });

  test.each([
    ['an empty body', text('', 429)],
    ['HTML', text('<h1>Too many</h1>', 429)],
    ['JSON without an error', json({}, 429)],
  ])('a 429 with %s is one', async (_, step) => {
    const { fetch, context } = noisy(step);

    const error = (await write(context, 'rejection'))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'RateLimitError', status: 429, outcome: 'rejected' });
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  test('suspected spam is none: it is not sent again, and a write may have been done', async () => {
    for (const status of [400, 403, 429, 500]) {
      const { fetch, context } = noisy(refusal(4, { subcode: 2207051, status }));

      const error = (await write(context, 'anyFailure'))._unsafeUnwrapErr();

      expect(fetch).toHaveBeenCalledTimes(1);
      expect(error).toMatchObject({ name: 'ApiError', category: 'policy', outcome: 'unknown' });
    }
  });

  test.each([
    ['the daily cap', 9, 2207042, 'quota'],
    ['a block', 368, undefined, 'policy'],
  ])('%s is none: it is not sent again', async (_, code, subcode, category) => {
    for (const status of [400, 403, 429]) {
      const { fetch, context } = noisy(refusal(code, { status, ...(subcode && { subcode }) }));

      const error = (await write(context, 'anyFailure'))._unsafeUnwrapErr();

      expect(fetch).toHaveBeenCalledTimes(1);
      expect(error).toMatchObject({ name: 'ApiError', category, outcome: 'rejected' });
    }
  });

  test('the response after a limit is the response', async () => {
    const { fetch, context } = noisy(refusal(4), refusal(17), fine);

    expect((await write(context, 'rejection'))._unsafeUnwrap()).toEqual({ id: '1' });
    expect(fetch).toHaveBeenCalledTimes(3);
  });
});

describe('passing faults', () => {
  test.each([1, 2, -1, -2])('code %i is sent again', async (code) => {
    const { fetch, context } = noisy(refusal(code), fine);

    expect((await write(context, 'anyFailure')).isOk()).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test('any code that is flagged as transient is sent again', async () => {
    const { fetch, context } = noisy(refusal(100, { flagged: true }), fine);

    expect((await write(context, 'anyFailure')).isOk()).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test.each([
    [1, 2207057],
    [-2, 2207020],
    [-1, 2207053],
  ])('code %i with subcode %i does not pass', async (code, subcode) => {
    const { fetch, context } = noisy(refusal(code, { subcode }));

    const error = (await write(context, 'anyFailure'))._unsafeUnwrapErr();

    expect(fetch).toHaveBeenCalledTimes(1);
    expect(error).toMatchObject({ category: 'media', transient: false, outcome: 'rejected' });
  });

  test.each([500, 502, 503, 504])('HTTP %i is sent again, whatever is in it', async (status) => {
    for (const step of [text('<h1>Bad</h1>', status), json({}, status), refusal(190, { status })]) {
      const { fetch, context } = noisy(step, fine);
      expect((await write(context, 'anyFailure')).isOk()).toBe(true);
      expect(fetch).toHaveBeenCalledTimes(2);
    }
  });

  test.each([400, 401, 403, 404, 408, 409, 425, 451, 499])(
    'HTTP %i without a code of the platform is, as a gateway may have sent it',
    async (status) => {
      for (const step of [text('<h1>No</h1>', status), json({ error: { message: 'No' } }, status)]) {
        const { fetch, context } = noisy(step, fine);
        expect((await write(context, 'anyFailure', 'GET')).isOk()).toBe(true);
        expect(fetch).toHaveBeenCalledTimes(2);

        const sent = noisy(step);
        const error = (await write(sent.context, 'rejection'))._unsafeUnwrapErr();
        expect(error.outcome).toBe('unknown');
        expect(sent.fetch).toHaveBeenCalledTimes(1);

        const few = stubFetch(step);
        expect(
          (await write(pageContext({ fetch: few, retry: { statuses: [429] } }), 'anyFailure', 'GET')).isErr(),
        ).toBe(true);
        expect(few).toHaveBeenCalledTimes(1);
      }
    },
  );

  test.each([408, 425, 499])('HTTP %i is, even with a code of the platform', async (status) => {
    for (const [code, subcode] of [
      [190, 0],
      [100, 0],
      [100, 33],
      [10, 2018278],
      [368, 0],
      [9, 2207042],
      [1, 0],
    ] as const) {
      const { fetch, context } = noisy(refusal(code, { subcode, status }), fine);

      expect((await write(context, 'anyFailure', 'GET')).isOk()).toBe(true);
      expect(fetch).toHaveBeenCalledTimes(2);
    }
  });

  test.each([301, 302, 307])('HTTP %i is not', async (status) => {
    const { fetch, context } = noisy(json({ error: { message: 'No' } }, status));

    expect((await write(context, 'anyFailure')).isErr()).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test.each([501, 505, 507, 520])(
    'HTTP %i without a code is not, unless the policy says so',
    async (status) => {
      const { fetch, context } = noisy(text('', status), fine);
      expect((await write(context, 'anyFailure')).isErr()).toBe(true);
      expect(fetch).toHaveBeenCalledTimes(1);

      const asked = stubFetch(text('', status), fine);
      const policy = { statuses: [status] };
      expect((await write(pageContext({ fetch: asked, retry: policy }), 'anyFailure')).isOk()).toBe(true);
    },
  );

  test('no status is where the policy names none; a code that passes still is', async () => {
    for (const [step, times] of [
      [text('', 500), 1],
      [text('', 429), 1],
      [refusal(190, { status: 500 }), 1],
      [refusal(98_765, { status: 503 }), 1],
      [refusal(2, { status: 500 }), 3],
      [refusal(4, { status: 403 }), 3],
      [refusal(98_765, { flagged: true }), 3],
    ] as const) {
      const fetch = stubFetch(step);
      await write(pageContext({ fetch, retry: { statuses: [] } }), 'anyFailure');
      expect(fetch).toHaveBeenCalledTimes(times);
    }
  });

  test('the statuses are those of the policy', async () => {
    const fetch = stubFetch(text('', 418), fine);
    const context = pageContext({ fetch, retry: { statuses: [418] } });

    expect((await write(context, 'anyFailure')).isOk()).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test('a response that does not fit is not asked for again', async () => {
    const { fetch, context } = noisy(json({ id: 7.5, x: [] }), fine);
    const other = noisy(json({}), fine);

    expect((await write(context, 'anyFailure')).isOk()).toBe(true);
    expect((await write(other.context, 'anyFailure')).isErr()).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(other.fetch).toHaveBeenCalledTimes(1);
  });
});

describe('what publishes', () => {
  test.each([
    ['a lost response', networkFailure('ECONNRESET')],
    ['a 502', text('Bad Gateway', 502)],
    ['a 503 with a refusal in it', refusal(190, { status: 503 })],
    ['a transient code', refusal(2)],
    ['an unreadable success', text('{"id":', 200)],
  ])('is not sent again after %s', async (_, step) => {
    const { fetch, context } = noisy(step, fine);

    const error = (await write(context, 'rejection'))._unsafeUnwrapErr();

    expect(error.outcome).toBe('unknown');
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('is sent again where the policy says so, but not after a lost response', async () => {
    for (const [step, times] of [
      [text('', 502), 2],
      [refusal(2), 2],
      [networkFailure(), 1],
    ] as const) {
      const fetch = stubFetch(step, fine);
      const context = pageContext({ fetch, retry: { onceOnly: false } });
      await write(context, 'rejection');
      expect(fetch).toHaveBeenCalledTimes(times);
    }
  });
});

describe('network failures', () => {
  test('are retried for GET and DELETE', async () => {
    for (const send of [get, del]) {
      const { fetch, context } = noisy(networkFailure());
      const error = (await send(context, '42'))._unsafeUnwrapErr();
      expect(fetch).toHaveBeenCalledTimes(3);
      expect(error).toMatchObject({
        name: 'TransportError',
        reason: 'network',
        outcome: send === get ? 'rejected' : 'unknown',
      });
    }
  });

  test('are not for POST, PUT and PATCH, since what was sent may have been done', async () => {
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      const { fetch, context } = noisy(networkFailure());
      const error = (await request(context, method, '42'))._unsafeUnwrapErr();
      expect(fetch).toHaveBeenCalledTimes(1);
      expect(error).toMatchObject({ reason: 'network', outcome: 'unknown' });
    }
  });

  test('say what the network said', async () => {
    const { context } = noisy(networkFailure('ECONNRESET', 'socket hang up'));

    const error = (await post(context, '42'))._unsafeUnwrapErr();

    expect(error.message).toContain('socket hang up');
    expect(error).toMatchObject({
      cause: { name: 'Error', code: 'ECONNRESET', message: 'socket hang up' },
    });
    expect(JSON.stringify(error)).toContain('"cause":{"name":"Error","code":"ECONNRESET"');
  });
});

describe('deletes', () => {
  test('are of unknown outcome when the platform knows no such node after a lost response', async () => {
    for (const first of [networkFailure(), text('', 502), refusal(2)]) {
      const { fetch, context } = noisy(first, refusal(100, { subcode: 33 }));

      const error = (await del(context, '42_1'))._unsafeUnwrapErr();

      // It is gone, or the token may not see it: the platform has one code for both.
      expect(error).toMatchObject({ category: 'not_found', outcome: 'unknown' });
      expect(fetch).toHaveBeenCalledTimes(2);
    }
  });

  test('fail when the node was not there at first', async () => {
    const { context } = noisy(refusal(4), refusal(100, { subcode: 33 }));

    const error = (await del(context, '42_1'))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category: 'not_found', outcome: 'rejected' });
  });

  test('do not take another refusal for success', async () => {
    const { context } = noisy(networkFailure(), refusal(190, { status: 401 }));

    const error = (await del(context, '42_1'))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category: 'auth', outcome: 'unknown' });
  });
});

describe('outcome', () => {
  test('stays unknown once an attempt may have been done', async () => {
    for (const last of [refusal(190), json({ success: false }), networkFailure()]) {
      const { context } = noisy(text('', 502), last);
      const error = (await write(context, 'anyFailure'))._unsafeUnwrapErr();
      expect(error.outcome).toBe('unknown');
    }
  });

  test('of a failed read is always rejected', async () => {
    for (const step of [networkFailure(), text('', 502), refusal(2), text('{'), json({})]) {
      const { context } = noisy(step);
      const error = (await write(context, 'anyFailure', 'GET'))._unsafeUnwrapErr();
      expect(error.outcome).toBe('rejected');
    }
  });

  test('of success: false is rejected', async () => {
    for (const success of [false, 'false']) {
      const { fetch, context } = noisy(json({ success, id: '1' }));
      const error = (await write(context, 'rejection'))._unsafeUnwrapErr();
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ outcome: 'rejected', payload: { success, id: '1' } });
      expect(fetch).toHaveBeenCalledTimes(1);
    }
  });
});

describe('waits', () => {
  async function waitsAfter(headers: Readonly<Record<string, string>>, options = {}) {
    const fetch = stubFetch(refusal(4, { headers }), fine);
    const clock = virtualClock();
    const context = pageContext({ fetch, clock, ...options });
    const result = await write(context, 'anyFailure');
    return { slept: clock.slept, result, fetch };
  }

  test('are as long as Retry-After says, in seconds or as a date', async () => {
    expect((await waitsAfter({ 'retry-after': '7' })).slept).toEqual([7000]);
    expect((await waitsAfter({ 'retry-after': '0.5' })).slept).toEqual([500]);
    expect((await waitsAfter({ 'retry-after': 'Fri, 02 Jan 2026 00:00:09 GMT' })).slept).toEqual([9000]);
  });

  test('are as long as the usage headers say, in minutes', async () => {
    const usage = JSON.stringify({
      17: [{ type: 'pages', call_count: 100, estimated_time_to_regain_access: 1 }],
    });

    expect((await waitsAfter({ 'x-business-use-case-usage': usage })).slept).toEqual([60_000]);
  });

  test('are the longer of both, and one equal to the cap is slept', async () => {
    const usage = JSON.stringify({ 17: [{ estimated_time_to_regain_access: 1 }] });
    const both = { 'x-business-use-case-usage': usage, 'retry-after': '30' };
    expect((await waitsAfter(both)).slept).toEqual([60_000]);
    expect((await waitsAfter({ ...both, 'retry-after': '60' })).slept).toEqual([60_000]);

    const long = { ...both, 'retry-after': '61' };
    const { slept, result, fetch } = await waitsAfter(long);
    expect(slept).toEqual([]);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(result._unsafeUnwrapErr()).toMatchObject({ name: 'RateLimitError', retryAfterMs: 61_000 });
    expect((await waitsAfter(long, { retry: { maxRetryAfterMs: 61_000 } })).slept).toEqual([61_000]);
  });

  test('beyond the cap are told by a passing fault too', async () => {
    const fetch = stubFetch(text('', 503, { 'retry-after': '61' }));

    const error = (await write(pageContext({ fetch }), 'anyFailure'))._unsafeUnwrapErr();

    expect(fetch).toHaveBeenCalledTimes(1);
    expect(error).toMatchObject({ name: 'ApiError', status: 503, retryAfterMs: 61_000 });
  });

  test('of another kind of use block no retry', async () => {
    const usage = JSON.stringify({
      17: [
        { type: 'messenger', call_count: 100, estimated_time_to_regain_access: 240 },
        { type: 'pages', call_count: 100, estimated_time_to_regain_access: 1 },
      ],
    });
    const headers = { 'x-business-use-case-usage': usage };

    for (const [step, slept] of [
      [refusal(80001, { headers }), [60_000]],
      [refusal(4, { headers }), [60_000]],
      [text('', 503, headers), [0]],
    ] as const) {
      const clock = virtualClock();
      const result = await write(pageContext({ fetch: stubFetch(step, fine), clock }), 'anyFailure');
      expect(result.isOk()).toBe(true);
      expect(clock.slept).toEqual(slept);
    }
  });

  test('of callers that are throttled together do not end together, nor too soon', async () => {
    const slept: number[] = [];
    for (let caller = 0; caller < 20; caller++) {
      const clock = virtualClock();
      const fetch = stubFetch(refusal(4, { headers: { 'retry-after': '7' } }), fine);
      await write(pageContext({ fetch, clock, retry: { baseDelayMs: 500 } }), 'anyFailure');
      slept.push(...clock.slept);
    }
    expect(Math.min(...slept)).toBeGreaterThanOrEqual(7000);
    expect(Math.max(...slept)).toBeLessThan(7500);
    expect(new Set(slept).size).toBe(20);
  });

  test('fall back to the policy when the platform names no usable time', async () => {
    for (const value of ['0', 'soon', '', 'Thu, 01 Jan 2026 00:00:00 GMT']) {
      const { slept } = await waitsAfter(
        { 'retry-after': value },
        { retry: { baseDelayMs: 40, jitter: 'none' } },
      );
      expect(slept).toEqual([40]);
    }
  });

  test('double up to the longest, without jitter', async () => {
    const fetch = stubFetch(refusal(4));
    const clock = virtualClock();
    const retry = { attempts: 6, baseDelayMs: 100, maxDelayMs: 500, jitter: 'none' } as const;

    await write(pageContext({ fetch, clock, retry }), 'anyFailure');

    expect(clock.slept).toEqual([100, 200, 400, 500, 500]);
  });

  test('are a random part of that with full jitter', async () => {
    const random = vi.spyOn(Math, 'random');
    try {
      for (const [part, expected] of [
        [0, [0, 0]],
        [0.25, [125, 250]],
        [0.999, [499.5, 999]],
      ] as const) {
        random.mockReturnValue(part);
        const { clock, context } = noisy(refusal(4));
        await write(context, 'anyFailure');
        expect(clock.slept).toEqual(expected);
      }
    } finally {
      random.mockRestore();
    }
  });

  test('double from the base delay', () => {
    expect([1, 2, 3, 9, 2000].map((retry) => backoff(defaultRetryPolicy, retry))).toEqual([
      500, 1000, 2000, 20_000, 20_000,
    ]);
  });

  test('that the platform asks for are no shorter for a passing fault', async () => {
    const fetch = stubFetch(text('', 503, { 'retry-after': '5' }), fine);
    const clock = virtualClock();

    await write(pageContext({ fetch, clock }), 'anyFailure');

    expect(clock.slept).toEqual([5000]);
  });
});

describe('attempts', () => {
  test('count all requests', async () => {
    for (const attempts of [1, 2, 5]) {
      const fetch = stubFetch(refusal(4));
      await write(pageContext({ fetch, retry: { attempts } }), 'anyFailure');
      expect(fetch).toHaveBeenCalledTimes(attempts);
    }
  });
});

describe('budget', () => {
  test('is shared by all calls of a context', async () => {
    const fetch = stubFetch(text('', 503));
    const context = pageContext({ fetch, retry: { budget: 10 } });

    const results = await Promise.all(Array.from({ length: 100 }, () => write(context, 'anyFailure')));

    expect(results.every((result) => result.isErr())).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(110);
  });

  test('is given back a tenth with each call that succeeds', async () => {
    const fetch = stubFetch(
      text('', 503),
      text('', 503),
      ...Array.from({ length: 10 }, () => fine),
      text('', 503),
    );
    const context = pageContext({ fetch, retry: { budget: 1 } });

    await write(context, 'anyFailure');
    expect(fetch).toHaveBeenCalledTimes(2);
    for (let call = 0; call < 10; call++) await write(context, 'anyFailure');
    await write(context, 'anyFailure');

    expect(fetch).toHaveBeenCalledTimes(14);
  });

  test('is given back by refusals for good as well, but not by faults that pass', async () => {
    for (const [step, isAnswer] of [
      [refusal(190), true],
      [text('', 404), false],
      [refusal(2), false],
      [refusal(4), false],
      [text('', 503), false],
      [networkFailure(), false],
    ] as const) {
      const fetch = stubFetch(
        text('', 503),
        text('', 503),
        ...Array.from({ length: 10 }, () => step),
        text('', 503),
      );
      const context = pageContext({ fetch, retry: { budget: 1 } });
      await write(context, 'anyFailure');
      for (let call = 0; call < 10; call++) await write(context, 'anyFailure');
      await write(context, 'anyFailure');
      expect(fetch).toHaveBeenCalledTimes(isAnswer ? 14 : 13);
    }
  });

  test('of none lets nothing be tried again', async () => {
    const fetch = stubFetch(refusal(4));
    await write(pageContext({ fetch, retry: { budget: 0 } }), 'anyFailure');
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe('onRetry', () => {
  test('is told of each retry, with the wait before it and the failure', async () => {
    const events: RetryEvent[] = [];
    const fetch = stubFetch(refusal(4, { headers: { 'retry-after': '2' } }), networkFailure(), fine);
    const context = pageContext({
      fetch,
      clock: virtualClock(),
      retry: { baseDelayMs: 10, jitter: 'none' },
      onRetry: (event) => events.push(event),
    });

    await get(context, '42/feed', { params: { access_token: 'a-long-token' } });

    expect(events).toMatchObject([
      { method: 'GET', path: '/v26.0/42/feed', attempt: 1, delayMs: 2000, error: { name: 'RateLimitError' } },
      { method: 'GET', path: '/v26.0/42/feed', attempt: 2, delayMs: 20, error: { name: 'TransportError' } },
    ]);
  });
});

const state: RetryState = {
  policy: { ...defaultRetryPolicy, jitter: 'none' },
  mayRepeat: undefined,
  attempt: 1,
  attempts: 3,
  hasBudget: true,
  leftMs: Infinity,
  random: 0.5,
};

const limited: FailedAttempt = {
  error: new RateLimitError('No', { status: 400, code: 4, category: 'rate_limit' }),
  isRejected: true,
  isTransient: true,
};
const rejected: FailedAttempt = {
  error: new ApiError('No', { status: 400, code: 190, category: 'auth' }),
  isRejected: true,
};
const blocked: FailedAttempt = {
  error: new ApiError('No', { status: 503, code: 368, category: 'policy' }),
  isRejected: true,
};
const unimplemented: FailedAttempt = {
  error: new ApiError('No', { status: 501 }),
  isRejected: false,
};
const temporary: FailedAttempt = {
  error: new ApiError('No', { status: 400, code: 2, category: 'transient' }),
  isRejected: false,
  isTransient: true,
};
const overloaded: FailedAttempt = {
  error: new ApiError('No', { status: 503, category: 'transient' }),
  isRejected: false,
};
const unsent: FailedAttempt = { error: new TransportError('network', 'No'), isRejected: true };
const lost: FailedAttempt = {
  error: new TransportError('network', 'No', { outcome: 'unknown' }),
  isRejected: false,
};
const late: FailedAttempt = {
  error: new TransportError('timeout', 'No', { outcome: 'unknown' }),
  isRejected: false,
};
const aborted: FailedAttempt = { error: new TransportError('aborted', 'No'), isRejected: true };
const closed: FailedAttempt = { error: new TransportError('closed', 'No'), isRejected: true };

describe('whether a request is sent again', () => {
  test.each([
    ['a rate limit', limited, [true, true, true]],
    ['a failure to connect', unsent, [true, true, true]],
    ['a 503', overloaded, [true, true, false]],
    ['a 501', unimplemented, [false, false, false]],
    ['a passing fault', temporary, [true, true, false]],
    ['a lost response', lost, [true, false, false]],
    ['a timeout', late, [true, false, false]],
    ['a lasting refusal', rejected, [false, false, false]],
    ['a block', blocked, [false, false, false]],
    ['an abort', aborted, [false, false, false]],
    ['the end of the client', closed, [false, false, false]],
  ] as const)('after %s', (_, failed, [anyFailure, response, rejection]) => {
    expect(retryDelay(failed, state) !== undefined).toBe(anyFailure);
    expect(retryDelay(failed, { ...state, mayRepeat: afterResponse }) !== undefined).toBe(response);
    expect(retryDelay(failed, { ...state, mayRepeat: afterRejection }) !== undefined).toBe(rejection);
  });

  test('what publishes, after a 503 but never after a lost response, where the policy says so', () => {
    const policy = { ...state.policy, onceOnly: false };
    expect(retryDelay(overloaded, { ...state, policy, mayRepeat: afterRejection })).toBe(500);
    expect(retryDelay(lost, { ...state, policy, mayRepeat: afterRejection })).toBeUndefined();
  });

  test('a status that the policy leaves out is not, a code that passes is', () => {
    const policy = { ...state.policy, statuses: [] };
    expect(retryDelay(overloaded, { ...state, policy })).toBeUndefined();
    expect(retryDelay(temporary, { ...state, policy })).toBe(500);
    expect(retryDelay(limited, { ...state, policy })).toBe(500);
  });

  test.each([
    ['the last attempt failed', { attempt: 3 }],
    ['the request asks for one attempt', { attempts: 1 }],
    ['the budget is used up', { hasBudget: false }],
    ['the deadline comes first', { leftMs: 500 }],
  ])('not when %s', (_, change) => {
    expect(retryDelay(limited, state)).toBe(500);
    expect(retryDelay(limited, { ...state, ...change })).toBeUndefined();
  });
});

describe('how long it waits', () => {
  test.each([
    [1, 500],
    [2, 1000],
    [7, 20_000],
  ])('before retry %i: %i ms', (attempt, expected) => {
    expect(retryDelay(limited, { ...state, attempt, attempts: 9 })).toBe(expected);
  });

  test('a random part of it with full jitter', () => {
    expect(retryDelay(limited, { ...state, policy: defaultRetryPolicy })).toBe(250);
  });

  test.each([
    ['a rate limit', (ms: number) => new RateLimitError('No', { status: 400 }, ms)],
    ['a 503', (ms: number) => new ApiError('No', { status: 503, retryAfterMs: ms })],
  ])('as long as %s asks for, up to the cap', (_, error) => {
    const asked = (ms: number): FailedAttempt => ({ error: error(ms), isRejected: true, isTransient: true });
    expect(retryDelay(asked(60_000), state)).toBe(60_000);
    expect(retryDelay(asked(60_001), state)).toBeUndefined();
    expect(retryDelay(asked(1), { ...state, leftMs: 1 })).toBeUndefined();
  });

  test('longer than the platform asks for with full jitter, never shorter, and never beyond the deadline', () => {
    const failed: FailedAttempt = {
      error: new RateLimitError('No', {}, 10_000),
      isRejected: true,
      isTransient: true,
    };
    const spread = { ...state, policy: defaultRetryPolicy };
    expect(retryDelay(failed, { ...spread, random: 0 })).toBe(10_000);
    expect(retryDelay(failed, { ...spread, random: 0.5 })).toBe(10_250);
    expect(retryDelay(failed, { ...spread, attempt: 2, random: 0.5 })).toBe(10_500);
    expect(retryDelay(failed, { ...spread, random: 0.5, leftMs: 10_250 })).toBe(10_000);
  });
});
