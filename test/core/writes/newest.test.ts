import { describe, expect, test } from 'vitest';

import { lookAtNewest, parseTime } from '../../../src/core/writes/newest.ts';
import { pageContext, token } from '../../support/context.ts';
import { json, stubFetch } from '../stub.ts';

describe('a time of the platform', () => {
  test.each([
    ['2026-01-02T03:04:05+0000', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T03:04:05+0530', Date.UTC(2026, 0, 1, 21, 34, 5)],
    ['2026-01-02T03:04:05-08:00', Date.UTC(2026, 0, 2, 11, 4, 5)],
    ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['yesterday', Number.NaN],
    [undefined, Number.NaN],
  ])('is read: %s', (value, time) => {
    expect(parseTime(value)).toBe(time);
  });
});

describe('a look at the newest entries', () => {
  const data = [{ id: '1', made: '1970-01-01T00:00:01+0000' }, { id: '2' }, { id: '3' }];
  const look = (time?: string) =>
    lookAtNewest(pageContext({ fetch: stubFetch(json({ data })) }), {
      path: '42/feed',
      token,
      query: {},
      time,
      match: ({ id }) => (id === '3' ? undefined : { id: String(id) }),
      idOf: ({ id }) => id,
    });

  test('shows those that match, with their times', async () => {
    expect((await look('made'))._unsafeUnwrap().entries).toEqual([
      { id: '1', value: { id: '1' }, at: 1000 },
      { id: '2', value: { id: '2' }, at: Number.NaN },
    ]);
  });

  test('shows them without a time where only the write can have made them', async () => {
    expect((await look())._unsafeUnwrap().entries).toEqual([
      { id: '1', value: { id: '1' }, at: undefined },
      { id: '2', value: { id: '2' }, at: undefined },
    ]);
  });
});
