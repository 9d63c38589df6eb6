/** Bounds of an instant of the platform's clock, milliseconds since 1970. */
export interface PlatformTime {
  readonly earliest: number;
  readonly latest: number;
}

/**
 * What a context has learnt of the platform's clock: the range in which its offset from local monotonic time lies.
 * Mutable: each response narrows the range. It holds three numbers, however many responses there were.
 */
export interface PlatformClock {
  /** Learns from the headers of a response that was made between two local instants. */
  readonly observe: (headers: Headers, sentAt: number, receivedAt: number) => void;
  /** The platform's time at a local instant; without bounds as long as no `Date` header was seen. */
  readonly timeAt: (instant: number) => PlatformTime;
}

/** The `Date` header has one-second resolution. */
const resolutionMs = 1000;
/** How much two clocks may drift apart: the fastest that a system slews its clock. */
const drift = 0.0005;

export function createPlatformClock(): PlatformClock {
  let least = -Infinity;
  let most = Infinity;
  let learntAt = 0;

  return {
    observe: (headers, sentAt, receivedAt) => {
      const date = Date.parse(headers.get('date') ?? '');
      // A cached response has the date of the original.
      if (Number.isNaN(date) || headers.has('age')) return;
      const seen = { least: date - receivedAt, most: date + resolutionMs - sentAt };
      const slack = Math.max(0, receivedAt - learntAt) * drift;
      least -= slack;
      most += slack;
      // If they contradict, because a clock was set, both count until the next response decides.
      const isContradicted = least > seen.most || most < seen.least;
      const [lower, upper] = isContradicted ? [Math.min, Math.max] : [Math.max, Math.min];
      least = lower(least, seen.least);
      most = upper(most, seen.most);
      learntAt = receivedAt;
    },
    timeAt: (instant) => ({ earliest: instant + least, latest: instant + most }),
  };
}
