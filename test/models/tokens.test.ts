import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { tokenInfoSchema, tokenResponseSchema, toTokenBundle } from '../../src/models/tokens.ts';
import { virtualClock } from '../support/context.ts';

const clock = virtualClock(Date.UTC(2026, 0, 2));

function read(body: unknown): unknown {
  const { success, output } = v.safeParse(tokenResponseSchema, body);
  return success ? toTokenBundle(output, clock) : undefined;
}

describe('TokenBundle', () => {
  test.each([
    ['flat', { access_token: 'the-token', user_id: '1784', permissions: ['basic', 'publish'] }],
    ['wrapped', { data: [{ access_token: 'the-token', user_id: 1784, permissions: 'basic, publish' }] }],
  ])('is read from a response that is %s', (_, body) => {
    const bundle = read(body);

    expect(bundle).toHaveProperty('access_token', 'the-token');
    expect(bundle).toEqual({
      token_type: 'bearer',
      expires_at: undefined,
      user_id: '1784',
      permissions: ['basic', 'publish'],
    });
  });

  test('ends when the response says, by the clock of the context', () => {
    expect(read({ access_token: 'the-token', token_type: 'Bearer', expires_in: '3600' })).toEqual({
      token_type: 'Bearer',
      expires_in: 3600,
      expires_at: new Date(Date.UTC(2026, 0, 2, 1)),
    });
  });

  test('has no key for what the response does not say, and none that shows the token', () => {
    expect(Object.keys(read({ access_token: 'the-token' }) as object)).toEqual(['token_type', 'expires_at']);
  });

  test('is not given up because of odd fields next to the token', () => {
    const odd = { token_type: 5, expires_in: -1, user_id: {}, permissions: 7 };

    expect(read({ access_token: 'the-token', ...odd })).toEqual({ token_type: 'bearer' });
    expect(read({ access_token: 'the-token', permissions: ['a', 5, ''] })).toMatchObject({
      permissions: ['a'],
    });
  });

  test.each([
    null,
    'text',
    [],
    {},
    { data: [] },
    { data: {} },
    { data: [{}] },
    { access_token: '' },
    { access_token: 5 },
  ])('is not read from a response without a token: %j', (body) => {
    expect(read(body)).toBeUndefined();
  });
});

test('a permission whose objects cannot be read is limited to none, not to all', () => {
  const read = (target_ids: unknown) =>
    v.parse(tokenInfoSchema, { data: { is_valid: true, granular_scopes: [{ scope: 'a', target_ids }] } })
      .granular_scopes[0]?.target_ids;

  expect([read(undefined), read(null), read({}), read('42')]).toEqual([undefined, undefined, [], []]);
});

test.each(['true', 'yes', 5, {}])('a token is valid only where the platform says so: %j', (is_valid) => {
  expect(v.parse(tokenInfoSchema, { data: { is_valid } }).is_valid).toBe(is_valid === 'true');
});
