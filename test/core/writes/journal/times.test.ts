import { expect, test } from 'vitest';

import type { Sending } from '../../../../src/core/writes/journal/entry.ts';
import {
  ageMs,
  effectSpan,
  isGone,
  isNear,
  lockMs,
  msUntilMore,
  msUntilOver,
  withPlatformTime,
} from '../../../../src/core/writes/journal/times.ts';
import type { KeyedContext } from '../../../../src/core/writes/journal/types.ts';

// All that is concluded from the times of a request, by machines whose clocks are right and wrong.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const sentAt = Date.parse('2026-11-28T08:00:00Z');
/** How long it can be in flight: it is over after 11.5 minutes. */
const lastsMs = 0.5 * minute;
const over = 11.5 * minute;

interface Clocks {
  /** By how much the machine's clock is off. */
  readonly off?: number;
  /** By how much a `Date` is off; `undefined` if none is shown. */
  readonly dateOff?: number | undefined;
}

/** The context of a machine, some time after the request. */
function after(ms: number, { off = 0, ...given }: Clocks = {}): KeyedContext {
  const { dateOff } = { dateOff: 0, ...given };
  const now = sentAt + ms;
  const [earliest, latest] = dateOff === undefined ? [-Infinity, Infinity] : [dateOff, dateOff + 1000];
  const context = {
    clock: { now: () => now + off, monotonic: () => now },
    platformClock: { timeAt: (at: number) => ({ earliest: at + earliest, latest: at + latest }) },
    journal: { journalSettleMs: 10 * minute, journalLeaseMs: 2 * minute, journalTtlMs: 7 * day },
  };
  // What times go by.
  return context as unknown as KeyedContext;
}
const hidden = { dateOff: undefined };

/** Of a sender whose clock is off, which knew the platform's time or not; and when another call met it. */
const sent = ({ off = 0, ...given }: Clocks = {}, seenAfter?: number): Sending => {
  const { dateOff } = { dateOff: 0, ...given };
  return {
    local: sentAt + off,
    platform: dateOff === undefined ? undefined : sentAt + dateOff,
    seen: seenAfter === undefined ? undefined : sentAt + seenAfter,
    lastsMs,
  };
};

test.each<[string, Sending, Clocks, number | undefined, number | undefined]>([
  // What it is, when it is over by this reader's clocks, and when it counts as over.
  ['of right clocks', sent(), {}, over, over],
  ['of a clock an hour ahead, read by the same', sent({ off: hour }), { off: hour }, over, over],
  ['of a clock a day behind, read by the same', sent({ off: -day }), { off: -day }, over, over],
  ['of a clock an hour ahead, read by another', sent({ off: hour }), {}, over + hour, over + hour],
  ['of a clock an hour behind, read by another', sent({ off: -hour }), {}, over, over],
  [
    'of a Date an hour ahead, read behind the same proxy',
    sent({ dateOff: hour }),
    { dateOff: hour },
    over,
    over,
  ],
  ['of a Date an hour ahead, read by another', sent({ dateOff: hour }), {}, over + hour, over + hour],
  ['met after 20 minutes', sent(hidden, 20 * minute), {}, 20 * minute + over, 20 * minute + over],
  [
    'of a clock an hour behind, met after a minute',
    sent({ off: -hour, ...hidden }, minute),
    {},
    minute + over,
    minute + over,
  ],
  ['not met', sent(hidden), {}, undefined, over],
  ['of right clocks, where no Date is shown', sent(), hidden, undefined, over],
])('a request %s', (_, sending, clocks, overAfter, moreAfter) => {
  const isOverAt = (ms: number) => msUntilOver(after(ms, clocks), sending) === 0;
  if (overAfter === undefined) expect(isOverAt(365 * day)).toBe(false);
  else expect([isOverAt(overAfter - 1), isOverAt(overAfter)]).toEqual([false, true]);
  const more = moreAfter ?? 0;
  expect(msUntilMore(after(more - minute, clocks), sending)).toBeGreaterThanOrEqual(minute);
  expect(msUntilMore(after(more - minute, clocks), sending)).toBeLessThanOrEqual(minute + 2000);
  expect(msUntilMore(after(more, clocks), sending)).toBeUndefined();
});

test.each<[string, Sending, number, readonly [number, number], readonly [number, number]]>([
  // When it is read; the span of what it may have made; what it takes by its text.
  ['of right clocks', sent(), day, [-minute, over], [-6 * minute, over]],
  [
    'of a clock 4 minutes ahead',
    sent({ off: 4 * minute }),
    day,
    [-minute, over + 4 * minute],
    [-2 * minute, over],
  ],
  [
    'of a Date 4 minutes behind',
    sent({ dateOff: -4 * minute }),
    day,
    [-5 * minute, over],
    [-6 * minute, over - 4 * minute],
  ],
  ['of a clock an hour ahead', sent({ off: hour }), day, [-minute, hour + over], [0, -1]],
  [
    'of a process that died, met after 20 minutes',
    sent(hidden, 20 * minute),
    day,
    [-hour - minute, day + 1000 + over],
    [-6 * minute, over],
  ],
  [
    'of one with a clock 2 hours ahead, met after 20 minutes',
    sent({ off: 2 * hour, ...hidden }, 20 * minute),
    day,
    [20 * minute - day - minute, day + 1000 + over],
    [2 * hour - 6 * minute, 2 * hour + over],
  ],
  [
    'of one that died, not met',
    sent(hidden),
    hour,
    [-hour - minute, hour + 1000 + over],
    [-6 * minute, over],
  ],
])('the effect of a request %s', (_, sending, ms, [from, until], [first, last]) => {
  expect(effectSpan(after(ms), sending)).toEqual({ from: sentAt + from, until: sentAt + until });
  const isTaken = (at: number) => isNear(after(ms), sending, sentAt + at);
  if (first > last) expect([from, 0, hour, until].map(isTaken)).not.toContain(true);
  else expect([first - 1, first, last, last + 1].map(isTaken)).toEqual([false, true, true, false]);
});

test('a sender whose clock is minutes behind finds its own by the text, however short the settling time is', () => {
  const context = after(hour);
  const settling = { ...context, journal: { ...context.journal, journalSettleMs: 0 } };
  const late = lastsMs + 6 * minute;
  const isTaken = (at: number) => isNear(settling, sent({ off: -5 * minute }), sentAt + at);
  expect([1000, late - 5 * minute, late - 5 * minute + 1].map(isTaken)).toEqual([true, true, false]);
});

test('the time of the platform is added to a request once: by its sender, when it was sent; by another call, when it met it', () => {
  const cold = sent(hidden);
  expect(withPlatformTime(after(minute, hidden), cold)).toBe(cold);
  const timed = withPlatformTime(after(minute), cold, sentAt);
  expect(timed).toEqual({ ...cold, platform: sentAt });
  const met = withPlatformTime(after(minute), cold);
  expect(met).toEqual({ ...cold, seen: sentAt + minute + 1000 });
  expect([timed, met].map((one) => withPlatformTime(after(hour), one))).toEqual([timed, met]);
});

test('a request is over a millisecond later, and the resolution of a Date', () => {
  expect(msUntilOver(after(over - 1), sent())).toBe(2001);
  expect(msUntilOver(after(over, { off: -1 }), sent())).toBe(2001);
  expect(msUntilOver(after(over, { dateOff: -1 }), sent())).toBe(2001);
  expect(msUntilMore(after(over - 1, hidden), sent(hidden))).toBe(1);
});

test('a lock forgets a request once its key would be forgotten too, by both clocks', () => {
  const context = after(0);
  const protectsMs = lockMs(context, { lastsMs });
  expect(protectsMs).toBe(2 * (lastsMs + 72 * minute));
  const keptMs = protectsMs + context.journal.journalTtlMs;
  const isGoneAfter = (ms: number, clocks: Clocks = {}) => isGone(after(ms, clocks), sent());
  expect([keptMs, keptMs + 1].map((ms) => isGoneAfter(ms))).toEqual([false, true]);
  expect([{ off: -hour }, { dateOff: -hour }].map((off) => isGoneAfter(keptMs + 1, off))).toEqual([
    false,
    false,
  ]);
  // Nobody has met it: it may have been sent just now.
  expect(isGone(after(30 * day), sent(hidden))).toBe(false);
});

test('the age of a request is the longest that a clock says', () => {
  expect(ageMs(after(hour), sent())).toBe(hour);
  expect(ageMs(after(hour), sent({ off: -day }))).toBe(hour + day);
  expect(ageMs(after(hour), sent({ off: day }))).toBe(hour);
  expect(ageMs(after(hour), sent({ off: 2 * hour, ...hidden }, minute))).toBe(hour - minute);
  expect(ageMs(after(0), sent({ off: day, dateOff: day }))).toBe(0);
});
