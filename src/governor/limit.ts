import type { LimitState } from '../core/http/governor.ts';
import { fieldsOf } from '../core/options/check.ts';
import type { MonotonicClock } from '../core/options/clock.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';
import type { Rate, Use } from './uses.ts';

/** The part of a journal in which processes tell each other what they know. */
export type GovernorStore = Pick<JournalStore, 'get' | 'compareAndSet' | 'list'>;

/** What all limits of a governor share. */
export interface LimitSettings {
  /** This process, as the others know it. */
  readonly self: string;
  readonly store: GovernorStore | undefined;
  readonly syncMs: number;
  /** The share of each lane, and the highest share of the lanes below it. */
  readonly shares: readonly number[];
  readonly below: readonly number[];
  /** Does something with the store, in limited time; a failure is told, and nothing comes of it. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  /** Whether the store works, as far as is known. */
  readonly isUp: () => boolean;
  readonly onChange: ((limit: LimitState) => void) | undefined;
}

/** A rate limit, as far as this process knows it. */
export interface Limit {
  readonly kind: string;
  readonly id: string;
  readonly rate: Rate | undefined;
  /**
   * In how many milliseconds a call may be let through: 0, now; a negative number, now, by using the turn of this
   * process. Where that depends on others, it is when to ask again.
   */
  readonly ask: (use: Use, clock: MonotonicClock) => number;
  /** Counts a call that is let through, and later that it is over. */
  readonly take: (use: Use, isTurn: boolean, clock: MonotonicClock) => void;
  readonly leave: (use: Use, isTurn: boolean) => void;
  /** Takes what a response said: percent, and milliseconds until calls are let through; `undefined` if it said nothing. */
  readonly see: (
    percent: number | undefined,
    regainMs: number,
    isTurn: boolean,
    clock: MonotonicClock,
  ) => void;
  /** Counts calls that may have been counted, of which nothing was said. */
  readonly miss: (calls: number) => void;
  /** Exchanges what is known with other processes, if that is due. A promise if that was not done of late. */
  readonly sync: (clock: MonotonicClock) => Promise<unknown> | undefined;
  /** Takes what the store holds. */
  readonly read: (text: string | undefined, clock: MonotonicClock) => void;
  readonly state: (clock: MonotonicClock) => LimitState;
}

/** Calls that a published rate counts: when, by the wall clock, how many, and of what. */
type Counted = readonly [at: number, calls: number, thing: string];

/** By how much clocks of machines may differ, and how long a turn lasts, in milliseconds. */
const skewMs = 5000;
const turnMs = 5000;
const minuteMs = 60_000;
const longestBlockMs = 15 * minuteMs;
/** What looks is a call that somebody wanted, so that little is lost by it. */
const longestPauseMs = minuteMs;
/** Nobody is taken to block for longer, whatever the platform or a store says. */
const dayMs = 1440 * minuteMs;

/** Creates a limit of which nothing is known. Its times are by the monotonic clock, if nothing else is said. */
export function createLimit(
  key: string,
  [kind, id, rate]: readonly [kind: string, id: string, rate?: Rate],
  { self, store, syncMs, shares, below, attempt, isUp, onChange }: LimitSettings,
): Limit {
  const [, most = 0, windowMs = 0] = rate ?? [];
  // The window of a shared rate is longer than it takes to tell the others.
  const isShared = windowMs > 2 * turnMs;
  /** How much is used, when that was learned, and how much a call uses: 0 until a header tells of the limit. */
  let percent = 0;
  let seenAt = -Infinity;
  let cost = rate ? 100 / most : 0;
  /** Calls that `percent` does not hold: in flight, and of which nothing was said. */
  let flying = 0;
  let missed = 0;
  /** Whether the platform refuses: until then for sure, and later until a call with the turn gets through. */
  let isShut = false;
  let blockedUntil = 0;
  /** How long to leave it alone if the platform does not say, and when it has no room. */
  let blockMs = minuteMs;
  let pauseMs = syncMs;
  /** When calls of each lane were held last. */
  let held = shares.map(() => -dayMs);
  /** Whose turn it is to let one call through, until when, and since when this process asks for it. */
  let turn = '';
  let turnUntil = 0;
  let askedAt = -Infinity;
  /** Calls of the fleet, calls of this process that the others do not know of, and both when `cost` was estimated. */
  let calls = 0;
  let fresh = 0;
  let anchor: readonly [percent: number, calls: number] | undefined;
  /** What the others do not know: 1, what a response said; 2, what it said to the call with the turn. */
  let news = 0;
  let machines = 1;
  /** What a rate has counted: in the fleet, and here since the others were told. */
  let counted: Counted[] = [];
  let pending: Counted[] = [];
  /** What the store held when it was read, and when the last exchange began. */
  let text: string | undefined;
  let readAt = -Infinity;
  let syncedAt = -Infinity;
  let syncing: Promise<unknown> | undefined;

  /** How long calls of a lane are held after calls of a more urgent one, on whatever machine. */
  const holdMs = 5 * syncMs;

  function ask(use: Use, clock: MonotonicClock): number {
    const now = clock.monotonic();
    const ms =
      Math.max(0, ...held.slice(0, use.lane).map((at) => at + holdMs - now)) || waitOf(use, now, clock);
    if (ms > 0) held[use.lane] = now;
    return ms;
  }

  function waitOf(use: Use, now: number, clock: MonotonicClock): number {
    const freeMs = count(clock.now());
    if (rate && isCounted(use)) return 0;
    // The turn is asked for early, so that it is known by then whose it is.
    if (now < blockedUntil) return (blockedUntil - now < 2 * syncMs && takeTurn(now), blockedUntil - now);
    const share = shares[use.lane] ?? 0;
    // A rate has no shares. Otherwise percents are whole: 99 may be nearly 100.
    const limit = rate ? 100 : Math.min(99, share);
    const own = (flying + missed + use.calls) * cost;
    const next = percent + own;
    // Each process keeps to its part of what is left, unless a lower lane could go on.
    const isFree = !rate && next <= Math.min(limit, below[use.lane] ?? 0);
    if (!isShut && (isFree || percent + own * (rate ? Math.min(machines, most) : machines) <= limit))
      return 0;
    if (rate && (next > limit || !isShared)) return freeMs;
    if (now < turnUntil) return turn === self ? -1 : syncMs;
    // One at a time; rarely, to look, where there is no room; and more rarely where one could be too much.
    const lookMs = Math.min(longestPauseMs, pauseMs * (percent + cost > 99 ? 10 : 1));
    const waitMs = rate || next <= limit - 1 ? syncMs : lookMs;
    const dueAt = isShut ? blockedUntil : seenAt + waitMs;
    return now < dueAt ? dueAt - now : takeTurn(now) ? -1 : syncMs;
  }

  /** Asks for the turn: whether this process has it at once, since it cannot ask others. */
  function takeTurn(now: number): boolean {
    askedAt = now;
    if (!isUp()) [turn, turnUntil] = [self, now + turnMs];
    return !isUp();
  }

  function isCounted({ thing }: Use): boolean {
    return thing !== '' && [...counted, ...pending].some((one) => one[2] === thing);
  }

  /** Counts the calls of a rate anew. Returns in how many milliseconds one of them leaves its window. */
  function count(wall: number): number {
    if (!rate) return 0;
    // Of fewer calls than processes, each has one in a longer time.
    const spanMs = isShared ? windowMs : windowMs * Math.max(1, machines / most);
    const isLeft = ([at]: Counted): boolean => at > wall - spanMs;
    counted = counted.filter(isLeft);
    pending = pending.filter(isLeft);
    percent = sum(counted) * cost;
    missed = sum(pending);
    return Math.max(1, spanMs - wall + Math.min(...[...counted, ...pending].map(([at]) => at)));
  }

  function see(said: number | undefined, regainMs: number, isTurn: boolean, clock: MonotonicClock): void {
    // Where nothing is said any more, there is room, but how much is not known.
    const used = said ?? (cost && percent) / 2;
    const isRefused = used >= 100 || regainMs > 0;
    // What was sent before a block says nothing about its end.
    if (isShut && !isTurn && !isRefused) return;
    const now = clock.monotonic();
    const fell = percent - used;
    // A refusal says 100, and is no header.
    if (used !== 100) cost ||= 1;
    if (isTurn)
      pauseMs = Math.min(longestPauseMs, Math.max(syncMs, fell > 0 ? (now - seenAt) / fell : 1.5 * pauseMs));
    news = isTurn ? 2 : news || 1;
    percent = used;
    seenAt = now;
    missed = 0;
    isShut = isRefused;
    if (regainMs > 0) blockedUntil = now + Math.min(dayMs, regainMs);
    else if (!isRefused) blockMs = minuteMs;
    else if (now >= blockedUntil) {
      // Whoever comes too early waits longer the next time.
      blockedUntil = now + blockMs;
      blockMs = Math.min(longestBlockMs, 2 * blockMs);
    }
    if (!store) estimate();
  }

  /** Learns what a call uses from how far calls have taken the limit. */
  function estimate(): void {
    const all = calls + fresh;
    const [from, made] = (anchor ??= [percent, all]);
    const rise = percent - from;
    if (cost > 0 && rise >= 3 && all > made) cost = (cost + rise / (all - made)) / 2;
    if (rise >= 3 || rise < 0 || all < made) anchor = [percent, all];
  }

  async function exchange(clock: MonotonicClock, begunAt: number): Promise<void> {
    const found: unknown = (await store?.get(key)) ?? undefined;
    if (found !== undefined && typeof found !== 'string') throw new TypeError('get resolved to no text');
    // It took so long that another exchange has begun.
    if (syncedAt !== begunAt) return;
    telling(clock, () => read(found, clock));
    estimate();
    const now = clock.monotonic();
    const wall = clock.now();
    const asks = now >= turnUntil && askedAt > seenAt;
    const [told, toldAt, made, done] = [news, seenAt, fresh, pending.length];
    const shared = isShared ? grouped([...counted, ...pending], windowMs) : [];
    const entry: Entry = [
      wall,
      percent,
      now - seenAt,
      cost,
      pauseMs,
      isShut ? Math.max(0, blockedUntil - now) : -1,
      asks ? self : turn,
      asks ? turnMs : turnUntil - now,
      held.map((at) => now - at),
      calls + made,
      { ...machinesIn(parsed(found), wall), [self]: wall },
      shared,
    ];
    const next = JSON.stringify(entry);
    const isStored: unknown = await store?.compareAndSet(key, found, next, 2 * dayMs + windowMs);
    if (typeof isStored !== 'boolean') throw new TypeError('compareAndSet resolved to no boolean');
    if (!isStored) {
      // Others write at the same time: the next time they do not.
      syncedAt += (Math.random() * syncMs) / 2;
      return;
    }
    text = next;
    calls += made;
    fresh -= made;
    if (news === told && seenAt === toldAt) news = 0;
    if (isShared) [counted, pending] = [shared, pending.slice(done)];
    if (asks) [turn, turnUntil, askedAt] = [self, now + turnMs, -Infinity];
  }

  function read(found: string | undefined, clock: MonotonicClock): void {
    const now = clock.monotonic();
    const wall = clock.now();
    const entry = parsed(found);
    const [w, p, o, c, f, b, t, left, h, n, , l] = listOf(entry);
    const writtenMs = wall - amount(w);
    const isNew = found !== text && amount(w) >= 0 && amount(p) >= 0 && writtenMs > -dayMs;
    // Between two readings, that needs no clock of another machine.
    const ageMs = Math.max(0, writtenMs - skewMs, Math.min(writtenMs, readAt > 0 ? now - readAt : 0));
    [text, readAt] = [found, now];
    calls = Math.max(0, amount(n));
    machines = Object.keys({ ...machinesIn(entry, wall), [self]: 0 }).length;
    counted = listOf(l).filter(isCount);
    if (!isNew) return;
    if (amount(c) > 0) cost = amount(c);
    held = held.map((at, lane) => Math.max(at, now - ageMs - (amount(listOf(h)[lane]) >>> 0)));
    if (t !== self) [turn, turnUntil] = [String(t), now + Math.min(turnMs, amount(left)) - ageMs];
    // What a response said to the call with the turn is newer.
    if (news === 2) return;
    const until = now + Math.min(dayMs, amount(b)) - ageMs;
    const saidAt = now - ageMs - Math.max(0, amount(o));
    // A process whose writes others always forestall goes by what they write.
    if (news === 1 && (saidAt <= seenAt || now < blockedUntil)) {
      // Which of the two is newer cannot be told.
      percent = Math.max(percent, amount(p));
      isShut ||= amount(b) >= 0;
      if (amount(b) >= 0) blockedUntil = Math.max(blockedUntil, until);
      return;
    }
    percent = amount(p);
    isShut = amount(b) >= 0;
    blockedUntil = isShut ? until : 0;
    seenAt = saidAt;
    news = 0;
    pauseMs = Math.min(longestPauseMs, Math.max(syncMs, amount(f)));
    missed = 0;
  }

  /** Tells the caller of what is known anew. */
  function telling(clock: MonotonicClock, learn: () => void): void {
    const [before, wasShut] = [percent, isShut];
    learn();
    if (before !== percent || wasShut !== isShut) onChange?.(state(clock));
  }

  function state(clock: MonotonicClock): LimitState {
    count(clock.now());
    const now = clock.monotonic();
    const at = clock.now() - now;
    return {
      kind,
      id,
      percent,
      ...(isShut && blockedUntil > now && { blockedUntil: new Date(at + blockedUntil) }),
      observedAt: new Date(at + (seenAt > 0 ? seenAt : now)),
    };
  }

  /** The processes that have written of late. */
  function machinesIn(entry: unknown, wall: number): Record<string, unknown> {
    const isNear = ([, at]: readonly [string, unknown]): boolean =>
      Math.abs(wall - amount(at)) < 3 * (syncMs + skewMs);
    return Object.fromEntries(Object.entries(fieldsOf(listOf(entry)[10])).filter(isNear));
  }

  return {
    kind,
    id,
    rate,
    ask,
    state,
    see: (percent, regainMs, isTurn, clock) => telling(clock, () => see(percent, regainMs, isTurn, clock)),
    read: (found, clock) => telling(clock, () => read(found, clock)),
    take: (use, isTurn, clock) => {
      fresh += use.calls;
      askedAt = -Infinity;
      // Of its turn nothing is left.
      if (isTurn) turn = '';
      if (!rate) flying += use.calls;
      else if (!isCounted(use)) pending.push([clock.now(), use.calls, use.thing]);
    },
    leave: (use, isTurn) => {
      if (!rate) flying -= use.calls;
      if (isTurn) turnUntil = 0;
    },
    miss: (all) => {
      missed += all;
    },

    sync: (clock) => {
      const now = clock.monotonic();
      if (store && !syncing && now - syncedAt >= syncMs) {
        syncedAt = now;
        syncing = attempt(() => exchange(clock, now)).finally(() => (syncing = undefined));
      }
      return isUp() && now - readAt > 1.5 * syncMs ? syncing : undefined;
    },
  };
}

/**
 * What is stored of a limit: when it was written, by the writer's clock; percent, how long ago that was learned, what a
 * call uses, after how long to look again; for how long it is blocked, -1 if it is not; whose turn it is, and for how
 * long; how long ago calls of each lane were held; calls of the fleet; the processes, and when each wrote last; and what
 * a rate has counted.
 */
type Entry = readonly [
  w: number,
  p: number,
  o: number,
  c: number,
  f: number,
  b: number,
  t: string,
  left: number,
  h: readonly number[],
  n: number,
  m: Readonly<Record<string, unknown>>,
  l: readonly Counted[],
];

/** A number from outside, from 0 on; -1 for anything else. */
export function amount(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : -1;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' && JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is Counted {
  const [at, calls] = listOf(value).map(amount);
  return at !== -1 && calls !== -1 && calls !== undefined;
}

function sum(counted: readonly Counted[]): number {
  return counted.reduce((total, [, calls]) => total + calls, 0);
}

/** Calls at about the same time in one, so that an entry is small. */
function grouped(counted: readonly Counted[], windowMs: number): Counted[] {
  const all = new Map<string, Counted>();
  const stepMs = windowMs / 20;
  for (const [at, calls, thing] of counted) {
    const time = Math.ceil(at / stepMs) * stepMs;
    const name = thing || `${time}`;
    all.set(name, [time, thing ? 1 : calls + (all.get(name)?.[1] ?? 0), thing]);
  }
  return [...all.values()];
}
