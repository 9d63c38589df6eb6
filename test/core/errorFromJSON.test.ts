import { errAsync, ok, okAsync } from 'neverthrow';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';

import * as errors from '../../src/core/errors.ts';
import { type AnySdkError, errorFromJSON, isFinal, isSdkError, untilSettled } from '../../src/core/index.ts';
import { get } from '../../src/core/lowLevel/request.ts';
import { pageContext } from '../support/context.ts';
import { networkFailure, refusal, stubFetch } from './stub.ts';

const all: readonly AnySdkError[] = [
  new errors.ConfigurationError('m', 'o'),
  new errors.ConfigurationError('m', 'photos[1].photo'),
  new errors.ApiError('m', { code: 36000, category: 'media', media: 'size', failedItem: 2 }),
  new errors.TransportError('network', 'm', {
    outcome: 'unknown',
    payload: { photo_id: '1' },
    ids: { photo_id: '1', photo_ids: ['1', '2'] },
    retryAfterMs: 5,
    cause: { name: 'Error', code: 'ECONNRESET', message: 'c' },
  }),
  new errors.TransportError('busy', 'm', { outcome: 'unknown', retryAfterMs: 1000 }),
  new errors.ApiError('m', {
    status: 400,
    code: 100,
    payload: { error: { list: [1, null] } },
    category: 'media',
  }),
  new errors.ApiError('m', { payload: 'a text', outcome: 'applied' }),
  new errors.RateLimitError('m', { status: 400, code: 4, category: 'rate_limit' }, 5, {
    percent: 100,
    regainMs: 7,
  }),
  Object.assign(new errors.RateLimitError('m', { category: 'rate_limit' }, 5), {
    limit: { kind: 'pages', id: '42', percent: 101 },
  }),
  new errors.PermissionError('m', { status: 403, category: 'window' }),
  new errors.ContainerNotReadyError('m', 'c', 'ERROR', { ids: { container_id: 'c' } }),
  new errors.ContainerNotReadyError('m', 'c'),
  new errors.SignatureError('mismatch'),
  new errors.DeliveryError('m'),
];

const ways: Readonly<Record<string, (error: AnySdkError) => unknown>> = {
  JSON: (error) => JSON.parse(JSON.stringify(error)),
  'a clone': (error) => structuredClone(error.toJSON()),
  'JSON of a clone': (error) => JSON.parse(JSON.stringify(structuredClone(error.toJSON()))),
  'a store that has null for what is not set': (error) =>
    JSON.parse(JSON.stringify(error.toJSON(), (_, value: unknown) => value ?? null)),
};

describe.each(Object.entries(ways))('%s', (_, travel) => {
  test.each(all)('gives $name back, with class and fields', (error) => {
    const sent = Object.assign(error, {
      operation: 'publishPost',
      callId: 'a-1',
      method: 'POST',
      path: '/42',
    });
    const back = errorFromJSON(travel(sent));

    expect(back).toBeInstanceOf(error.constructor);
    expect(back).not.toBe(error);
    expect(isSdkError(back)).toBe(true);
    expect(Object.entries(back ?? {})).toEqual(Object.entries(error));
    expect(back?.message).toBe(error.message);
    expect(JSON.stringify(back)).toBe(JSON.stringify(error));
  });
});

test('an error of a call keeps what decides about calling again', async () => {
  for (const fetch of [stubFetch(networkFailure()), stubFetch(refusal(190)), stubFetch(refusal(4))]) {
    const failed = await get(pageContext({ fetch, retry: { attempts: 1 } }), '4');
    const error = failed._unsafeUnwrapErr();
    const back = errorFromJSON(structuredClone(error.toJSON()));
    expect(Object.entries(back ?? {})).toEqual(Object.entries(error));
  }
});

test('isFinal and untilSettled take what came back for the error itself', async () => {
  const travel = (error: AnySdkError) => errorFromJSON(JSON.parse(JSON.stringify(error)));
  for (const error of all) expect(isFinal(travel(error))).toBe(isFinal(error));

  const busy = new errors.TransportError('busy', 'm', { outcome: 'unknown', retryAfterMs: 1 });
  const call = vi.fn(() => okAsync<string, AnySdkError | undefined>('post'));
  call.mockReturnValueOnce(errAsync(travel(busy)));
  expect(await untilSettled(call)).toEqual(ok('post'));
  expect(call).toHaveBeenCalledTimes(2);
});

test('an error that is one comes back as it is', () => {
  for (const error of all) expect(errorFromJSON(error)).toBe(error);
});

test('the name narrows the type', () => {
  const back = errorFromJSON({ name: 'TransportError', message: 'm', reason: 'network' });
  expectTypeOf(back).toEqualTypeOf<AnySdkError | undefined>();
  if (back?.name === 'TransportError') expectTypeOf(back).toEqualTypeOf<errors.TransportError>();
  expect(back).toMatchObject({ reason: 'network', outcome: 'rejected', ids: {} });
});

const transport = { name: 'TransportError', message: 'm', reason: 'network' };

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', JSON.stringify(all[0])],
  ['a list', [all[0]?.toJSON()]],
  ['the clone of an error, which lost its fields', structuredClone(all[1])],
  ['another error', new TypeError('m')],
  ['another name', { name: 'TypeError', message: 'm' }],
  ['a name that every object has', { name: 'constructor', message: 'm' }],
  ['no message', { name: 'ApiError' }],
  ['no reason', { name: 'TransportError', message: 'm' }],
  ['an unknown reason', { ...transport, reason: 'toString' }],
  ['the reason of another class', { ...transport, reason: 'mismatch' }],
  ['an unknown outcome', { ...transport, outcome: 'maybe' }],
  ['an outcome that is none', { ...transport, outcome: 7 }],
  ['a number for a text', { ...transport, operation: 7 }],
  ['a text for a number', { ...transport, retryAfterMs: '7' }],
  ['a text for a flag', { name: 'ApiError', message: 'm', transient: 'true' }],
  ['a text for ids', { ...transport, ids: '7' }],
  ['an unknown category', { name: 'ApiError', message: 'm', category: 'other' }],
  ['no container', { name: 'ContainerNotReadyError', message: 'm' }],
])('%s gives nothing', (_, value) => {
  expect(errorFromJSON(value)).toBeUndefined();
});

test('data cannot replace what an error inherits', () => {
  const text = `{"name":"ApiError","message":"m","__proto__":{"x":1},"toJSON":1,"constructor":1,"stack":"s","status":400}`;
  const back = errorFromJSON(JSON.parse(text));
  expect(back).toBeInstanceOf(errors.ApiError);
  expect(back).toHaveProperty('status', 400);
  expect(JSON.parse(JSON.stringify(back))).toMatchObject({ name: 'ApiError', status: 400 });
  expect(back?.stack).not.toBe('s');
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
});

test.each(all.filter((error) => 'action' in error))(
  'what helps after a stored $name (code $code) that does not say it follows from the rest',
  (error) => {
    const { action, ...stored } = JSON.parse(JSON.stringify(error));
    expect(errorFromJSON(stored)).toHaveProperty('action', action);
  },
);
