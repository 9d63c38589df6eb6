/** The passing of time, as a seam: what waits can be tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after `ms`, or as soon as `signal` aborts. It never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /**
   * Milliseconds since any instant, which only go forward, also while `now` is set back or ahead.
   * @default `performance.now`; `now` once a `sleep` has ended long before its time, as those of test clocks do
   */
  readonly monotonic?: (() => number) | undefined;
}

/** A clock that tells monotonic time as well. */
export interface MonotonicClock extends Clock {
  readonly monotonic: () => number;
}

export const systemClock: MonotonicClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
    }),
};

const completed = new WeakMap<Clock, MonotonicClock>();

/** The clock, with a monotonic time where it has none. All contexts of a clock share that time. */
export function withMonotonic(clock: Clock): MonotonicClock {
  const known = clock.monotonic === undefined ? completed.get(clock) : (clock as MonotonicClock);
  if (known !== undefined) return known;
  let isVirtual = false;
  let time = performance.now();
  let last = { real: time, told: clock.now() };
  const made: MonotonicClock = {
    now: () => clock.now(),
    // The wall clock may be set at any time, so it counts only where no real time passes.
    monotonic: () => {
      const next = { real: performance.now(), told: clock.now() };
      time += isVirtual ? Math.max(0, next.told - last.told) : next.real - last.real;
      last = next;
      return time;
    },
    sleep: async (ms, signal) => {
      const begun = performance.now();
      await clock.sleep(ms, signal);
      isVirtual ||= signal?.aborted !== true && performance.now() - begun < ms / 2;
    },
  };
  completed.set(clock, made);
  return made;
}
