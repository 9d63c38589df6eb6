import { ok } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { isRefreshDue, parseTime, type RefreshableToken } from '../../../src/core/options/time.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 0, 31);
const life = { expires_in: 60 * 86_400 };

describe('isRefreshDue', () => {
  test.each([
    ['just issued', 60, false],
    ['a day short of half its life', 31, false],
    ['at half its life', 30, true],
    ['with an hour left', 1 / 24, true],
    ['at its end', 0, 'ended'],
    ['long ended', -10, 'ended'],
  ])('a 60-day token that is %s', (_, daysLeft, due) => {
    const expires_at = new Date(now + daysLeft * day);

    expect(isRefreshDue({ ...life, expires_at }, now)).toBe(due);
    expect(isRefreshDue({ expires_at }, now)).toBe(due);
    expect(isRefreshDue(JSON.parse(JSON.stringify({ ...life, expires_at })), now)).toBe(due);
  });

  test('a token of an hour is never due: it is exchanged', () => {
    expect(isRefreshDue({ expires_in: 3600, expires_at: new Date(now + 60_000) }, now)).toBe(false);
    expect(isRefreshDue({ expires_in: 3600, expires_at: new Date(now - 1) }, now)).toBe('ended');
  });

  test('a token without an end is never due', () => {
    expect(isRefreshDue({ expires_at: undefined }, now)).toBe(false);
    expect(isRefreshDue({ expires_at: null } as never, now)).toBe(false);
  });

  test('one that was stored with null for its lifetime lives for 60 days', () => {
    const stored = { expires_at: new Date(now + 29 * day), expires_in: null };
    expect(isRefreshDue(stored as never, now)).toBe(true);
  });

  test.each([[undefined], [null], ['2026-01-31'], [ok({ ...life })], [Promise.resolve({ ...life })]])(
    'refuses %j, which is no bundle',
    (bundle) => {
      expect(() => isRefreshDue(bundle as never, now)).toThrow(
        expect.objectContaining({ name: 'ConfigurationError', option: 'bundle' }),
      );
    },
  );

  test.each([
    ['soon'],
    [''],
    ['2027-02-30'],
    ['2027-02-30T09:00:00.000Z'],
    ['2027-13-01T09:00:00.000Z'],
    ['2027-02-28T24:00:00.000Z'],
    [new Date(Number.NaN)],
    [Number.NaN],
    [Infinity],
    // Seconds: it would have ended in 1970.
    [1_800_000_000],
    [0],
  ])('refuses %j, which is no time: it would never be due, or have ended', (expires_at) => {
    expect(() => isRefreshDue({ expires_at }, now)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option: 'bundle.expires_at' }),
    );
  });

  test.each([[Number.NaN], [0], [-1], ['soon']])('refuses %j, which is no lifetime', (expires_in) => {
    const bundle = { expires_at: new Date(now + day), expires_in } as RefreshableToken;
    expect(() => isRefreshDue(bundle, now)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option: 'bundle.expires_in' }),
    );
  });

  test('takes the present by default', () => {
    expect(isRefreshDue({ ...life, expires_at: new Date(Date.now() + 5 * day) })).toBe(true);
  });
});

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
