import { fieldsOf } from '../core/options/check.ts';
import type { MonotonicClock } from '../core/options/clock.ts';
import type { Rate, Use } from './uses.ts';

/** Who may let one call through that the others wait for, and until when. */
interface Turn {
  readonly by: string;
  readonly isMine: boolean;
  readonly until: number;
  isUsed: boolean;
}

/** Calls that a published rate counts: when, by the wall clock, how many, and of what. */
export type Counted = readonly [at: number, calls: number, thing: string];

/** What a process knows of a limit. Its times are by the monotonic clock, in milliseconds. */
export interface Limit {
  readonly key: string;
  readonly kind: string;
  readonly id: string;
  readonly rate: Rate | undefined;
  percent: number;
  /** When that was learned, by both clocks. */
  seenAt: number;
  observedAt: number;
  /** How much of a percent a call uses. */
  cost: number;
  /** Calls that were let through and that `percent` does not hold: in flight, and without a header. */
  flying: number;
  unseen: number;
  /** Whether the platform refuses: until then for sure, afterwards until a call of the fleet gets through. */
  isShut: boolean;
  blockedUntil: number;
  /** For how long it is left alone if the platform does not say. */
  blockMs: number;
  /** How long to wait until a call looks whether the limit has room again. */
  pauseMs: number;
  /** How many processes share it. */
  machines: number;
  turn: Turn | undefined;
  /** When a call was held last, and of which lane. */
  heldAt: number;
  heldLane: number;
  /** When a turn was asked for. */
  askedAt: number;
  /** Calls of the fleet that all know of, and those of this process that the others do not. */
  calls: number;
  fresh: number;
  /** When `cost` was last estimated. */
  anchor: { readonly percent: number; readonly calls: number } | undefined;
  /** What others do not know: nothing, what a response said, or what a call said whose turn it was. */
  news: 0 | 1 | 2;
  /** For a rate: what the fleet has counted, and what this process did since it last told the others. */
  counted: Counted[];
  pending: Counted[];
  /** What the store was last seen to hold, and when. */
  text: string | undefined;
  readAt: number;
  /** When the last exchange with it began, and that exchange. */
  syncedAt: number;
  syncing: Promise<void> | undefined;
}

const secondMs = 1000;
const minuteMs = 60_000;
const longestPauseMs = 15 * minuteMs;
/** The platform is never taken to block for longer, whatever it or a store says. */
export const longestBlockMs = 1440 * minuteMs;

export function newLimit(key: string, kind: string, id: string, rate?: Rate): Limit {
  return {
    key,
    kind,
    id,
    rate,
    percent: 0,
    seenAt: 0,
    observedAt: 0,
    cost: rate ? 100 / rate[1] : 1,
    flying: 0,
    unseen: 0,
    isShut: false,
    blockedUntil: 0,
    blockMs: minuteMs,
    pauseMs: secondMs,
    machines: 1,
    turn: undefined,
    heldAt: -Infinity,
    heldLane: 0,
    askedAt: -Infinity,
    calls: 0,
    fresh: 0,
    anchor: undefined,
    news: 0,
    counted: [],
    pending: [],
    text: undefined,
    readAt: -Infinity,
    syncedAt: -Infinity,
    syncing: undefined,
  };
}

/** What a response says about a limit: percent, and milliseconds until calls get through again. */
export type Reading = readonly [kind: string, id: string, percent: number, regainMs: number];

/** Reads the usage headers; what is odd in them is left out. Two of them do not say whose limit they mean. */
export function readHeaders(headers: Headers, app: string, token: string): Reading[] {
  const readings: Reading[] = [];
  const read = (kind: unknown, id: string, usage: unknown): void => {
    const { call_count, total_cputime, total_time, estimated_time_to_regain_access } = fieldsOf(usage);
    const percent = Math.max(...[call_count, total_cputime, total_time].map(amount));
    if (percent < 0 || typeof kind !== 'string' || !/^\w{1,40} [\w-]{1,64}$/.test(`${kind} ${id}`)) return;
    readings.push([kind, id, percent, amount(estimated_time_to_regain_access) * minuteMs]);
  };
  read('app', app, parsed(headers.get('x-app-usage')));
  read('page', token, parsed(headers.get('x-page-usage')));
  for (const [id, entries] of Object.entries(fieldsOf(parsed(headers.get('x-business-use-case-usage'))))) {
    if (Array.isArray(entries)) for (const usage of entries) read(fieldsOf(usage)['type'], id, usage);
  }
  return readings;
}

/** A number from outside, from 0 on; -1 for anything else. */
export function amount(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : -1;
}

export function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Takes what a response said; one to a call whose turn it was is what the others wait for. */
export function observe(
  limit: Limit,
  percent: number,
  regainMs: number,
  isTurn: boolean,
  clock: MonotonicClock,
): void {
  const isRefused = percent >= 100 || regainMs > 0;
  // What was sent before a block says nothing about its end.
  if (limit.isShut && !isTurn && !isRefused) return;
  const now = clock.monotonic();
  const fell = limit.percent - percent;
  if (isTurn)
    limit.pauseMs = Math.max(secondMs, fell > 0 ? (now - limit.seenAt) / fell : 1.5 * limit.pauseMs);
  limit.pauseMs = Math.min(longestPauseMs, limit.pauseMs);
  limit.news = isTurn ? 2 : limit.news || 1;
  limit.percent = percent;
  limit.seenAt = now;
  limit.observedAt = clock.now();
  limit.unseen = 0;
  if (regainMs > 0) limit.blockedUntil = now + Math.min(longestBlockMs, regainMs);
  else if (!isRefused) limit.blockMs = minuteMs;
  else if (now >= limit.blockedUntil) {
    // The platform does not say for how long. Whoever comes too early waits longer the next time.
    limit.blockedUntil = now + limit.blockMs;
    limit.blockMs = Math.min(longestPauseMs, 2 * limit.blockMs);
  }
  limit.isShut = isRefused;
}

/** Learns what a call costs from how far calls took the limit. */
export function estimateCost(limit: Limit): void {
  const { percent } = limit;
  const calls = limit.calls + limit.fresh;
  const anchor = (limit.anchor ??= { percent, calls });
  const rise = percent - anchor.percent;
  const made = calls - anchor.calls;
  if (rise >= 3 && made > 0) limit.cost = (limit.cost + rise / made) / 2;
  if (rise < 0 || made < 0 || rise >= 3) limit.anchor = { percent, calls };
}

/** How calls are let through. */
export interface Rules {
  /** The share of each lane, and the highest share of the lanes below it. */
  readonly shares: readonly number[];
  readonly below: readonly number[];
  readonly syncMs: number;
  /** Asks for the turn to let one call through: whether this process has it at once. */
  readonly ask: (limit: Limit, now: number) => boolean;
  /** Exchanges what is known with the others, if that is due. */
  readonly sync: (limit: Limit, clock: MonotonicClock) => unknown;
}

/**
 * How many milliseconds from now a call may be let through: 0, now; a negative number, now, by using a turn. If others
 * decide that, it is when to ask again.
 */
export function waitOf(limit: Limit, use: Use, now: number, wall: number, rules: Rules): number {
  const { lane } = use;
  // Nobody is let through shortly after a more urgent call was held, on whatever machine.
  const heldMs = limit.heldAt + 5 * rules.syncMs - now;
  if (heldMs > 0 && lane > limit.heldLane) return heldMs;
  const ms = waitFor(limit, use, now, wall, rules);
  if (ms > 0) Object.assign(limit, { heldAt: now, heldLane: lane });
  return ms;
}

function waitFor(limit: Limit, use: Use, now: number, wall: number, rules: Rules): number {
  const { rate, cost, machines, isShut, blockedUntil, turn } = limit;
  if (now < blockedUntil) {
    // Early, so that it is known by then whose turn it is.
    if (blockedUntil - now < 2 * rules.syncMs) rules.ask(limit, now);
    return blockedUntil - now;
  }
  const { lane, ownLane, calls, thing } = use;
  const freeMs = rate ? count(limit, rate, wall) : 0;
  const { percent, flying, unseen } = limit;
  if (rate && thing !== '' && isCounted(limit, thing)) return 0;
  const share = rules.shares[lane] ?? 0;
  // A rate is for the lane of its function. Otherwise percents are whole: 99 may be nearly 100.
  const most = rate ? Math.min(100, (100 * share) / (rules.shares[ownLane] ?? 100)) : Math.min(99, share);
  const own = (flying + unseen + calls) * cost;
  const next = percent + own;
  // No lane is in the way of a higher one, even where each process keeps to its part of what is left.
  const isFree = next <= Math.min(most, rate ? 0 : (rules.below[lane] ?? 0));
  if (!isShut && (isFree || percent + own * (rate ? Math.min(machines, rate[1]) : machines) <= most))
    return 0;
  if (rate && (next > most || !isShared(rate))) return freeMs;
  if (turn && now < turn.until) return turn.isMine && !turn.isUsed ? -1 : rules.syncMs;
  // Rarely where one call could be too much.
  const isRoom = rate !== undefined || next <= most - 1;
  const pauseMs = isRoom ? rules.syncMs : limit.pauseMs * (percent + cost > 99 ? 10 : 1);
  const dueAt = isShut ? blockedUntil : limit.seenAt + pauseMs;
  return now < dueAt ? dueAt - now : rules.ask(limit, now) ? -1 : rules.syncMs;
}

/** Counts a call that is let through. */
export function take(limit: Limit, { calls, thing }: Use, now: number, wall: number): void {
  limit.fresh += calls;
  if (!limit.rate) limit.flying += calls;
  else if (thing === '' || !isCounted(limit, thing)) {
    limit.pending.push([wall, calls, thing]);
    limit.seenAt = now;
    limit.observedAt = wall;
  }
}

function isCounted({ counted, pending }: Limit, thing: string): boolean {
  return [...counted, ...pending].some((one) => one[2] === thing);
}

/** Whether processes tell each other what they count: the window of a rate is longer than that takes. */
export function isShared([, , windowMs]: Rate): boolean {
  return windowMs > 10 * secondMs;
}

/** Counts the calls of a rate anew. Returns in how many milliseconds one of them leaves its window. */
function count(limit: Limit, rate: Rate, wall: number): number {
  const [, most, windowMs] = rate;
  // Of fewer calls than processes, each has one in a longer time.
  const span = isShared(rate) ? windowMs : windowMs * Math.max(1, limit.machines / most);
  const left = ([at]: Counted): boolean => at > wall - span;
  limit.counted = limit.counted.filter(left);
  limit.pending = limit.pending.filter(left);
  limit.percent = sum(limit.counted) * limit.cost;
  limit.unseen = sum(limit.pending);
  const first = Math.min(...[...limit.counted, ...limit.pending].map(([at]) => at));
  return Math.max(1, first + span - wall);
}

function sum(counted: readonly Counted[]): number {
  return counted.reduce((total, [, calls]) => total + calls, 0);
}
