import { describe, expect, test } from 'vitest';

import { ApiError, RateLimitError, TransportError } from '../../../src/core/errors.ts';
import {
  defaultRetryPolicy,
  type FailedAttempt,
  retryDelay,
  type RetryState,
} from '../../../src/core/http/retry.ts';

const state: RetryState = {
  policy: { ...defaultRetryPolicy, jitter: 'none' },
  retryOn: 'anyFailure',
  attempt: 1,
  attempts: 3,
  hasBudget: true,
  leftMs: Infinity,
  random: 0.5,
};

const limited: FailedAttempt = {
  error: new RateLimitError('No', { status: 400, code: 4, category: 'rate_limit' }),
  isRejected: true,
  isPassing: true,
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
  isPassing: true,
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
    expect(retryDelay(failed, { ...state, retryOn: 'anyFailure' }) !== undefined).toBe(anyFailure);
    expect(retryDelay(failed, { ...state, retryOn: 'response' }) !== undefined).toBe(response);
    expect(retryDelay(failed, { ...state, retryOn: 'rejection' }) !== undefined).toBe(rejection);
  });

  test('what publishes, after a 503 but never after a lost response, where the policy says so', () => {
    const policy = { ...state.policy, onceOnly: false };
    expect(retryDelay(overloaded, { ...state, policy, retryOn: 'rejection' })).toBe(500);
    expect(retryDelay(lost, { ...state, policy, retryOn: 'rejection' })).toBeUndefined();
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
    const asked = (ms: number): FailedAttempt => ({ error: error(ms), isRejected: true, isPassing: true });
    expect(retryDelay(asked(60_000), state)).toBe(60_000);
    expect(retryDelay(asked(60_001), state)).toBeUndefined();
    expect(retryDelay(asked(1), { ...state, leftMs: 1 })).toBeUndefined();
  });

  test('longer than the platform asks for with full jitter, never shorter, and never beyond the deadline', () => {
    const failed: FailedAttempt = {
      error: new RateLimitError('No', {}, 10_000),
      isRejected: true,
      isPassing: true,
    };
    const spread = { ...state, policy: defaultRetryPolicy };
    expect(retryDelay(failed, { ...spread, random: 0 })).toBe(10_000);
    expect(retryDelay(failed, { ...spread, random: 0.5 })).toBe(10_250);
    expect(retryDelay(failed, { ...spread, attempt: 2, random: 0.5 })).toBe(10_500);
    expect(retryDelay(failed, { ...spread, random: 0.5, leftMs: 10_250 })).toBe(10_000);
  });
});
