import { describe, expect, test } from 'vitest';

import { matchOwnWrite } from '../../../src/core/writes/lookUp.ts';
import type { RecentWrite } from '../../../src/core/writes/memory.ts';

/** A platform whose clock is the local one, as far as is known: with so many milliseconds open. */
const timeAt =
  (openMs = 1000) =>
  (instant: number) => ({ earliest: instant, latest: instant + openMs });
const entry = (createdAt: number, id = 'e') => ({ id, createdAt });
const other = (fields: Partial<RecentWrite>): RecentWrite => ({
  list: 'l',
  content: 'c',
  resource: undefined,
  startedAt: 100_000,
  ...fields,
});
const began = 100_400;

function match(
  entries: readonly { id: string; createdAt: number }[],
  others: readonly RecentWrite[] = [],
  openMs?: number,
) {
  return matchOwnWrite(entries, timeAt(openMs)(began), others, timeAt(openMs));
}

describe('an entry is the own one', () => {
  test.each([
    ['made at once, though its time is rounded down', [entry(100_000)]],
    ['made later', [entry(107_000)]],
    ['beside an older one', [entry(99_999, 'older'), entry(101_000)]],
    ['beside one without a time', [entry(Number.NaN, 'timeless'), entry(101_000)]],
    ['shown twice', [entry(101_000), entry(101_000)]],
  ])('%s', (_, entries) => {
    expect(match(entries)).toEqual({ id: 'e', isSure: true });
  });

  test.each([
    ['resolved, with another id', other({ id: 'x', endedAt: 101_000 })],
    ['resolved, with the same id at quite another time', other({ id: 'e', startedAt: 1, endedAt: 50_000 })],
    ['unresolved, begun long after the entry', other({ startedAt: 120_000 })],
  ])('although there is an equal write that is %s', (_, rival) => {
    expect(match([entry(101_000)], [rival])).toEqual({ id: 'e', isSure: true });
  });
});

describe('an entry is none of its own', () => {
  test('when nothing is there', () => {
    expect(match([])).toBeUndefined();
  });

  test('when it is older', () => {
    expect(match([entry(99_999)])).toBeUndefined();
  });

  test('when another write made it', () => {
    expect(match([entry(101_000)], [other({ id: 'e', endedAt: 101_500 })])).toBeUndefined();
  });
});

describe('what fits is ambiguous', () => {
  test('when there are two', () => {
    expect(match([entry(101_000, 'a'), entry(102_000, 'b')])).toBeUndefined();
  });

  test('when its time cannot be read', () => {
    expect(match([entry(Number.NaN)])).toBeUndefined();
  });

  test.each([
    ['is under way', other({})],
    ['ended without being found', other({ startedAt: 90_000, endedAt: 99_000 })],
  ])('when another write %s', (_, rival) => {
    expect(match([entry(101_000)], [rival])).toBeUndefined();
  });

  test("when the platform's clock is not known, or hardly", () => {
    expect(match([entry(101_000)], [], 4001)).toBeUndefined();
    expect(match([entry(101_000)], [], Infinity)).toBeUndefined();
  });
});

test("an entry is likely the own one where the platform's clock is known to a few seconds", () => {
  expect(match([entry(101_000)], [], 2000)).toEqual({ id: 'e', isSure: true });
  expect(match([entry(101_000)], [], 2001)).toEqual({ id: 'e', isSure: false });
});
