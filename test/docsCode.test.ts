import { readFileSync } from 'node:fs';

import {
  ApiError,
  ConfigurationError,
  ContainerNotReadyError,
  errorFromJSON,
  RateLimitError,
  TransportError,
} from 'pagepics';
import { textLimits } from 'pagepics/models';
import { describe, expect, test } from 'vitest';

import { momentOf } from '../examples/support/momentOf.ts';
import { reactTo } from '../examples/support/reactTo.ts';
import { fc } from './support/property.ts';

// What docs/recipes.md and the how-tos give to copy.

describe('reactTo', () => {
  const person = { is: 'a matter for a person' };
  const again = (afterMs: number, isAttempt: boolean) => ({ is: 'to be called again', afterMs, isAttempt });

  test.each([
    ['an applied write', new TransportError('network', 'x', { outcome: 'applied' }), 0, { is: 'done' }],
    ['a bad option', new ConfigurationError('x', 'message'), 0, person],
    ['what nobody can find out', new TransportError('network', 'x', { outcome: 'unknown' }), 0, person],
    [
      'a refusal',
      new ApiError('x', { category: 'validation', action: 'fix', outcome: 'rejected' }),
      0,
      person,
    ],
    ['a file that cannot be used', new ContainerNotReadyError('x', '1', 'ERROR'), 0, person],
    [
      'a key that is held, after many attempts',
      new TransportError('busy', 'x', { outcome: 'unknown', retryAfterMs: 9000 }),
      99,
      again(9000, false),
    ],
    ['a limit', new RateLimitError('x', { category: 'rate_limit' }, 60_000), 99, again(60_000, false)],
    [
      'what is not known yet',
      new TransportError('network', 'x', { outcome: 'unknown', retryAfterMs: 700 }),
      3,
      again(700, true),
    ],
    [
      'what is not known yet, after many attempts',
      new TransportError('network', 'x', { outcome: 'unknown', retryAfterMs: 700 }),
      8,
      person,
    ],
    ['a request that did not leave', new TransportError('network', 'x'), 2, again(60_000, true)],
    ['a store that fails', new TransportError('journal', 'x'), 0, again(60_000, true)],
    ['a block', new ApiError('x', { category: 'policy', action: 'wait' }), 0, again(3_600_000, true)],
    [
      'a quota that lasts',
      new ApiError('x', { category: 'quota', action: 'wait' }),
      99,
      again(3_600_000, false),
    ],
    ['a block that lasts', new ApiError('x', { category: 'policy', action: 'wait' }), 8, person],
  ] as const)('knows what to do after %s, from its JSON too', (_, error, attempts, expected) => {
    const back = errorFromJSON(JSON.parse(JSON.stringify(error)));

    expect(reactTo(error, attempts)).toEqual(expected);
    expect(back && reactTo(back, attempts)).toEqual(expected);
  });
});

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
