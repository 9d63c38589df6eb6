import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { demographics } from '../../src/pics/demographics.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const query = {
  ...authenticated,
  metric: 'follower_demographics',
  period: 'lifetime',
  metric_type: 'total_value',
  timeframe: 'this_month',
};

function mock(cut: string, status: number, body: unknown, times = 1, base = picsGraphBase, id = 'me'): void {
  nock(base)
    .get(`/${id}/insights`)
    .query({ ...query, breakdown: cut })
    .times(times)
    .reply(status, body as string);
}

function rows(...results: readonly unknown[]): unknown {
  return { data: [{ name: 'follower_demographics', total_value: { breakdowns: [{ results }] } }] };
}

describe('demographics', () => {
  test.each([
    ['login', picsGraphBase, picsContext, undefined],
    ['page', graphBase, picsPageContext, '1784'],
  ] as const)('asks for each cut alone in %s mode', async (_mode, base, contextOf, picsUserId) => {
    const at = [1, base, picsUserId ?? 'me'] as const;
    mock(
      'age',
      200,
      rows({ dimension_values: ['25-34'], value: 3 }, { dimension_values: ['65+'], value: 1 }),
      ...at,
    );
    mock('gender', 200, rows({ dimension_values: ['25-34', 'F'], value: 5 }), ...at);
    mock('city', 200, rows({ dimension_values: ['Lisbon, Lisbon District'], value: 7 }), ...at);
    mock('country', 200, rows({ dimension_values: ['PT'], value: 8 }), ...at);

    const found = await demographics(contextOf(), { token, picsUserId });

    expect(found._unsafeUnwrap()).toEqual({
      age: { available: true, values: { '25-34': 3, '65+': 1 } },
      gender: { available: true, values: { '25-34 / F': 5 } },
      city: { available: true, values: { 'Lisbon, Lisbon District': 7 } },
      country: { available: true, values: { PT: 8 } },
    });
  });

  test('a cut that fails does not take the others with it', async () => {
    mock('age', 400, { error: { message: 'Bad breakdown', code: 100 } });
    mock('gender', 200, '<html>');
    mock('city', 503, 'down', 3);
    mock('country', 200, rows({ dimension_values: ['PT'], value: 8 }));

    const found = (await demographics(picsContext(), { token }))._unsafeUnwrap();

    expect(found.age).toEqual({ available: false, values: {}, reason: 'Bad breakdown' });
    expect(found.gender).toMatchObject({ available: false, reason: expect.stringContaining('not JSON') });
    expect(found.city).toMatchObject({ available: false, reason: expect.stringContaining('503') });
    expect(found.country).toEqual({ available: true, values: { PT: 8 } });
  });

  test.each([
    ['an empty list', { data: [] }],
    ['no total', { data: [{ name: 'follower_demographics' }] }],
    ['no breakdowns', { data: [{ name: 'follower_demographics', total_value: {} }] }],
    ['no results', { data: [{ name: 'follower_demographics', total_value: { breakdowns: [{}] } }] }],
  ])('takes %s for numbers that are not given', async (_what, body) => {
    for (const cut of ['age', 'gender', 'city', 'country']) mock(cut, 200, body);

    const found = (await demographics(picsContext(), { token }))._unsafeUnwrap();

    expect(found.city).toEqual({
      available: false,
      values: {},
      reason: 'the platform gave no numbers, as for accounts with fewer than 100 followers',
    });
  });

  test('does not fail when the network does', async () => {
    nock(picsGraphBase).get('/me/insights').query(true).times(12).replyWithError(new Error('no route'));

    const found = (await demographics(picsContext(), { token }))._unsafeUnwrap();

    expect(Object.values(found)).toEqual(
      Array.from({ length: 4 }, () => ({
        available: false,
        values: {},
        reason: expect.stringContaining('network'),
      })),
    );
  });

  test('takes a place by the name of __proto__ as any other', async () => {
    for (const cut of ['age', 'gender', 'city', 'country']) {
      mock(cut, 200, rows({ dimension_values: ['__proto__'], value: 4 }));
    }

    const { city } = (await demographics(picsContext(), { token }))._unsafeUnwrap();

    expect(Object.entries(city.values)).toEqual([['__proto__', 4]]);
  });
});
