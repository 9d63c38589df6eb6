import * as v from 'valibot';
import { expect, test } from 'vitest';

import { isDay, splitDays, rangeOf, toDay, toDayName } from '../../../src/core/options/days.ts';
import { faultIn } from '../../support/rules.ts';

test.each(['0001-01-01', '2024-02-29', '9999-12-31', new Date(0)])('%s is a day', (value) => {
  expect(v.parse(isDay, value)).toEqual(value);
});

test.each(['0000-12-31', '2023-02-29', '+010000-01', ' 2026-03-02', '2026-03-02Z', 20_260_302, null])(
  '%j is no day',
  (value) => {
    expect(faultIn(isDay, value)).toBe('must be a Date or a date as YYYY-MM-DD');
  },
);

test('a day begins at midnight UTC, before 1970 as well', () => {
  expect(toDay(new Date('2026-03-02T23:59:59.999Z'))).toBe(Date.UTC(2026, 2, 2));
  expect(toDay(new Date(-1))).toBe(-86_400_000);
  expect(toDayName(-86_400_000)).toBe('1969-12-31');
});

const now = Date.UTC(2026, 2, 31, 12);
const march = { since: Date.UTC(2026, 2, 1), until: Date.UTC(2026, 2, 31) };

test('a range is the last 30 days, and ends today at the latest', () => {
  expect(rangeOf({}, now, 30)).toMatchObject({ value: { ...march, since: Date.UTC(2026, 2, 2) } });
  expect(rangeOf({ since: '2026-03-01', until: '2026-04-02' }, now, 31)).toMatchObject({ value: march });
});

test.each([
  ['2026-02-28', 'since must be at most 30 days before 2026-03-31'],
  ['2026-04-01', 'since must not be after 2026-03-31'],
])('a range of 31 days cannot begin at %s', (since, message) => {
  for (const until of [undefined, '2026-04-30'])
    expect(rangeOf({ since, until }, now, 31)).toMatchObject({ error: { message, option: 'since' } });
});

test('the parts of a range leave no day out', () => {
  const parts = splitDays(march, 14).map(({ since, until }) => [toDayName(since), toDayName(until)]);

  expect(parts).toEqual([
    ['2026-03-01', '2026-03-14'],
    ['2026-03-15', '2026-03-28'],
    ['2026-03-29', '2026-03-31'],
  ]);
});
