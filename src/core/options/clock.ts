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

/** The longest delay of a timer, in milliseconds: longer ones fire at once, so longer waits are split. */
export const longestTimer = 2 ** 31 - 1;

/** The longest that a journal can keep an entry, in milliseconds. */
export const longestKept = 1e15;

/** A clock that also has monotonic time. */
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

/** Settles as `work` does, or rejects with a `TimeoutError` after some milliseconds. It does not stop the work. */
export async function within<T>(ms: number, work: () => T | PromiseLike<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const end = (): void => reject(new DOMException(`it took longer than ${ms} ms`, 'TimeoutError'));
    timer = setTimeout(end, Math.min(ms, longestTimer));
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
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
  let real = performance.now();
  let told = clock.now();
  let time = real;
  return {
    now: () => clock.now(),
    // The wall clock may be changed at any time, so it is used only if no real time passes.
    monotonic: () => {
      const before = isVirtual ? told : real;
      real = performance.now();
      told = clock.now();
      time += Math.max(0, (isVirtual ? told : real) - before);
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
