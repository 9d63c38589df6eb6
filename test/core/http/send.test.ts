import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import { ApiError, type RequestFailure, TransportError } from '../../../src/core/errors.ts';
import { fallbackOnRefusal, perform, safeTry, send, settled } from '../../../src/core/http/send.ts';
import { request, type RequestOptions } from '../../../src/core/lowLevel/request.ts';
import { createdSchema } from '../../../src/models/fields.ts';
import { pageContext, token, newCall } from '../../support/context.ts';
import { json, stubFetch } from '../stub.ts';

describe('a low-level request', () => {
  test('may name an address within its path', async () => {
    const fetch = stubFetch(json({ id: '1' }));

    const made = await request(pageContext({ fetch }), 'GET', 'share/https://user@example.com');

    expect(made.isOk()).toBe(true);
  });

  test('takes an object without a prototype for one', async () => {
    const fetch = stubFetch(json({ id: '1' }));
    const data: object = Object.assign(Object.create(null) as object, { a: 1 });

    const made = await request(pageContext({ fetch }), 'POST', 'x', { data: data as RequestOptions['data'] });

    expect(made.isOk()).toBe(true);
  });
});

test('a proof is reckoned once for a token', async () => {
  const sign = vi.spyOn(crypto.subtle, 'sign');
  const context = pageContext({ fetch: stubFetch(json({ id: '1' })) });
  const call = (of: string) => send(context, { ...newCall(), path: '4', token: of, schema: createdSchema });

  for (const held of [token, token, 'other-token', token]) expect((await call(held)).isOk()).toBe(true);

  expect(sign).toHaveBeenCalledTimes(2);
  sign.mockRestore();
});

test.each([300, 304])('a response of status %i is no success, whatever it holds', async (status) => {
  const body = status === 304 ? null : '{"id":"1"}';
  const context = pageContext({ fetch: stubFetch(() => new Response(body, { status })) });

  const read = await send(context, {
    ...newCall(),
    path: '4',
    token,
    schema: createdSchema,
  });

  expect(read._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', status });
});

test('a value stays, a refusal becomes another, a failure of the network stays', async () => {
  const lost = new TransportError('network', 'lost');

  const value = await fallbackOnRefusal(okAsync<string, RequestFailure>('found'), 'instead');
  const refused = await fallbackOnRefusal(errAsync<string, RequestFailure>(new ApiError('No')), 'instead');
  const failed = await fallbackOnRefusal(errAsync<string, RequestFailure>(lost), 'instead');

  expect(value._unsafeUnwrap()).toBe('found');
  expect(refused._unsafeUnwrap()).toBe('instead');
  expect(failed._unsafeUnwrapErr()).toBe(lost);
});

/** A call that comes to what `work` comes to. */
function call<TValue, TFailure>(work: () => PromiseLike<Result<TValue, TFailure>>) {
  return perform(pageContext(), 'test', ok({}), work);
}

async function failing(thrown: unknown): Promise<Result<never, never>> {
  throw thrown;
}

describe('asynchronous work as a result', () => {
  test('gives what the work gives', async () => {
    expect(await call(async () => ok(1))).toEqual(ok(1));
    expect(await call(async () => err('no'))).toEqual(err('no'));
  });

  test('is an error where the work throws, which says what and where and repeats no message', async () => {
    const error = await call(() => failing(new TypeError('token=s3cr3t\n    more'))).match(
      () => expect.unreachable(),
      (failure: unknown) => failure as Error,
    );

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'the SDK failed unexpectedly (TypeError)',
      outcome: 'unknown',
    });
    expect(error.stack).toMatch(/^ApiError: .*\n +at .*send\.test\.ts/);
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/s3cr3t|more/);
  });

  test.each([[undefined], [null], ['secret'], [{ name: 'secret' }]])(
    'bears anything thrown: %j',
    async (thrown) => {
      const error = (await settled(failing(thrown)))._unsafeUnwrapErr();

      expect(error.message).toBe(`the SDK failed unexpectedly (${typeof thrown})`);
    },
  );

  test('is an error where one of several steps throws', async () => {
    const steps = safeTry(async function* () {
      const value = yield* ok(1);
      if (value === 1) throw new RangeError('secret');
      return ok(value);
    });

    expect((await settled(steps))._unsafeUnwrapErr().message).toContain('(RangeError)');
  });

  test('ends with the step that fails, and gives what the last one gives', async () => {
    const steps = (first: Result<number, 'no'>) =>
      safeTry(async function* () {
        return ok((yield* first) + 1);
      });

    expect(await steps(ok(1))).toEqual(ok(2));
    expect(await steps(err('no'))).toEqual(err('no'));
  });
});
