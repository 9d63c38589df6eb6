// Time that moves in steps, however long the work of a step takes: a busy computer slows a simulation, but cannot spoil it.
import type { Clock } from '../src/core/index.ts';

export interface SteppedClock {
  readonly clock: Clock;
  readonly now: () => number;
  /** Moves the time past each sleep in turn, and resolves when all work that was due is done. */
  readonly advance: (to: number) => Promise<void>;
}

/** `settled` resolves when nothing more can happen until time moves. */
export function createSteppedClock(start: number, settled: () => Promise<void>): SteppedClock {
  let time = start;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const now = (): number => time;
  return {
    now,
    clock: {
      now,
      monotonic: now,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted === true) return resolve();
          const sleeper = { at: time + ms, wake };
          sleepers.add(sleeper);
          signal?.addEventListener('abort', wake);
          function wake(): void {
            sleepers.delete(sleeper);
            resolve();
          }
        }),
    },
    advance: async (to) => {
      await settled();
      for (;;) {
        const next = Math.min(...[...sleepers].map(({ at }) => at));
        if (next > to) break;
        time = Math.max(time, next);
        for (const { at, wake } of sleepers) if (at <= time) wake();
        await settled();
      }
      time = to;
    },
  };
}
