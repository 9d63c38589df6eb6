import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { parseResponse } from '../../../src/core/http/response.ts';

const schema = v.looseObject({ id: v.string(), size: v.optional(v.number()) });

function read(body: unknown, isRead = false) {
  return parseResponse(body, schema, { status: 200, isRead, redact: (value) => value });
}

describe('an answer', () => {
  test.each([
    [{}, 'unexpected response at id: expected a value'],
    [{ id: 5 }, 'unexpected response at id: expected string'],
    [{ id: '5', size: 'big' }, 'unexpected response at size: expected number'],
    [[], 'unexpected response at id: expected a value'],
    [null, 'unexpected response at body: expected Object'],
  ])('that does not fit says where: %j', (body, message) => {
    expect(read(body)._unsafeUnwrapErr()).toMatchObject({ message, payload: body, outcome: 'unknown' });
    expect(read(body, true)._unsafeUnwrapErr()).toMatchObject({ message, outcome: 'rejected' });
  });

  test.each([false, 'false'])('to a write says %j for a failure', (success) => {
    const body = { success, id: '5' };

    expect(read(body)._unsafeUnwrapErr()).toMatchObject({
      message: 'the platform responded with success: false',
      payload: body,
    });
    expect(read(body, true)._unsafeUnwrap()).toEqual(body);
  });
});
