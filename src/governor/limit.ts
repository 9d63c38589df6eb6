import type { LimitState } from '../core/http/governor.ts';
import { fieldsOf } from '../core/options/check.ts';
import type { MonotonicClock } from '../core/options/clock.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';
import type { Rate, Use } from './uses.ts';

/** The methods of a journal over which processes share what they know. */
export type GovernorStore = Pick<JournalStore, 'get' | 'compareAndSet' | 'list'>;

/** What the limits of a governor have in common. */
export interface LimitSettings {
  /** The name of this process among the others. */
  readonly self: string;
  readonly store: GovernorStore | undefined;
  readonly syncMs: number;
  /** The share of each lane, and the highest share of the lanes below it. */
  readonly shares: readonly number[];
  readonly below: readonly number[];
  /** Uses the store, within limited time. A failure is reported, and changes nothing. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  /** Whether the store worked the last time. */
  readonly isUp: () => boolean;
  readonly onChange: ((limit: LimitState) => void) | undefined;
  /** For how long a limit is known without a call, once it blocks none. @default a day */
  readonly keptMs?: number;
}

/** A rate limit, as far as this process knows it. */
export interface Limit {
  /** Its kind and its id. */
  readonly name: string;
  readonly rate: Rate | undefined;
  /**
   * In how many milliseconds a call may be let through: 0 for now; a negative number for now, by using the turn of this
   * process. If that depends on other processes, when to ask again.
   */
  readonly ask: (use: Use, clock: MonotonicClock) => number;
  /** Counts a call that is let through, and later that it has ended. */
  readonly take: (use: Use, isTurn: boolean, clock: MonotonicClock) => void;
  readonly leave: (use: Use, isTurn: boolean) => void;
  /** Takes what a response reported: percent, and milliseconds until calls are allowed; `undefined` if nothing. */
  readonly see: (
    percent: number | undefined,
    regainMs: number,
    isTurn: boolean,
    clock: MonotonicClock,
  ) => void;
  /** Counts calls that the platform may have counted, but did not report. */
  readonly miss: (calls: number) => void;
  /**
   * Exchanges what is known with other processes, if that is due. A promise if the last exchange was long ago, or if the
   * turn is asked for, for this use.
   */
  readonly sync: (clock: MonotonicClock, use?: Use) => Promise<unknown> | undefined;
  /** Takes over what the store holds. */
  readonly read: (text: string | undefined, clock: MonotonicClock) => void;
  readonly state: (clock: MonotonicClock) => LimitState;
  /** Whether it is to be forgotten: its window has passed without a call. */
  readonly isIdle: (clock: MonotonicClock) => boolean;
}

/** Calls that a published rate counts: when, by the wall clock, how many, and of what. */
type Counted = readonly [at: number, calls: number, thing: string];

/** How much the clocks of machines may differ, and how long a turn lasts, in milliseconds. */
const clockSkewMs = 5000;
const turnMs = 5000;
/** After how many milliseconds an exchange does not end any more: in a Worker, it dies with the request that began it. */
const lostMs = 2000;
const minuteMs = 60_000;
const longestBlockMs = 15 * minuteMs;
/** A probe is a call that somebody wanted anyway, so it costs little. */
const longestPauseMs = 30_000;
/** The longest block that is believed, whatever the platform or a store says. */
const dayMs = 1440 * minuteMs;

/** Creates a limit about which nothing is known. Its times are by the monotonic clock, unless said otherwise. */
export function createLimit(
  key: string,
  name: string,
  rate: Rate | undefined,
  { self, store, syncMs, shares, below, attempt, isUp, onChange, keptMs = dayMs }: LimitSettings,
): Limit {
  const [, most = 0, windowMs = 0] = rate ?? [];
  // A rate is shared if its window is longer than an exchange takes.
  const isShared = windowMs > 2 * turnMs;
  /** How much is used, when that was learned, and how much a call uses: 0 until a header reports the limit. */
  let percent = 0;
  let seenAt = -Infinity;
  let cost = rate ? 100 / most : 0;
  /** Calls that `percent` does not include: in flight, and not reported. */
  let flying = 0;
  let missed = 0;
  /** Until when the platform refuses calls. It becomes 0 only when a call with the turn has got through. */
  let blockedUntil = 0;
  /** How long to wait if the platform does not say, and while there is no room. */
  let blockMs = minuteMs;
  let pauseMs = syncMs;
  /** What the last response said, and the report in the store: the same object once other processes can see it. */
  let report: Report = [0, -1, -1];
  let told = report;
  /** When calls of each lane were last held: by the monotonic clock; and by wall clocks, as shared. */
  const held = shares.map(() => -dayMs);
  const marks = shares.map(() => -1);
  let toldMarks: readonly number[] = [...marks];
  /** Whose turn it is to let one call through, until when, whether it is used, and since when this process wants it. */
  let turn = nobody;
  let turnUntil = 0;
  let isTrying = false;
  let askedAt = -Infinity;
  /** Calls of the fleet; calls of this process that others do not know of; and both when `cost` was estimated. */
  let calls = 0;
  let fresh = 0;
  let anchor: readonly [percent: number, calls: number] | undefined;
  let machines = 1;
  /** What a rate has counted: in the fleet, and here since the last exchange. */
  let counted: Counted[] = [];
  let pending: Counted[] = [];
  /** When the store was read, and when the last exchange began. */
  let readAt = -Infinity;
  let syncedAt = -Infinity;
  let syncing: Promise<unknown> | undefined;
  /** When a call asked for it last. */
  let usedAt = -Infinity;
  /** What the store held when other processes wrote first. */
  let beaten: unknown = null;

  function waitOf(use: Use, now: number, clock: MonotonicClock): number {
    // Calls of a lane wait behind those of a more urgent lane, on any machine.
    const heldMs = Math.max(0, ...held.slice(0, use.lane).map((at) => at + 5 * syncMs - now));
    if (heldMs > 0) return heldMs;
    const freeMs = count(clock.now());
    if (rate && isCounted(use)) return 0;
    if (now < blockedUntil) return blockedUntil - now;
    // A short rate has room again when its window ends: no probe is needed.
    if (rate && !isShared) blockedUntil = 0;
    const share = shares[use.lane] ?? 0;
    // A rate has no shares. For others, percentages are whole numbers: 99 may be nearly 100.
    const limit = rate ? 100 : Math.min(99, share);
    const own = (flying + missed + use.calls) * cost;
    const next = percent + own;
    // Each process keeps to its part of the rest, unless a lower lane could continue.
    const isFree = !rate && next <= Math.min(limit, below[use.lane] ?? 0);
    if (!blockedUntil && (isFree || percent + own * (rate ? Math.min(machines, most) : machines) <= limit))
      return 0;
    if (rate && (next > limit || !isShared)) return freeMs;
    if (isTrying || now < turnUntil) return turn[0] === self && !isTrying ? -1 : syncMs;
    // One at a time; rarely, as a probe, if there is no room; and more rarely if one call could be too much.
    const lookMs = Math.min(longestPauseMs, pauseMs * (percent + cost > 99 ? 10 : 1));
    const dueAt = blockedUntil || seenAt + (rate || next <= limit - 1 ? syncMs : lookMs);
    if (now < dueAt) return dueAt - now;
    askedAt = now;
    if (isUp()) return syncMs;
    // It cannot ask others.
    [turn, turnUntil] = [[self, clock.now()], now + turnMs];
    return -1;
  }

  function isCounted({ thing }: Use): boolean {
    return thing !== '' && [...counted, ...pending].some((one) => one[2] === thing);
  }

  /** Recounts the calls of a rate. Returns in how many milliseconds one of them leaves its window. */
  function count(wall: number): number {
    if (!rate) return 0;
    // If there are fewer calls than processes, each gets one in a longer time.
    const spanMs = isShared ? windowMs : windowMs * Math.max(1, machines / most);
    // A time in the future comes from a clock that was set back.
    const isLeft = ([at]: Counted): boolean => Math.abs(wall - at) < spanMs;
    counted = counted.filter(isLeft);
    pending = pending.filter(isLeft);
    percent = sum(counted) * cost;
    missed = sum(pending);
    return Math.max(1, spanMs - wall + Math.min(...[...counted, ...pending].map(([at]) => at)));
  }

  function see(said: number | undefined, regainMs: number, isTurn: boolean, clock: MonotonicClock): void {
    // If responses no longer report it, there is room, but it is not known how much.
    const used = said ?? (cost && percent) / 2;
    const isRefused = used >= 100 || regainMs > 0;
    // A call sent before the block says nothing about its end.
    if (blockedUntil && !isTurn && !isRefused) return;
    const now = clock.monotonic();
    const fell = percent - used;
    // A refusal counts as 100, but is not a header.
    if (used !== 100) cost ||= 1;
    if (isTurn)
      pauseMs = Math.min(longestPauseMs, Math.max(syncMs, fell > 0 ? (now - seenAt) / fell : 1.5 * pauseMs));
    percent = used;
    seenAt = now;
    missed = 0;
    if (!isRefused) [blockedUntil, blockMs] = [0, minuteMs];
    else if (regainMs > 0) blockedUntil = now + Math.min(dayMs, regainMs);
    else if (now >= blockedUntil) {
      // A probe that came too early makes the next wait longer.
      blockedUntil = now + blockMs;
      blockMs = Math.min(longestBlockMs, 2 * blockMs);
    }
    report = [clock.now(), percent, blockedUntil ? blockedUntil - now : -1];
    if (!store) estimate();
  }

  /** Learns how much a call uses from how far calls have raised the usage. */
  function estimate(): void {
    const all = calls + fresh;
    const [from, made] = (anchor ??= [percent, all]);
    const rise = percent - from;
    if (!rate && cost > 0 && rise >= 3 && all > made) cost = (cost + rise / (all - made)) / 2;
    if (rise >= 3 || rise < 0 || all < made) anchor = [percent, all];
  }

  async function exchange(clock: MonotonicClock, begunAt: number): Promise<void> {
    const found: unknown = (await store?.get(key)) ?? undefined;
    if (found !== undefined && typeof found !== 'string') throw new TypeError('get resolved to no text');
    // It took so long that another exchange has begun.
    if (syncedAt !== begunAt) return;
    const entry = elementsOf(parsed(found));
    telling(clock, () => read(entry, clock));
    estimate();
    const now = clock.monotonic();
    const wall = clock.now();
    const asks = now >= turnUntil && askedAt > seenAt;
    const taken: Turn = [self, wall];
    // The process keeps its turn while its call is in flight.
    if (isTrying) [turn, turnUntil] = [taken, now + turnMs];
    const [said, marked, made, done] = [report, [...marks], fresh, pending.length];
    const shared = isShared ? grouped([...counted, ...pending], windowMs) : [];
    const next: StoredLimit = [
      said,
      cost,
      pauseMs,
      asks ? taken : turn,
      marked,
      calls + made,
      { ...machinesIn(entry, wall), [self]: wall },
      shared,
    ];
    const isStored: unknown = await store?.compareAndSet(
      key,
      found,
      JSON.stringify(next),
      2 * dayMs + windowMs,
    );
    if (typeof isStored !== 'boolean') throw new TypeError('compareAndSet resolved to no boolean');
    if (!isStored) {
      if (found === beaten) throw new Error('compareAndSet stores nothing, though nobody else wrote');
      beaten = found;
      // Others wrote at the same time, but will not the next time. A process that always loses uses what they write.
      syncedAt += Math.random() * syncMs;
      if (!blockedUntil) report = told;
      return;
    }
    [told, toldMarks] = [said, marked];
    calls += made;
    fresh -= made;
    if (isShared) [counted, pending] = [shared, pending.slice(done)];
    if (asks) [turn, turnUntil, askedAt] = [taken, now + turnMs, -Infinity];
  }

  function read(entry: readonly unknown[], clock: MonotonicClock): void {
    const now = clock.monotonic();
    const wall = clock.now();
    // Converts a time by another machine's wall clock. What is new in the entry was written since the last reading, and
    // that clock is off by `clockSkewMs` at most. Of the times that are possible, this is the latest: nothing may end early.
    const sinceMs = now - readAt;
    const timeOf = (at: number): number => now - Math.max(0, Math.min(wall - at - clockSkewMs, sinceMs));
    readAt = now;
    // If the store lost its entry, this process still knows what it knew.
    if (entry.length === 0) return;
    const [what, used, pause, whose, theirMarks, made, , list] = entry;
    calls = Math.max(0, amount(made));
    machines = Object.keys({ ...machinesIn(entry, wall), [self]: 0 }).length;
    counted = elementsOf(list).filter(isCount);
    if (!rate && amount(used) > 0) cost = Math.min(100, amount(used));
    toldMarks = toldMarks.map((old, lane) => {
      const mark = amount(elementsOf(theirMarks)[lane]);
      if (mark !== old) held[lane] = Math.max(held[lane] ?? 0, timeOf(mark));
      if (marks[lane] === old) marks[lane] = mark;
      return mark;
    });
    const [who, at] = elementsOf(whose);
    const other: Turn = [String(who), amount(at)];
    if (who !== self && other.join() !== turn.join())
      [turn, turnUntil] = [other, who === '' ? 0 : timeOf(other[1]) + turnMs];
    const [saidAt = -1, said = -1, blocked = -1] = elementsOf(what).map(amount);
    const theirs: Report = [saidAt, said, blocked];
    if (said < 0 || theirs.join() === told.join()) return;
    const until = blocked < 0 ? 0 : Math.max(1, timeOf(saidAt) + Math.min(dayMs, blocked));
    const isKnown = report === told;
    told = theirs;
    // A block stands, whatever processes report that do not know of it yet. Otherwise, either may be newer.
    if (!isKnown && until <= blockedUntil) {
      percent = Math.max(percent, said);
      return;
    }
    report = theirs;
    percent = said;
    blockedUntil = until;
    seenAt = timeOf(saidAt);
    pauseMs = Math.min(longestPauseMs, Math.max(syncMs, amount(pause)));
    missed = 0;
  }

  /** Reports what is new to the caller. */
  function telling(clock: MonotonicClock, learn: () => void): void {
    const [before, was] = [percent, blockedUntil];
    learn();
    if (before !== percent || !was !== !blockedUntil) onChange?.(state(clock));
  }

  function state(clock: MonotonicClock): LimitState {
    count(clock.now());
    const now = clock.monotonic();
    const at = clock.now() - now;
    const [kind = '', id = ''] = name.split(' ');
    return {
      kind,
      id,
      percent,
      ...(blockedUntil > now && { blockedUntil: new Date(at + blockedUntil) }),
      observedAt: new Date(at + (seenAt > 0 ? seenAt : now)),
    };
  }

  /** The processes that wrote recently. */
  function machinesIn(entry: readonly unknown[], wall: number): Record<string, unknown> {
    const isNear = ([, at]: readonly [string, unknown]): boolean =>
      Math.abs(wall - amount(at)) < 3 * (syncMs + clockSkewMs);
    return Object.fromEntries(Object.entries(fieldsOf(entry[6])).filter(isNear));
  }

  return {
    name,
    rate,
    ask: (use, clock) => {
      const now = clock.monotonic();
      const ms = waitOf(use, now, clock);
      if (ms > 0) [held[use.lane], marks[use.lane]] = [now, clock.now()];
      return ms;
    },
    state,
    see: (percent, regainMs, isTurn, clock) => telling(clock, () => see(percent, regainMs, isTurn, clock)),
    read: (text, clock) => telling(clock, () => read(elementsOf(parsed(text)), clock)),
    take: (use, isTurn, clock) => {
      fresh += use.calls;
      askedAt = -Infinity;
      isTrying ||= isTurn;
      if (!rate) flying += use.calls;
      else if (!isCounted(use)) pending.push([clock.now(), use.calls, use.thing]);
    },
    leave: (use, isTurn) => {
      if (!rate) flying -= use.calls;
      if (!isTurn) return;
      isTrying = false;
      // Unless it took so long that another process has the turn.
      if (turn[0] === self) [turn, turnUntil] = [nobody, 0];
    },
    miss: (all) => {
      missed += all;
    },

    isIdle: (clock) => clock.monotonic() - Math.max(usedAt, seenAt, blockedUntil) >= keptMs + windowMs,
    sync: (clock, use) => {
      const now = clock.monotonic();
      if (use) usedAt = now;
      if (store && now - syncedAt >= (syncing ? Math.max(syncMs, lostMs) : syncMs)) {
        syncedAt = now;
        // If it needs the turn, this asks for it.
        if (use) waitOf(use, now, clock);
        const own = attempt(() => exchange(clock, now)).finally(() => {
          if (syncing === own) syncing = undefined;
        });
        syncing = own;
      }
      return isUp() && (askedAt > seenAt || now - readAt > 1.5 * syncMs) ? syncing : undefined;
    },
  };
}

/** A report of a response: when, by the wall clock of the process that got it; percent; milliseconds of a block, or -1. */
type Report = readonly [at: number, percent: number, blockMs: number];

/** Whose turn it is, and since when, by the wall clock of that process. */
type Turn = readonly [who: string, at: number];

const nobody: Turn = ['', 0];

/**
 * What is stored of a limit: what a response said last; what a call uses, and after how long to look again; whose turn it
 * is; when calls of each lane were held; calls of the fleet; the processes, and when each wrote last; and what a rate has
 * counted. Processes pass on what others wrote as it is: times that each of them converts would shift a little each time.
 */
type StoredLimit = readonly [
  report: Report,
  cost: number,
  pauseMs: number,
  turn: Turn,
  marks: readonly number[],
  calls: number,
  machines: Readonly<Record<string, unknown>>,
  counted: readonly Counted[],
];

/** A number from outside, if it is at least 0; otherwise -1. */
export function amount(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value < Infinity ? value : -1;
}

export function elementsOf(value: unknown): readonly unknown[] {
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
  const [at, calls] = elementsOf(value).map(amount);
  return at !== -1 && calls !== -1 && calls !== undefined;
}

function sum(counted: readonly Counted[]): number {
  return counted.reduce((total, [, calls]) => total + calls, 0);
}

/** Combines calls made at about the same time, so that an entry stays small. */
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
