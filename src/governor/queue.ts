import type { TransportError } from '../core/errors.ts';
import type { PreparedRequest } from '../core/http/attempt.ts';
import type { Limit } from './limit.ts';
import type { Use } from './uses.ts';

/** A call on its way through the limits. */
export interface Pass {
  readonly use: Use;
  readonly limits: readonly Limit[];
  /** The limits whose turn the call uses. */
  turns: readonly Limit[];
  isLetThrough: boolean;
  /** In how many milliseconds to ask again, and what holds the call. */
  waitMs: number;
  limit: Limit | undefined;
  /** Set if it was aborted, or its context closed. */
  error?: TransportError;
  wake?: AbortController;
}

export interface Queue {
  /** Lets a call through at once, later, or not. */
  readonly enter: (prepared: PreparedRequest, use: Use, limits: readonly Limit[]) => Pass | Promise<Pass>;
  /** Ends a call that was let through; others may follow. */
  readonly leave: (pass: Pass, prepared: PreparedRequest) => void;
}

export function createQueue(maxWaitMs: number, syncMs: number): Queue {
  /** The most urgent first. */
  const waiting: Pass[] = [];

  /** Lets a call through, or finds what holds it. */
  function ask(pass: Pass, { context: { clock } }: PreparedRequest): boolean {
    const { use, limits } = pass;
    const turns = new Set<Limit>();
    pass.waitMs = 0;
    for (const limit of limits) {
      const ms = limit.ask(use, clock);
      if (ms < 0) turns.add(limit);
      if (ms > pass.waitMs) [pass.waitMs, pass.limit] = [ms, limit];
    }
    if (pass.waitMs > 0) return false;
    for (const limit of limits) limit.take(use, turns.has(limit), clock);
    pass.turns = [...turns];
    pass.isLetThrough = true;
    return true;
  }

  /** Asks again for all waiting calls. No call overtakes another at the same limit. */
  function move(prepared: PreparedRequest): void {
    const held = new Set<Limit>();
    for (const pass of waiting.slice()) {
      const { waitMs, limits } = pass;
      if (limits.some((limit) => held.has(limit)) || !ask(pass, prepared))
        for (const limit of limits) held.add(limit);
      else remove(pass);
      if (pass.isLetThrough || pass.waitMs < waitMs) pass.wake?.abort();
    }
  }

  function remove(pass: Pass): void {
    const at = waiting.indexOf(pass);
    if (at >= 0) waiting.splice(at, 1);
  }

  async function wait(pass: Pass, leftMs: number, prepared: PreparedRequest): Promise<Pass> {
    const { context, request } = prepared;
    const { clock, fetcher } = context;
    const endsAt = clock.monotonic() + leftMs;
    waiting.splice(waiting.findLastIndex(({ use }) => use.lane <= pass.use.lane) + 1, 0, pass);
    try {
      await fetcher.withTimeout(Infinity, request.signal, async (stop) => {
        stop.addEventListener('abort', () => pass.wake?.abort());
        for (
          let ms = leftMs;
          ms > 0 && !pass.isLetThrough && !stop.aborted;
          ms = endsAt - clock.monotonic()
        ) {
          pass.wake = new AbortController();
          const { signal } = pass.wake;
          // The next call must respect what other processes have shared.
          const sleepMs = Math.min(ms, pass.waitMs, pass.waitMs < Infinity ? syncMs : ms);
          try {
            await clock.sleep(sleepMs, signal);
          } catch (thrown) {
            // A clock of the caller's may reject when it is woken, as sleeps of Node do.
            if (!signal.aborted) throw thrown;
          }
          for (const limit of pass.limits) void limit.sync(clock, pass.use);
          move(prepared);
        }
      });
    } catch (thrown) {
      // `withTimeout` rejects with nothing else.
      pass.error = thrown as TransportError;
    }
    remove(pass);
    move(prepared);
    return pass;
  }

  return {
    enter: (prepared, use, limits) => {
      const pass: Pass = { use, limits, turns: [], isLetThrough: false, waitMs: Infinity, limit: limits[0] };
      // Earlier calls go first.
      const isNext = !waiting.some(
        (other) => other.use.lane <= use.lane && other.limits.some((limit) => limits.includes(limit)),
      );
      if (isNext && ask(pass, prepared)) return pass;
      const { clock } = prepared.context;
      const leftMs = Math.min(maxWaitMs, prepared.deadline - clock.monotonic());
      const isVain = pass.limit?.state(clock).blockedUntil !== undefined && pass.waitMs > leftMs;
      return leftMs <= 0 || isVain ? pass : wait(pass, leftMs, prepared);
    },
    leave: ({ use, limits, turns }, prepared) => {
      for (const limit of limits) limit.leave(use, turns.includes(limit));
      if (waiting.length > 0) move(prepared);
    },
  };
}
