// Lets calls through: at once, later, or not. Those that wait go by lane, then by age. Each has timers of its own, since in a
// Worker those of another request may have died with it.
import type { TransportError } from '../core/errors.ts';
import type { PreparedRequest } from '../core/http/types.ts';
import type { Limit } from './limits.ts';
import { type Ask, asked, blockedFor, check, roomIn, sent } from './member.ts';
import type { Use } from './uses.ts';

/** A limit that a call counts against, what it asks for, and the `seq` of the record that was known when it was sent. */
export interface Part {
  readonly limit: Limit;
  readonly ask: Ask;
  seq: number;
}

/** A call on its way through the limits. */
export interface Pass {
  readonly use: Use;
  readonly limits: readonly Part[];
  isThrough: boolean;
  /** In how many milliseconds there is room, and what holds the call. */
  waitMs: number;
  limit: Limit | undefined;
  /** Set if it was aborted, or its context closed. */
  error?: TransportError;
  wake?: AbortController;
  /** When it looked after itself last: one whose request has died does not. */
  aliveAt: number;
}

type Exchange = (limit: Limit, clock: Use['clock'], ask: Ask) => Promise<void> | undefined;

export function createQueue(maxWaitMs: number, syncMs: number, exchange: Exchange) {
  /** The most urgent first. */
  const waiting: Pass[] = [];
  let number = 0;

  /** Lets a call through: 0. Otherwise in how many milliseconds to ask again, or which limits need an exchange first. */
  function ask(pass: Pass): number | readonly Part[] {
    const { use, limits } = pass;
    const now = use.clock.now();
    const isAhead = (other: Pass): boolean =>
      use.clock.monotonic() - other.aliveAt < 3 * syncMs &&
      other.limits.some(({ limit }) => limits.some((part) => part.limit === limit));
    const ahead = waiting.slice(0, Math.max(0, waiting.indexOf(pass))).find(isAhead);
    const needed: Part[] = [];
    let againMs = 0;
    for (const part of limits) {
      const ms = check(part.limit.member, part.ask, now);
      if (ms === 'exchange') needed.push(part);
      else if (ms > againMs) {
        [againMs, pass.limit] = [ms, part.limit];
        pass.waitMs = Math.max(ms, roomIn(part.limit.member, part.ask, now));
      }
    }
    if (againMs > 0) return againMs;
    if (ahead) {
      const busy = limits.filter(({ limit }) => limit.exchange !== undefined);
      [pass.waitMs, pass.limit] = [Math.max(1, ahead.waitMs), ahead.limit];
      return busy.length > 0 ? busy : syncMs;
    }
    if (needed.length > 0) return needed;
    for (const part of limits) {
      part.seq = part.limit.member.known.seq;
      part.limit.member = sent(part.limit.member, part.ask, now);
    }
    pass.isThrough = true;
    return 0;
  }

  /** Asks again for all calls that wait. */
  function move(): void {
    for (const pass of waiting.slice()) {
      const found = ask(pass);
      if (found === 0) remove(pass);
      pass.wake?.abort();
    }
  }

  function remove(pass: Pass): void {
    const at = waiting.indexOf(pass);
    if (at >= 0) waiting.splice(at, 1);
  }

  async function wait(pass: Pass, { context, request, deadline }: PreparedRequest): Promise<Pass> {
    const { clock, fetcher } = context;
    const { use } = pass;
    const leftMs = deadline - clock.monotonic();
    const endsAt = clock.monotonic() + Math.min(maxWaitMs, leftMs);
    waiting.splice(waiting.findLastIndex((other) => other.use.lane <= use.lane) + 1, 0, pass);
    const go = async (stop: AbortSignal): Promise<void> => {
      stop.addEventListener('abort', () => pass.wake?.abort());
      while (!pass.isThrough && !stop.aborted) {
        pass.aliveAt = clock.monotonic();
        const found = ask(pass);
        if (typeof found !== 'number') {
          await Promise.all(found.map(async (part) => exchange(part.limit, clock, part.ask)));
          continue;
        }
        const ms = endsAt - clock.monotonic();
        const blockedMs = pass.limit ? blockedFor(pass.limit.member, clock.now()) : 0;
        if (found === 0 || ms <= 0 || blockedMs > ms) return;
        pass.wake = new AbortController();
        const { signal } = pass.wake;
        await clock.sleep(Math.max(1, Math.min(ms, found, syncMs)), signal).catch((thrown: unknown) => {
          // A clock of the caller's may reject when it is woken, as sleeps of Node do.
          if (!signal.aborted) throw thrown;
        });
      }
    };
    try {
      await fetcher.withTimeout(leftMs < 10_000 ? leftMs : Infinity, request.signal, go);
    } catch (thrown) {
      // `withTimeout` rejects with nothing else.
      pass.error = thrown as TransportError;
    }
    remove(pass);
    move();
    return pass;
  }

  return {
    move,
    enter: (prepared: PreparedRequest, use: Use, limits: readonly Limit[]): Pass | Promise<Pass> => {
      const { clock, lane, calls, thing } = use;
      const parts = limits.map((limit) => {
        const own = limit.member.rate?.isDistinct ? thing || `${number++}` : '';
        return { limit, ask: { lane, calls, thing: own }, seq: 0 };
      });
      const [first] = limits;
      const pass: Pass = {
        use,
        limits: parts,
        isThrough: false,
        waitMs: 0,
        limit: first,
        aliveAt: clock.monotonic(),
      };
      for (const limit of limits) limit.member = asked(limit.member, calls, clock.now());
      let found = ask(pass);
      // Without a store, nothing is waited for.
      for (
        ;
        typeof found !== 'number' && !found.some(({ limit }) => limit.member.isShared);
        found = ask(pass)
      )
        for (const part of found) void exchange(part.limit, clock, part.ask);
      return found === 0 || (typeof found === 'number' && maxWaitMs === 0) ? pass : wait(pass, prepared);
    },
  };
}
