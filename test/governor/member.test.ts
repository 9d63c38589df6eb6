import { expect, test } from 'vitest';

import {
  check,
  createMember,
  dueAt,
  exchanged,
  landed,
  type Member,
  reported,
  sent,
  weightOf,
} from '../../src/governor/member.ts';
import { counted, readRecord, roomOf } from '../../src/governor/record.ts';

const shares = [100, 90, 75, 50];
const ask = { lane: 2, calls: 1, key: '' };
const start = Date.UTC(2026, 0, 2);

test('more processes than calls in the window of a published rate take turns', () => {
  const rate = { kind: 'conversations', most: 1, windowMs: 1000 };
  let [one, other]: Member[] = ['one', 'other'].map((id) => createMember({ id, shares, syncMs: 1000 }, rate));
  if (!one || !other) throw new Error('there are two');

  const [leased] = exchanged(one, undefined, ask, false, 0.5, start);
  one = { ...one, ...leased };
  expect(check(one, ask, start)).toBe(0);
  one = landed(sent(one, 1, start), 1, start, true, start + 200);
  // The clock of the other one is ahead by as much as may be.
  const [refused] = exchanged(other, one.known, ask, false, 0.5, start + 5300);
  expect(check({ ...other, ...refused }, ask, start + 5300)).toBeGreaterThan(0);

  // The platform counted the call at its response at the latest.
  expect(dueAt(one, start + 1199)).toBe(start + 1200);
  const [returned, isStored] = exchanged(one, one.known, undefined, false, 0.5, start + 1200);
  expect(isStored).toBe(true);
  const [turn] = exchanged(other, returned.known, ask, false, 0.5, start + 6200);
  other = { ...other, ...turn };
  expect(check(other, ask, start + 6200)).toBe(0);
});

test('a process that ends without a word keeps its turn for eleven seconds at most', () => {
  const rate = { kind: 'conversations', most: 1, windowMs: 1000 };
  const [gone, other] = ['gone', 'other'].map((id) => createMember({ id, shares, syncMs: 1000 }, rate));
  if (!gone || !other) throw new Error('there are two');
  const [{ known }] = exchanged(gone, undefined, ask, false, 0.5, start);
  const checkAt = (now: number) =>
    check({ ...other, ...exchanged(other, known, ask, false, 0.5, now)[0] }, ask, now);

  expect(checkAt(start + 10_900)).toBeGreaterThan(0);
  expect(checkAt(start + 11_100)).toBe(0);
});

/** A process of eight that made calls while the store was there. */
function oneOfEight(): Member {
  let record = readRecord({});
  let member = createMember({ id: 'one', shares, syncMs: 1000 });
  for (let round = 0; round < 300; round++) {
    const now = start + round * 10_000;
    const [told] = exchanged(member, record, undefined, false, 0.5, now);
    member = { ...member, ...told };
    // One call here, seven elsewhere.
    member = landed(sent(member, 1, now), 1, now, true, now);
    record = { ...member.known, total: member.known.total + 7 };
  }

  return member;
}

test('while the store is away, a call stands for as many as the fleet has made for each', () => {
  expect(weightOf(oneOfEight())).toBeCloseTo(8, 0);
});

test('while the store is away, no cost is learned from calls of others that are guessed', () => {
  const now = start + 4_000_000;
  let member = oneOfEight();
  for (const percent of [10, 30, 50]) {
    member = landed(sent(member, 5, now), 5, now, true, now);
    member = reported(member, member.known.seq, { percent }, now);
    member = { ...member, ...exchanged(member, undefined, undefined, true, 0.5, now)[0] };
  }

  expect(member.known).toMatchObject({ percent: 50, costs: [] });
});

test('while the store is away, the probes of all processes together use one percent', () => {
  // The fleet has made all calls, so that nothing leaves for an hour.
  const record = counted(readRecord({ percent: 98, at: start, costs: [0.2] }), 500, start);
  const roomAfter = (ms: number) => roomOf(record, undefined, 100, 1, 8, start + ms);

  expect(roomAfter(800_000)).toBe(0);
  expect(roomAfter(3_500_000)).toBe(0);
});

test('a call that never returns, as its request has died, counts for a minute', () => {
  const flying = sent(createMember({ id: 'one', shares, syncMs: 1000 }), 1, start);
  const leases = (now: number) => exchanged(flying, undefined, undefined, false, 0.5, now)[0].known.leases;

  expect(leases(start + 59_000)).toHaveProperty('one');
  expect(leases(start + 61_000)).toEqual({});
});

test('calls that an exchange told, although it failed, are not told again', () => {
  const now = start + 1000;
  const landedOnce = landed(
    sent(createMember({ id: 'one', shares, syncMs: 1000 }), 3, now),
    2,
    now,
    true,
    now,
  );
  // The store got this record, but too late for the process, which goes on by its own copy.
  const [late] = exchanged(landedOnce, readRecord({}), undefined, false, 0.5, now);
  const [alone] = exchanged(landedOnce, undefined, undefined, true, 0.5, now);
  const later = landed({ ...landedOnce, ...alone }, 1, now, true, now + 100);

  const [afterLate] = exchanged(later, late.known, undefined, false, 0.5, now + 200);
  const [afterLoss] = exchanged(later, readRecord({}), undefined, false, 0.5, now + 200);

  expect(late.known.total).toBe(2);
  expect(alone.known.total).toBe(2);
  expect(afterLate.known.total).toBe(3);
  expect(afterLoss.known.total).toBe(3);
});
