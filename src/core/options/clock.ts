/** The passage of time, replaceable so that waits can be tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after `ms`, or as soon as `signal` aborts. It never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /**
   * Milliseconds since an arbitrary instant. They only go forward, even when `now` is set back or ahead.
   * @default `performance.now`; `now` once a `sleep` has ended over 100 ms too early, as those of test clocks do
   */
  readonly monotonic?: (() => number) | undefined;
}

/** The longest delay of a timer, in milliseconds: longer ones fire at once, so {@link after} splits them. */
export const longestTimer = 2 ** 31 - 1;

/** Calls `run` after some milliseconds, of any number; `Infinity` never does. What it returns stops it. */
export function after(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (leftMs: number): void => {
    timer =
      leftMs > longestTimer
        ? setTimeout(() => begin(leftMs - longestTimer), longestTimer)
        : setTimeout(run, leftMs);
  };
  if (ms < Infinity) begin(ms);
  return () => clearTimeout(timer);
}

/** The longest that a journal can keep an entry, in milliseconds. */
export const longestKept = 1e15;

/**
 * For a loop over a stream, which never lets timers run if the stream is always ready: what it returns is called at each
 * step, and gives a promise to wait for at each thousandth.
 */
export function takingTurns(): () => Promise<void> | undefined {
  let steps = 0;
  return () => (++steps % 1000 === 0 ? new Promise((resolve) => void setTimeout(resolve)) : undefined);
}

/** Whether a value is a signal. Nobody can listen to a frozen one, nor can it abort later. */
export function isSignal(value: unknown): boolean {
  try {
    const { aborted, addEventListener, removeEventListener }: Partial<AbortSignal> = Object(value);
    const never = (): void => undefined;
    if (aborted === false) {
      addEventListener?.call(value, 'abort', never);
      removeEventListener?.call(value, 'abort', never);
    }
    return (
      typeof aborted === 'boolean' && addEventListener !== undefined && removeEventListener !== undefined
    );
  } catch {
    return false;
  }
}

/** Whether a signal has aborted. One that throws when it is asked has changed since `isSignal`: it ends nothing. */
export function hasAborted(signal: AbortSignal | undefined): boolean {
  try {
    return signal?.aborted === true;
  } catch {
    return false;
  }
}

/** Why a signal has aborted, unless it throws when it is asked. */
export function reasonOf(signal: AbortSignal | undefined): unknown {
  try {
    return signal?.reason;
  } catch {
    return undefined;
  }
}

/** Runs something when a signal aborts, unless its methods throw. What it returns ends that. */
export function whenAborted(signal: AbortSignal | undefined, run: () => void): () => void {
  const change = (method: 'addEventListener' | 'removeEventListener'): void => {
    try {
      signal?.[method]('abort', run);
    } catch {
      // `isSignal` has tried both: it has changed since.
    }
  };
  change('addEventListener');
  return () => change('removeEventListener');
}

/** A clock that also has monotonic time. */
export interface MonotonicClock extends Clock {
  readonly monotonic: () => number;
}

export const systemClock: MonotonicClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (hasAborted(signal)) return resolve();
      const stop = after(ms, done);
      const ignore = whenAborted(signal, done);
      function done(): void {
        stop();
        ignore();
        resolve();
      }
    }),
};

/** Settles as `work` does, or rejects with a `TimeoutError` after some milliseconds. It does not stop the work. */
export async function within<T>(ms: number, work: () => T | PromiseLike<T>): Promise<T> {
  let stop: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    const end = (): void => reject(new DOMException(`it took longer than ${ms} ms`, 'TimeoutError'));
    stop = after(ms, end);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    stop?.();
  }
}

/**
 * By how much a real sleep may seem too short, in milliseconds: timers have a resolution of a millisecond, and some
 * browsers round time to 100.
 */
const coarsestMs = 100;

const completed = new WeakMap<Clock, MonotonicClock>();

/** The clock, with monotonic time added if it has none. All contexts with the same clock share it. */
export function withMonotonic(clock: Clock): MonotonicClock {
  if (clock.monotonic !== undefined) {
    // The check of a property does not narrow the object.
    return clock as MonotonicClock;
  }
  const made = completed.get(clock) ?? addMonotonic(clock);
  completed.set(clock, made);
  return made;
}

function addMonotonic(clock: Clock): MonotonicClock {
  let isVirtual = false;
  let lastReal = performance.now();
  let lastNow = clock.now();
  let time = lastReal;
  return {
    now: () => clock.now(),
    // The wall clock may be changed at any time, so it is used only if no real time passes.
    monotonic: () => {
      const before = isVirtual ? lastNow : lastReal;
      lastReal = performance.now();
      lastNow = clock.now();
      time += Math.max(0, (isVirtual ? lastNow : lastReal) - before);
      return time;
    },
    sleep: async (ms, signal) => {
      const begun = performance.now();
      await clock.sleep(ms, signal);
      const slept = performance.now() - begun;
      isVirtual ||= signal?.aborted !== true && slept < ms / 2 && ms - slept > coarsestMs;
    },
  };
}

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
export const resolutionMs = 1000;
/** How fast two clocks may drift apart: the fastest that a system slews its clock. */
const drift = 0.0005;

export function createPlatformClock(): PlatformClock {
  let least = -Infinity;
  let most = Infinity;
  let observedAt = 0;

  return {
    observe: (headers, sentAt, receivedAt) => {
      const sent = headers.get('date');
      // A cached response has the date of the original one.
      if (sent === null || headers.has('age')) return;
      const date = Date.parse(sent);
      if (Number.isNaN(date)) return;
      const seen = { least: date - receivedAt, most: date + resolutionMs - sentAt };
      const slack = Math.max(0, receivedAt - observedAt) * drift;
      least -= slack;
      most += slack;
      // If they contradict each other, because a clock was changed, both count until the next response decides.
      const isContradicted = least > seen.most || most < seen.least;
      const [lower, upper] = isContradicted ? [Math.min, Math.max] : [Math.max, Math.min];
      least = lower(least, seen.least);
      most = upper(most, seen.most);
      observedAt = receivedAt;
    },
    timeAt: (instant) => ({ earliest: instant + least, latest: instant + most }),
  };
}
