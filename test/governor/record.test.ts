import { describe, expect, test } from 'vitest';

import {
  blockedFor,
  counted,
  type LimitRecord,
  named,
  partOf,
  readRecord,
  reported,
  roomIn,
  tried,
  usageOf,
} from '../../src/governor/record.ts';

const [minute, hour] = [60_000, 3_600_000];
const start = Date.UTC(2026, 0, 2);
const known = (values: Partial<LimitRecord>): LimitRecord => readRecord(values);
const room = (r: LimitRecord, now: number, flying = 0, share = 100): number =>
  roomIn(r, undefined, share, 1, flying, now);

/** Calls of the fleet, so many in a minute. */
function made(calls: number, at: number, r = known({})): LimitRecord {
  return counted(r, hour, calls, at);
}

describe('usage', () => {
  test('falls as the fleet made its calls, an hour later', () => {
    const r = { ...made(100, start + 30 * minute, made(98, start)), percent: 99, at: start + 31 * minute };

    expect(usageOf(r, undefined, start + 59 * minute)).toBeCloseTo(99);
    expect(usageOf(r, undefined, start + 62 * minute)).toBeCloseTo(50, 0);
    expect(usageOf(r, undefined, start + 89 * minute)).toBeCloseTo(50, 0);
    expect(room(r, start + 31 * minute)).toBeGreaterThan(28 * minute);
    expect(room(r, start + 31 * minute)).toBeLessThan(31 * minute);
  });

  test('falls evenly if others made the calls', () => {
    const r = known({ percent: 80, at: start });

    expect(usageOf(r, undefined, start + 15 * minute)).toBeCloseTo(60);
    expect(usageOf(r, undefined, start + 15 * minute, true)).toBe(0);
    expect(usageOf(r, undefined, start + hour)).toBe(0);
  });

  test('leaves the last percent free, and room for calls under way', () => {
    const r = known({ percent: 97, at: start });

    expect(room(r, start)).toBe(0);
    expect(room(r, start, 1)).toBe(0);
    expect(room(r, start, 2)).toBeGreaterThan(0);
    expect(room(known({ percent: 99, at: start }), start)).toBeGreaterThan(0);
  });

  test('knows that a call is cheap or dear, once there are ten', () => {
    const cheap = { ...made(1000, start), percent: 50, at: start };
    const dear = { ...made(10, start), percent: 50, at: start };

    expect(room(cheap, start, 900)).toBe(0);
    expect(room(dear, start, 8)).toBe(0);
    expect(room(dear, start, 9)).toBeGreaterThan(0);
  });

  test('that is told by a clock hours off is not known', () => {
    expect(usageOf(known({ percent: 99, at: start + 2 * hour }), undefined, start)).toBe(0);
    expect(blockedFor(known({ until: start + 48 * hour, by: 'a' }), 'b', start)).toBe(0);
  });
});

describe('a report', () => {
  const report = (r: LimitRecord, percent: number, of: number) =>
    reported(r, { percent }, of, 2, 'a', undefined, start);

  test('replaces what its sender knew, and otherwise only raises it', () => {
    const r = known({ percent: 50, at: start, version: 1 });

    expect(report(r, 40, 1)).toMatchObject({ percent: 40, version: 2 });
    expect(report(r, 40, 7)).toBe(r);
    expect(report(r, 60, 7)).toMatchObject({ percent: 60, version: 2 });
  });

  test('ends a block only if its call was sent to try', () => {
    const blocked = reported(
      known({}),
      { isRefused: true, regainMs: 5 * minute },
      0,
      3,
      'a',
      undefined,
      start,
    );
    expect(blocked).toMatchObject({ percent: 100, until: start + 5 * minute });
    expect(report(blocked, 40, 0)).toBe(blocked);
    expect(tried(blocked, 4, 'b', start + 5 * minute)).toBe(blocked);
    const trying = tried(blocked, 4, 'b', start + 5 * minute + 5000);
    expect(tried(trying, 5, 'a', start + 5 * minute + 5000)).toBe(trying);

    expect(report(trying, 40, 4)).toMatchObject({ percent: 40, until: 0 });
  });

  test('of refusals without a time holds twice as long each time, up to an hour', () => {
    let r = known({});
    const lengths = Array.from({ length: 8 }, () => {
      r = reported(r, { isRefused: true }, r.version, r.version + 1, 'a', undefined, start);
      return (r.until - start) / minute;
    });

    expect(lengths).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });
});

describe('processes that share a rate', () => {
  const rate = { kind: 'conversations', most: 2, windowMs: 1000 };
  const shared = (names: readonly string[]): LimitRecord =>
    names.reduce((r, name) => named(r, name, start + hour, start), known({}));

  test('take equal parts', () => {
    expect(partOf(shared([]), rate, 'a', start)).toMatchObject({ calls: 2, waitMs: 0 });
    expect(partOf(shared(['a', 'b']), rate, 'a', start)).toMatchObject({ calls: 1, waitMs: 0 });
  });

  test('take turns if they are more than its calls, however much their clocks differ', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const r = shared(names);
    const may = (name: string, now: number): boolean => partOf(r, rate, name, now).waitMs === 0;
    for (let at = 0; at < 120_000; at += 500) {
      const now = start + at;
      // One clock is five seconds ahead.
      const active = names.filter((name) => may(name, name === 'c' ? now + 4999 : now));
      expect(active.length).toBeLessThanOrEqual(2);
    }
    for (const name of names) {
      const { waitMs } = partOf(r, rate, name, start);
      expect(waitMs).toBeLessThanOrEqual(45_000);
      expect(may(name, start + waitMs)).toBe(true);
    }
  });
});
