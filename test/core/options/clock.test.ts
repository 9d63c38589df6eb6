import { afterEach, describe, expect, test, vi } from 'vitest';

import { type Clock, systemClock, withMonotonic } from '../../../src/core/options/clock.ts';
import { pageContext } from '../../support/context.ts';

afterEach(() => void vi.useRealTimers());

/** A clock that only sleeps move, as tests have them. */
function testClock(): Clock & { readonly advance: (ms: number) => void } {
  let time = 0;
  return {
    now: () => time,
    sleep: async (ms) => void (time += ms),
    advance: (ms) => void (time += ms),
  };
}

describe('monotonic time', () => {
  test('of the system is not moved by a wall clock that is set', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const before = systemClock.monotonic();
    vi.setSystemTime(Date.now() + 120_000);

    expect(systemClock.monotonic() - before).toBeLessThan(10_000);
  });

  test('of a clock whose sleeps are real is not moved by its wall clock', async () => {
    let stepMs = 0;
    const clock = withMonotonic({ now: () => Date.now() + stepMs, sleep: systemClock.sleep });
    const before = clock.monotonic();
    await clock.sleep(10);
    stepMs = 120_000;
    const ahead = clock.monotonic();
    stepMs = -120_000;
    await clock.sleep(10);

    expect(ahead - before).toBeGreaterThan(8);
    expect(ahead - before).toBeLessThan(10_000);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(ahead);
  });

  test("of a clock whose sleeps take no time is the clock's own", async () => {
    const own = testClock();
    const clock = withMonotonic(own);
    const before = clock.monotonic();
    await clock.sleep(60_000);
    own.advance(5000);

    expect(clock.monotonic() - before).toBeCloseTo(65_000, -1);
  });

  test('is one for all contexts of a clock, and the one that a clock tells where it does', () => {
    const own = testClock();
    expect(withMonotonic(own)).toBe(withMonotonic(own));
    const complete = { ...own, monotonic: () => 7 };
    expect(pageContext({ clock: complete }).clock).toBe(complete);
  });

  test('is not taken for virtual by a sleep that is aborted', async () => {
    let stepMs = 0;
    const clock = withMonotonic({ now: () => stepMs, sleep: systemClock.sleep });
    const controller = new AbortController();
    const asleep = clock.sleep(60_000, controller.signal);
    controller.abort();
    await asleep;
    const before = clock.monotonic();
    stepMs = 120_000;

    expect(clock.monotonic() - before).toBeLessThan(10_000);
  });
});
