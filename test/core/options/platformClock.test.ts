import { describe, expect, test } from 'vitest';

import { get } from '../../../src/core/lowLevel/request.ts';
import { createPlatformClock } from '../../../src/core/options/clock.ts';
import { pageContext, virtualClock } from '../../support/context.ts';
import { fc } from '../../support/property.ts';
import { json, stubFetch } from '../stub.ts';

const noon = Date.UTC(2026, 0, 2, 12);

function dated(time: number, more: Readonly<Record<string, string>> = {}): Headers {
  return new Headers({ date: new Date(time).toUTCString(), ...more });
}

describe('the clock of the platform', () => {
  test('is not known before a Date header was seen', () => {
    const clock = createPlatformClock();
    clock.observe(new Headers(), 0, 100);
    clock.observe(new Headers({ date: 'soon' }), 0, 100);

    expect(clock.timeAt(50)).toEqual({ earliest: -Infinity, latest: Infinity });
  });

  test('is known to a second and the time that the response took', () => {
    const clock = createPlatformClock();
    clock.observe(dated(noon), 1000, 1200);

    expect(clock.timeAt(1000)).toEqual({ earliest: noon - 200, latest: noon + 1000 });
  });

  test('is what all responses allow', () => {
    const clock = createPlatformClock();
    clock.observe(dated(noon), 0, 3000);
    // Half a second later the header shows the next second: it has just begun.
    clock.observe(dated(noon), 3100, 3110);
    clock.observe(dated(noon + 1000), 3600, 3610);
    const { earliest, latest } = clock.timeAt(3100);

    expect(noon + 500 - earliest).toBeLessThan(15);
    expect(latest - (noon + 500)).toBeGreaterThan(0);
    expect(latest - earliest).toBeLessThan(520);
  });

  test('is believed by neither of two responses that contradict each other, and by the next again', () => {
    const clock = createPlatformClock();
    clock.observe(dated(noon), 0, 10);
    clock.observe(dated(noon + 120_000), 20, 30);
    const torn = clock.timeAt(0);
    clock.observe(dated(noon + 120_000), 40, 50);
    const healed = clock.timeAt(0);

    expect(torn.latest - torn.earliest).toBeGreaterThan(120_000);
    expect(healed.latest - healed.earliest).toBeLessThan(1100);
    expect(healed.earliest).toBeGreaterThan(noon + 119_000);
  });

  test('is not learnt from what a cache held', () => {
    const clock = createPlatformClock();
    clock.observe(dated(noon, { age: '40' }), 0, 10);

    expect(clock.timeAt(0)).toEqual({ earliest: -Infinity, latest: Infinity });
  });

  test('holds the true time, however long responses take and slowly the clocks drift apart', () => {
    const response = fc.record({
      pause: fc.integer({ min: 0, max: 600_000 }),
      before: fc.integer({ min: 0, max: 20_000 }),
      after: fc.integer({ min: 0, max: 20_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(response, { minLength: 1, maxLength: 30 }),
        fc.double({ min: -0.0004, max: 0.0004, noNaN: true }),
        (responses, drift) => {
          const clock = createPlatformClock();
          const platform = (local: number): number => noon + local * (1 + drift);
          let now = 0;
          for (const { pause, before, after } of responses) {
            now += pause;
            const sentAt = now;
            now += before;
            const headers = dated(platform(now));
            now += after;
            clock.observe(headers, sentAt, now);
            const { earliest, latest } = clock.timeAt(now);
            expect(earliest).toBeLessThanOrEqual(platform(now) + 40);
            expect(latest).toBeGreaterThanOrEqual(platform(now) - 40);
          }
        },
      ),
    );
  });

  test('is learnt by a context from the responses of its own platform only', async () => {
    const headers = { date: new Date(noon).toUTCString() };
    const clock = virtualClock();
    const context = pageContext({ clock, fetch: stubFetch(json({}, 200, headers)) });

    expect((await get(context, 'https://elsewhere.test/time')).isOk()).toBe(true);
    expect(context.platformClock.timeAt(clock.monotonic()).latest).toBe(Infinity);
    expect((await get(context, '4')).isOk()).toBe(true);
    expect(context.platformClock.timeAt(clock.monotonic())).toEqual({ earliest: noon, latest: noon + 1000 });
  });
});
