import { describe, expect, test } from 'vitest';

import {
  blockedFor,
  type LimitRecord,
  named,
  partOf,
  readRecord,
  reported,
  roomIn,
  tried,
  usageOf,
} from '../../src/governor/record.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const start = Date.UTC(2026, 0, 2);
const known = (values: Partial<LimitRecord>): LimitRecord => readRecord(values);
const usage = (r: LimitRecord, now: number): number => usageOf(r, undefined, now);
const room = (r: LimitRecord, more: number, now: number): number => roomIn(r, undefined, more, 99, now);
const report = (r: LimitRecord, percent: number, now: number, by = ''): LimitRecord =>
  reported(r, { percent }, by, undefined, now);

describe('usage', () => {
  test('leaves an hour after it came, and five seconds, as clocks differ', () => {
    const first = report(known({ at: start }), 40, start + minute);
    const r = report(first, 90, start + 30 * minute);

    expect(usage(r, start + hour + minute + 4 * second)).toBe(90);
    expect(usage(r, start + hour + minute + 5 * second)).toBe(50);
    expect(usage(r, start + hour + 31 * minute)).toBe(0);
    expect(room(r, 9, start + 31 * minute)).toBe(0);
    expect(room(r, 10, start + 31 * minute)).toBe(30 * minute + 5 * second);
    expect(room(r, 60, start + 31 * minute)).toBe(59 * minute + 5 * second);
  });

  test('that was found leaves evenly, since nobody knows when it came', () => {
    const r = report(known({}), 80, start);

    expect(usage(r, start)).toBeCloseTo(80, 1);
    expect(usage(r, start + 16 * minute)).toBeCloseTo(60, 1);
    expect(usage(r, start + 31 * minute)).toBeCloseTo(40, 1);
    expect(usage(r, start + hour + minute)).toBe(0);
  });

  test('is what was reported last, or up to one percent more', () => {
    const r = report(known({ at: start }), 40.7, start);

    expect(usage(report(r, 40, start + second), start + second)).toBe(40.7);
    expect(report(r, 40, start + second).percent).toBe(40);
    expect(usage(report(r, 50, start + second), start + second)).toBe(50);
    expect(usage(report(r, 20, start + second), start + second)).toBeCloseTo(21, 1);
  });

  test('that is told out of order leaves when it came', () => {
    let r = known({ at: start });
    for (let percent = 1; percent <= 80; percent++) {
      const at = start + percent * 15 * second;
      r = report(r, percent, at);
      // Of two responses, the earlier one is told last.
      r = report(r, percent - 1, at - second);
    }

    expect(usage(r, start + hour + 10 * minute)).toBeGreaterThan(38);
    expect(usage(r, start + hour + 10 * minute)).toBeLessThan(42);
    expect(usage(r, start + hour + 15 * minute)).toBeLessThan(22);
  });

  test.each([0, 5, 60])('told by clocks that are %i s apart is kept in two amounts a minute', (apart) => {
    let r = known({ at: start });
    for (let call = 1; call <= 1800; call++)
      r = report(r, call / 20, start + (call + (call % 2) * apart) * second);

    expect(r.used.length).toBeLessThanOrEqual(64);
    expect(usage(r, start + hour + 15 * minute)).toBeGreaterThan(45);
    expect(usage(r, start + hour + 15 * minute)).toBeLessThan(49);
  });

  test('keeps to 128 amounts', () => {
    let r = known({ at: start });
    for (let percent = 1; percent < 100; percent++) r = report(r, percent, start + percent * 35 * second);

    expect(r.used.length).toBeLessThanOrEqual(128);
    expect(usage(r, start + hour)).toBeCloseTo(99);
  });

  test('that is told by a clock hours off is not known', () => {
    const r = report(known({}), 99, start + 2 * hour);

    expect(usage(r, start)).toBe(0);
    expect(blockedFor(known({ until: start + 48 * hour, by: 'a-1' }), 'b-', start)).toBe(0);
  });
});

describe('a refusal', () => {
  const refused = (r: LimitRecord, regainMs: number | undefined): LimitRecord =>
    reported(r, { isRefused: true, ...(regainMs && { regainMs }) }, 'a-1', undefined, start);

  test('is a block, which only a call that tries ends', () => {
    const blocked = refused(known({}), 5 * minute);
    expect(blocked).toMatchObject({ percent: 100, until: start + 5 * minute });
    expect(report(blocked, 40, start)).toBe(blocked);
    expect(tried(blocked, 'b-2', 'b-', start + 5 * minute)).toBe(blocked);
    const trying = tried(blocked, 'b-2', 'b-', start + 5 * minute + 5000);
    expect(tried(trying, 'a-2', 'a-', start + 5 * minute + 5000)).toBe(trying);
    expect(report(trying, 40, start + 6 * minute, 'a-1')).toBe(trying);

    expect(report(trying, 40, start + 6 * minute, 'b-2')).toMatchObject({ percent: 40, until: 0 });
  });

  test('without a time holds twice as long each time, up to a quarter of an hour', () => {
    let r = known({});
    const lengths = Array.from({ length: 8 }, () => {
      r = refused(r, undefined);
      return (r.until - start) / minute;
    });

    expect(lengths).toEqual([1, 2, 4, 8, 15, 15, 15, 15]);
  });
});

describe('processes that share a rate', () => {
  const rate = { kind: 'conversations', most: 2, windowMs: 1000 };
  const shared = (names: readonly string[]): LimitRecord =>
    names.reduce((r, name) => named(r, [name], start + hour, start), known({}));

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
