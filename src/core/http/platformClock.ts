import type { MonotonicClock } from '../options/clock.ts';

/** Bounds of a time by the platform's clock, in milliseconds since 1970. */
export interface PlatformTime {
  readonly earliest: number;
  readonly latest: number;
}

/**
 * What a context has learned about the platform's clock: the range of its offset from local monotonic time. Mutable:
 * each response narrows the range. It holds three numbers, however many responses there were.
 */
export interface PlatformClock {
  /** Learns from the headers of a response that was created between two local times. */
  readonly observe: (headers: Headers, sentAt: number, receivedAt: number) => void;
  /** The platform's time at a local time; unbounded until a `Date` header was seen. */
  readonly timeAt: (instant: number) => PlatformTime;
}

/** The latest time that the platform's clock can show now; the local time before the first response. */
export function platformNow({
  clock,
  platformClock,
}: {
  readonly clock: MonotonicClock;
  readonly platformClock: PlatformClock;
}): number {
  const { latest } = platformClock.timeAt(clock.monotonic());
  return Number.isFinite(latest) ? latest : clock.now();
}

/** The `Date` header has one-second resolution. */
const resolutionMs = 1000;
/** How fast two clocks may drift apart: the fastest that a system slews its clock. */
const drift = 0.0005;

export function createPlatformClock(): PlatformClock {
  let least = -Infinity;
  let most = Infinity;
  let learntAt = 0;

  return {
    observe: (headers, sentAt, receivedAt) => {
      const date = Date.parse(headers.get('date') ?? '');
      // A cached response has the date of the original one.
      if (Number.isNaN(date) || headers.has('age')) return;
      const seen = { least: date - receivedAt, most: date + resolutionMs - sentAt };
      const slack = Math.max(0, receivedAt - learntAt) * drift;
      least -= slack;
      most += slack;
      // If they contradict each other, because a clock was changed, both count until the next response decides.
      const isContradicted = least > seen.most || most < seen.least;
      const [lower, upper] = isContradicted ? [Math.min, Math.max] : [Math.max, Math.min];
      least = lower(least, seen.least);
      most = upper(most, seen.most);
      learntAt = receivedAt;
    },
    timeAt: (instant) => ({ earliest: instant + least, latest: instant + most }),
  };
}
