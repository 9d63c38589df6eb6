import { errAsync, okAsync } from 'neverthrow';
import { expect, test } from 'vitest';

import { ApiError, type RequestFailure, TransportError } from '../../../src/core/errors.ts';
import { fallbackOnRefusal } from '../../../src/core/http/fallbackOnRefusal.ts';

test('a value stays, a refusal is answered with another, a failure of the network stays', async () => {
  const lost = new TransportError('network', 'lost');

  const value = await fallbackOnRefusal(okAsync<string, RequestFailure>('found'), 'instead');
  const refused = await fallbackOnRefusal(errAsync<string, RequestFailure>(new ApiError('No')), 'instead');
  const failed = await fallbackOnRefusal(errAsync<string, RequestFailure>(lost), 'instead');

  expect(value._unsafeUnwrap()).toBe('found');
  expect(refused._unsafeUnwrap()).toBe('instead');
  expect(failed._unsafeUnwrapErr()).toBe(lost);
});
