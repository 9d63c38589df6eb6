import { err, ok, type Result } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { perform, safeTry, settled } from '../../../src/core/http/send.ts';
import { pageContext } from '../../support/context.ts';

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
      message: 'the SDK failed in a way that it did not foresee (TypeError)',
      outcome: 'unknown',
    });
    expect(error.stack).toContain('resultAsync.test.ts');
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/s3cr3t|more/);
  });

  test.each([[undefined], [null], ['secret'], [{ name: 'secret' }]])(
    'bears anything thrown: %j',
    async (thrown) => {
      const error = (await settled(failing(thrown)))._unsafeUnwrapErr();

      expect(error.message).toBe(`the SDK failed in a way that it did not foresee (${typeof thrown})`);
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
