import { isNativeError } from 'node:util/types';

import { describe, expect, test } from 'vitest';

import {
  withIds,
  withMessage,
  withOutcome,
  withPayload,
  withRetryAfter,
} from '../../src/core/deriveError.ts';
import {
  ApiError,
  ContainerNotReadyError,
  PermissionError,
  RateLimitError,
  TransportError,
} from '../../src/core/errors.ts';

const details = { status: 400, code: 4, outcome: 'rejected', payload: { error: {} } } as const;

function fieldsOf(error: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(error));
}

describe.each([
  new TransportError('network', 'lost', { payload: { video_id: '2' }, ids: { video_id: '2' } }),
  new TransportError('network', 'lost', { payload: {}, cause: { name: 'Error', message: 'reset' } }),
  new ApiError('No', { ...details, category: 'transient' }),
  new RateLimitError('No', details, 5, { percent: 100 }),
  new PermissionError('No', details),
  new ContainerNotReadyError('No', 'c', 'ERROR', details),
])('$name', (error) => {
  const before = fieldsOf(error);

  test.each([
    [
      'outcome',
      withOutcome(error, 'unknown'),
      // A time that was named stays; one that was not is no more.
      {
        outcome: 'unknown',
        ...('action' in error && error.action === 'retry' && { action: 'fix' }),
        ...(error.name !== 'RateLimitError' && { retryAfterMs: undefined }),
      },
    ],
    [
      'ids',
      withIds(error, { photo_id: '1' }),
      {
        ids: { ...error.ids, photo_id: '1' },
        payload: { ...(error.payload as object), photo_id: '1' },
      },
    ],
    [
      'payload',
      withPayload(error, { not_invited: ['1'] }),
      { payload: { ...(error.payload as object), not_invited: ['1'] } },
    ],
  ] as const)('with another %s is another error of its class, with all else it held', (_, copy, changed) => {
    expect(copy).not.toBe(error);
    expect(copy.constructor).toBe(error.constructor);
    expect(isNativeError(copy)).toBe(true);
    expect(fieldsOf(copy)).toEqual({ ...before, ...changed });
    expect(copy.message).toBe(error.message);
    expect(copy.stack).toBe(error.stack);
    expect(Object.keys(copy)).toEqual(Object.keys(error));
  });

  test('with another message says it in its stack as well', () => {
    const copy = withMessage(error, 'image 2 of 3: $& No');

    expect(copy.message).toBe('image 2 of 3: $& No');
    expect(copy.stack).toBe(error.stack?.replace(error.message, () => 'image 2 of 3: $& No'));
    expect(fieldsOf(copy)).toEqual(before);
    expect(Object.keys(copy)).toEqual(Object.keys(error));
  });

  test('is not changed by any of it', () => {
    expect(fieldsOf(error)).toEqual(before);
  });
});

describe('withIds', () => {
  test.each([
    [{ error: { code: 1 } }, { error: { code: 1 }, photo_id: '1' }],
    ['<h1>', { body: '<h1>', photo_id: '1' }],
    [undefined, { photo_id: '1' }],
    [null, { photo_id: '1' }],
  ])('adds them to a payload of %j', (payload, expected) => {
    for (const error of [
      new ApiError('No', { payload }),
      new TransportError('network', 'No', { outcome: 'unknown', payload }),
    ]) {
      const copy = withIds(error, { photo_id: '1' });
      expect(copy.payload).toEqual(expected);
      expect(copy.ids).toEqual({ photo_id: '1' });
    }
  });

  test('changes nothing without ids', () => {
    const error = new ApiError('No', { payload: 'x' });
    expect(withIds(error, undefined)).toBe(error);
  });
});

test('a time to wait is never 0, which callers could take for none', () => {
  const unknown = new TransportError('network', 'lost', { outcome: 'unknown' });

  expect(withRetryAfter(unknown, 0).retryAfterMs).toBe(1);
  expect(new RateLimitError('No', details, 0, undefined).retryAfterMs).toBe(1);
});
