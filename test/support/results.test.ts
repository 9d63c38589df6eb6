import { err, ok } from 'neverthrow';
import { expect, test } from 'vitest';

import { ApiError } from '../../src/core/errors.ts';

test('a value that a test takes from a failure says why there is none, and where it was taken', () => {
  const failure = new ApiError('unexpected response at data.0.id: expected string');

  expect(() => err(failure)._unsafeUnwrap()).toThrow(
    expect.objectContaining({
      message: 'ApiError: unexpected response at data.0.id: expected string',
      cause: failure,
      stack: expect.stringMatching(/^Error: .*\n +at .*results\.test\.ts/),
    }),
  );
  expect(() => ok({ id: '7' })._unsafeUnwrapErr()).toThrow("no failure, but { id: '7' }");
});
