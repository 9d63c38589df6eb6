import { readFileSync } from 'node:fs';

import { textLimits } from 'pagepics/models';
import { describe, expect, test } from 'vitest';

import { momentOf } from '../examples/support/momentOf.ts';
import { fc } from './support/property.ts';

// What docs/recipes.md and the how-tos give to copy.

describe('momentOf', () => {
  test.each([
    ['2027-03-28 01:59', 'Europe/Berlin', '2027-03-28T00:59:00.000Z'],
    ['2027-03-28 03:00', 'Europe/Berlin', '2027-03-28T01:00:00.000Z'],
    ['2026-10-25 03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    ['2026-07-01 00:00', 'Asia/Kathmandu', '2026-06-30T18:15:00.000Z'],
    ['2028-02-29 23:59', 'UTC', '2028-02-29T23:59:00.000Z'],
  ])('takes %s in %s for %s', (local, timeZone, expected) => {
    expect(momentOf(local, timeZone).toISOString()).toBe(expected);
  });

  test.each<[string, string, string]>([
    ['2027-03-28 02:30', 'Europe/Berlin', '2027-03-28 02:30 never comes in Europe/Berlin'],
    ['2011-12-30 10:00', 'Pacific/Apia', '2011-12-30 10:00 never comes in Pacific/Apia'],
    [
      '2026-10-25 02:30',
      'Europe/Berlin',
      '2026-10-25 02:30 comes twice: 2026-10-25T00:30:00.000Z, 2026-10-25T01:30:00.000Z',
    ],
    [
      '2026-04-05 01:45',
      'Australia/Lord_Howe',
      '2026-04-05 01:45 comes twice: 2026-04-04T14:45:00.000Z, 2026-04-04T15:15:00.000Z',
    ],
    ['2026-10-25T02:30', 'UTC', 'no time such as 2027-03-28 09:00: 2026-10-25T02:30'],
    // No calendar has these, though `Date` reads some of them as others.
    ...[
      '2027-02-29 09:00',
      '2027-02-30 09:00',
      '2027-02-32 09:00',
      '2026-11-31 18:30',
      '2027-00-10 09:00',
      '2027-13-01 09:00',
      '2027-03-28 24:00',
      '2027-03-28 23:60',
      '2027-03-28 9:00',
      '+002027-03-28 09:00',
      '',
    ].map<[string, string, string]>((local) => [
      local,
      'Europe/Berlin',
      `no time such as 2027-03-28 09:00: ${local}`,
    ]),
  ])('refuses %s in %s', (local, timeZone, said) => {
    expect(() => momentOf(local, timeZone)).toThrow(new Error(said));
  });

  test('finds each moment from what clocks show then, or names it as one of two', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Asia/Kathmandu',
    ];
    const minutes = fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, timeZone) => {
        const moment = new Date(minute * 60_000);
        const local = moment.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
        try {
          expect(momentOf(local, timeZone)).toEqual(moment);
        } catch (error) {
          expect(String(error)).toContain(`comes twice: `);
          expect(String(error)).toContain(moment.toISOString());
        }
      }),
    );
  });
});

test('docs/inbox.md has the limits of texts', () => {
  const [, part = ''] = readFileSync('docs/inbox.md', 'utf8').split('### Limits of texts\n');
  const told = [...part.matchAll(/^\| `(\w+\.\w+)` \| (.*?)(?:, unverified)? \| \w+ \|$/gm)];
  const units = {
    characters: 'characters',
    bytes: 'bytes of UTF-8',
    hashtags: 'hashtags',
    mentions: 'mentions',
  };

  const known = Object.entries(textLimits).flatMap(([where, texts]) =>
    Object.entries(texts).map(([name, limits]: [string, Record<string, number>]) => [
      `${where}.${name}`,
      Object.entries(limits)
        .map(([unit, most]) => `${most} ${{ ...units, links: 'link' }[unit]}`)
        .join(', '),
    ]),
  );
  expect(told.map(([, name, limit]) => [name, limit])).toEqual(known);
});
