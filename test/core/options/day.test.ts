import { expect, test } from 'vitest';

import { isDay, toDay, toDayName } from '../../../src/core/options/day.ts';

test.each(['0001-01-01', '2024-02-29', '9999-12-31', new Date(0)])('%s is a day', (value) => {
  expect(isDay(value)).toEqual({ use: value });
});

test.each(['0000-12-31', '2023-02-29', '+010000-01', ' 2026-03-02', '2026-03-02Z', 20_260_302, null])(
  '%j is no day',
  (value) => {
    expect(isDay(value)).toBe('must be a Date or a date as YYYY-MM-DD');
  },
);

test('a day begins at midnight UTC, before 1970 as well', () => {
  expect(toDay(new Date('2026-03-02T23:59:59.999Z'))).toBe(Date.UTC(2026, 2, 2));
  expect(toDay(new Date(-1))).toBe(-86_400_000);
  expect(toDayName(-86_400_000)).toBe('1969-12-31');
});
