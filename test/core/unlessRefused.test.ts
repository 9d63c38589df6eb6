import { errAsync, okAsync } from 'neverthrow';
import { expect, test } from 'vitest';

import { ApiError, type RequestFailure, TransportError } from '../../src/core/errors.ts';
import { unlessRefused } from '../../src/core/unlessRefused.ts';

test('a value stays, a refusal is answered with another, a failure of the network stays', async () => {
  const lost = new TransportError('network', 'lost');

  const value = await unlessRefused(okAsync<string, RequestFailure>('found'), 'instead');
  const refused = await unlessRefused(
    errAsync<string, RequestFailure>(new ApiError<'ApiError'>('No')),
    'instead',
  );
  const failed = await unlessRefused(errAsync<string, RequestFailure>(lost), 'instead');

  expect(value._unsafeUnwrap()).toBe('found');
  expect(refused._unsafeUnwrap()).toBe('instead');
  expect(failed._unsafeUnwrapErr()).toBe(lost);
});
