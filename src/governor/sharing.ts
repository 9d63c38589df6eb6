import { fieldsOf } from '../core/options/check.ts';
import { type MonotonicClock, within } from '../core/options/clock.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';
import { amount, type Counted, estimateCost, isShared, type Limit, longestBlockMs, parsed } from './limit.ts';

/** The part of a journal that processes need to tell each other what they know. */
export type GovernorStore = Pick<JournalStore, 'get' | 'compareAndSet' | 'list'>;

/** How long an exchange with the store may take, and by how much the clocks of machines may differ, in milliseconds. */
export const exchangeMs = 1000;
const skewMs = 5000;
/** How long a turn lasts. */
const turnMs = 5000;
const dayMs = 86_400_000;

/**
 * What is stored of a limit. Since clocks differ, its times are how long ago something was, or how long it still is;
 * only `w` is when it was written, by the writer's clock.
 */
interface Entry {
  readonly w: number;
  /** Percent, how long ago that was learned, what a call costs, and after how long to look again. */
  readonly p: number;
  readonly o: number;
  readonly c: number;
  readonly f: number;
  /** For how long the platform still refuses; absent if it does not. */
  readonly b?: number | undefined;
  /** Whose turn it is, and for how long. */
  readonly t?: readonly [by: string, leftMs: number] | undefined;
  /** How long ago a call was held, and of which lane. */
  readonly h?: readonly [agoMs: number, lane: number] | undefined;
  /** Calls of the fleet. */
  readonly n: number;
  /** The processes, and when each wrote last, in seconds. */
  readonly m: Readonly<Record<string, number>>;
  /** What a rate has counted. */
  readonly l?: readonly Counted[] | undefined;
}

/** What a process tells the others, and learns from them. */
export interface Sharing {
  /** Exchanges what is known of a limit, if that is due. */
  readonly sync: (limit: Limit, clock: MonotonicClock) => Promise<void> | undefined;
  /** Takes what the store holds of a limit. */
  readonly take: (limit: Limit, text: string | undefined, clock: MonotonicClock) => void;
  /** Does something with the store; a failure is told, and `undefined` comes of it. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  /** Asks for the turn to let a call through; whether this process has it at once. */
  readonly ask: (limit: Limit, now: number) => boolean;
  /** Whether the store works, as far as is known. */
  readonly isUp: () => boolean;
}

export function createSharing(
  store: GovernorStore | undefined,
  syncMs: number,
  onError: ((error: unknown) => void) | undefined,
): Sharing {
  const me = Math.random().toString(36).slice(2, 8);
  let isUp = store !== undefined;

  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await within(exchangeMs, work);
      isUp = true;
      return done;
    } catch (thrown) {
      isUp = false;
      onError?.(thrown);
      return undefined;
    }
  }

  function grant(limit: Limit, now: number): true {
    limit.turn = { by: me, isMine: true, until: now + turnMs, isUsed: false };
    return true;
  }

  function take(limit: Limit, text: string | undefined, clock: MonotonicClock): void {
    const now = clock.monotonic();
    const wall = clock.now();
    const { w, p, o, c, f, b, t, h, n, m, l } = fieldsOf(parsed(text));
    const isNew = text !== limit.text && amount(p) >= 0 && amount(w) >= 0;
    const { readAt } = limit;
    limit.text = text;
    limit.readAt = now;
    limit.calls = Math.max(0, amount(n));
    limit.counted = toCounted(l);
    limit.machines = Object.keys(alive(m, wall)).length;
    if (!isNew) return;
    // Since the last reading, if there was one: no clock of another machine is needed for that.
    const age = Math.max(0, Math.min(wall - amount(w) - (readAt === -Infinity ? skewMs : 0), now - readAt));
    const [by, leftMs] = Array.isArray(t) ? (t as unknown[]) : [];
    if (by !== me) {
      const until = Math.min(now + turnMs, now + amount(leftMs) - age);
      limit.turn = typeof by === 'string' ? { by, isMine: false, until, isUsed: true } : undefined;
    }
    if (amount(c) >= 0) limit.cost = amount(c);
    const [ago, lane] = Array.isArray(h) ? (h as unknown[]).map(amount) : [];
    if (
      ago !== undefined &&
      lane !== undefined &&
      (lane <= limit.heldLane || now - age - ago > limit.heldAt + 5 * syncMs)
    ) {
      Object.assign(limit, {
        heldAt: lane < limit.heldLane ? now - age - ago : Math.max(limit.heldAt, now - age - ago),
        heldLane: lane,
      });
    }
    // What a call said whose turn it was is newer than what others know.
    if (limit.news === 2) return;
    const isOwn = limit.news === 1;
    limit.percent = Math.max(amount(p), isOwn ? limit.percent : 0);
    const blockedUntil = now + Math.min(longestBlockMs, amount(b)) - age;
    if (isOwn) {
      limit.blockedUntil = Math.max(limit.blockedUntil, blockedUntil);
      limit.isShut ||= amount(b) >= 0;
      return;
    }
    limit.isShut = amount(b) >= 0;
    limit.blockedUntil = limit.isShut ? blockedUntil : 0;
    limit.seenAt = now - age - Math.max(0, amount(o));
    limit.observedAt = wall - (now - limit.seenAt);
    limit.unseen = 0;
    if (amount(f) > 0) limit.pauseMs = amount(f);
  }

  async function exchange(limit: Limit, clock: MonotonicClock, startedAt: number): Promise<void> {
    if (!store) return;
    const { key, rate } = limit;
    const text = textOf(await store.get(key));
    // It took so long that another exchange has begun.
    if (limit.syncedAt !== startedAt) return;
    take(limit, text, clock);
    estimateCost(limit);
    const now = clock.monotonic();
    const wall = clock.now();
    const { news, seenAt, fresh, pending, blockedUntil, turn } = limit;
    const isTurn = turn !== undefined && turn.until > now;
    const asks = !isTurn && limit.askedAt >= Math.max(seenAt, now - 3 * syncMs);
    const shared = rate && isShared(rate) ? grouped([...limit.counted, ...pending], rate[2]) : undefined;
    const entry: Entry = {
      w: wall,
      p: limit.percent,
      o: now - seenAt,
      c: limit.cost,
      f: limit.pauseMs,
      b: limit.isShut ? Math.max(0, blockedUntil - now) : undefined,
      t: asks ? [me, turnMs] : isTurn ? [turn.by, turn.until - now] : undefined,
      h: now - limit.heldAt < 5 * syncMs ? [now - limit.heldAt, limit.heldLane] : undefined,
      n: limit.calls + fresh,
      m: { ...alive(fieldsOf(parsed(text))['m'], wall), [me]: Math.round(wall / 1000) },
      l: shared,
    };
    const next = JSON.stringify(entry);
    const isStored: unknown = await store.compareAndSet(key, text, next, 2 * dayMs + (rate?.[2] ?? 0));
    if (typeof isStored !== 'boolean')
      throw new TypeError('compareAndSet of the store resolved to no boolean');
    if (!isStored) return;
    limit.text = next;
    limit.calls += fresh;
    limit.fresh -= fresh;
    limit.machines = Object.keys(entry.m).length;
    if (limit.news === news && limit.seenAt === seenAt) limit.news = 0;
    if (shared) {
      limit.counted = shared;
      limit.pending = limit.pending.slice(pending.length);
    }
    if (asks) grant(limit, now);
  }

  return {
    attempt,
    take,
    sync: (limit, clock) => {
      const now = clock.monotonic();
      if (!store || limit.syncing || now - limit.syncedAt < syncMs) return limit.syncing;
      limit.syncedAt = now;
      limit.syncing = attempt(() => exchange(limit, clock, now)).then(() => void (limit.syncing = undefined));
      return limit.syncing;
    },
    ask: (limit, now) => {
      limit.askedAt = now;
      return !isUp && grant(limit, now);
    },
    isUp: () => isUp,
  };

  /** The processes that have written of late. */
  function alive(machines: unknown, wall: number): Record<string, number> {
    const awayMs = 3 * (syncMs + skewMs);
    const all = Object.entries(fieldsOf(machines)).map(([one, at]) => [one, amount(at)] as const);
    return Object.fromEntries(all.filter(([, at]) => Math.abs(wall - 1000 * at) < awayMs));
  }
}

/** Throws for what no store holds. */
function textOf(found: unknown): string | undefined {
  if (typeof found === 'string') return found;
  if (found === undefined || found === null) return undefined;
  throw new TypeError(`get of the store resolved to ${typeof found}`);
}

/** What a rate has counted, as it is stored; what is odd is left out. */
function toCounted(list: unknown): Counted[] {
  return (Array.isArray(list) ? list : []).filter(
    (one): one is Counted => Array.isArray(one) && amount(one[0]) >= 0 && amount(one[1]) >= 0,
  );
}

/** Calls at about the same time in one, so that an entry is small. */
function grouped(counted: readonly Counted[], windowMs: number): Counted[] {
  const all = new Map<string, Counted>();
  const step = windowMs / 20;
  for (const [at, calls, thing] of counted) {
    const time = thing === '' ? Math.ceil(at / step) * step : at;
    const key = thing || `${time}`;
    all.set(key, [time, calls + (thing === '' ? (all.get(key)?.[1] ?? 0) : 0), thing]);
  }
  return [...all.values()];
}
