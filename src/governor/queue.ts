import type { TransportError } from '../core/errors.ts';
import type { PreparedRequest } from '../core/http/attempt.ts';
import { type Limit, type Rules, take, waitOf } from './limit.ts';
import type { Use } from './uses.ts';

/** What lets a call through. */
export interface Pass {
  readonly use: Use;
  readonly limits: readonly Limit[];
  /** The limits whose turn it uses. */
  turns: readonly Limit[];
}

/** A call that waits to be let through. */
export interface Waiter extends Pass {
  readonly context: PreparedRequest['context'];
  /** In how many milliseconds to ask again, and the limit in the way. */
  waitMs: number;
  limit: Limit | undefined;
  isPassed: boolean;
  /** It was aborted, or its context closed. */
  error?: TransportError;
  wake?: AbortController;
}

export interface Queue {
  /** Waits until a call may be sent; resolves to the limit in the way, and for how long, if that takes too long. */
  readonly enter: (prepared: PreparedRequest, use: Use, limits: readonly Limit[]) => Waiter | Promise<Waiter>;
  /** Ends a call that was let through, and lets through whom it can, since something is known anew. */
  readonly leave: (pass: Pass) => void;
}

export function createQueue(rules: Rules, maxWaitMs: number): Queue {
  const waiting: Waiter[] = [];

  /** Lets a call through, or finds what is in its way. */
  function ask(waiter: Waiter): boolean {
    const { use, limits, context } = waiter;
    const now = context.clock.monotonic();
    const wall = context.clock.now();
    const turns: Limit[] = [];
    waiter.waitMs = 0;
    for (const limit of limits) {
      const ms = waitOf(limit, use, now, wall, rules);
      if (ms < 0) turns.push(limit);
      else if (ms > waiter.waitMs) Object.assign(waiter, { waitMs: ms, limit });
    }
    if (waiter.waitMs > 0) return false;
    for (const limit of limits) take(limit, use, now, wall);
    for (const { turn } of turns) if (turn) turn.isUsed = true;
    waiter.turns = turns;
    return (waiter.isPassed = true);
  }

  /** Asks for all who wait, the most urgent first; nobody overtakes another one at the same limit. */
  function move(): void {
    const held = new Set<Limit>();
    for (const waiter of waiting.slice()) {
      const before = waiter.waitMs;
      if (!waiter.limits.some((limit) => held.has(limit)) && ask(waiter)) remove(waiter);
      else for (const limit of waiter.limits) held.add(limit);
      if (waiter.isPassed || waiter.waitMs < before) waiter.wake?.abort();
    }
  }

  function remove(waiter: Waiter): void {
    const at = waiting.indexOf(waiter);
    if (at >= 0) waiting.splice(at, 1);
  }

  async function wait(waiter: Waiter, { request, deadline }: PreparedRequest): Promise<Waiter> {
    const { clock, fetcher } = waiter.context;
    const endsAt = Math.min(clock.monotonic() + maxWaitMs, deadline);
    const before = waiting.findLastIndex(({ use }) => use.lane <= waiter.use.lane);
    waiting.splice(before + 1, 0, waiter);
    try {
      await fetcher.withTimeout(Infinity, request.signal, async (stop) => {
        stop.addEventListener('abort', () => waiter.wake?.abort());
        for (;;) {
          const leftMs = endsAt - clock.monotonic();
          if (waiter.isPassed || stop.aborted || leftMs <= 0) return;
          waiter.wake = new AbortController();
          // Whoever is next keeps to what others tell.
          await clock.sleep(
            Math.min(waiter.waitMs, leftMs, waiter.waitMs < Infinity ? rules.syncMs : Infinity),
            waiter.wake.signal,
          );
          for (const limit of waiter.limits) void rules.sync(limit, clock);
          move();
        }
      });
    } catch (thrown) {
      // `withTimeout` rejects with nothing else.
      waiter.error = thrown as TransportError;
      if (waiter.isPassed) giveBack(waiter);
      waiter.isPassed = false;
    }
    remove(waiter);
    move();
    return waiter;
  }

  return {
    leave: (pass) => {
      giveBack(pass);
      if (waiting.length > 0) move();
    },
    enter: (prepared, use, limits) => {
      const { context, deadline } = prepared;
      const waiter: Waiter = {
        use,
        limits,
        context,
        turns: [],
        isPassed: false,
        waitMs: Infinity,
        limit: limits[0],
      };
      // What came before goes first.
      const isNext = !waiting.some(
        (other) => other.use.lane <= use.lane && other.limits.some((limit) => limits.includes(limit)),
      );
      if (isNext && ask(waiter)) return waiter;
      const now = context.clock.monotonic();
      const leftMs = Math.min(maxWaitMs, deadline - now);
      const isVain = leftMs <= 0 || (waiter.limit?.blockedUntil ?? 0) - now > leftMs;
      return isVain ? waiter : wait(waiter, prepared);
    },
  };
}

function giveBack({ use, limits, turns }: Pass): void {
  for (const limit of limits) if (!limit.rate) limit.flying -= use.calls;
  for (const limit of turns) limit.turn = undefined;
}
