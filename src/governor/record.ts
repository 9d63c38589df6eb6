// What a fleet knows of one limit, and what follows from it: pure functions. Times are milliseconds since 1970, amounts are
// percent of the limit.
import * as v from 'valibot';

/** A published rate, which no header reports: so many calls, or different keys, in so many milliseconds. */
export interface Rate {
  readonly kind: string;
  readonly most: number;
  readonly windowMs: number;
  readonly isDistinct?: boolean;
}

/** What a response said of a limit: percent, for how long calls are blocked, and whether the call was refused. */
export interface Report {
  readonly percent?: number;
  readonly regainMs?: number;
  readonly isRefused?: boolean;
}

export const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
/** How much the clocks of processes may differ. */
const skewMs = 5000;
/** How long a turn lasts: of the call that tries after a block, and of processes at a short rate. */
const turnMs = 10_000;
/** How many amounts of a window, and how many names, are kept at most. */
const [parts, mostNames] = [120, 64];

const number = (least: number, most: number, otherwise = 0) =>
  v.fallback(v.pipe(v.number(), v.minValue(least), v.maxValue(most)), otherwise);
const time = number(0, 1e16);

/** What is stored of a limit. What is invalid in it counts as not known. */
const entry = v.object({
  /** What a response reported last, -1 if none did, and when. */
  percent: number(-1, 1e9, -1),
  at: time,
  /** When a block or a try ends, 0 for none; what is drawn for it, after the id of its process; untold blocks in a row. */
  until: time,
  by: v.fallback(v.string(), ''),
  tries: number(0, 10),
  /** What is used, by when it came, in seconds. */
  used: v.fallback(v.pipe(v.array(v.strictTuple([time, number(0, 1e9)])), v.maxLength(parts + 1)), []),
  /** Until when they count: keys of a rate of different keys; processes that share a rate; limits of a token. */
  names: v.fallback(v.pipe(v.record(v.string(), time), v.maxEntries(mostNames)), {}),
});

export type LimitRecord = v.InferOutput<typeof entry>;

/** Reads what is stored, whatever it is. The earlier form has no `used`. */
export function readRecord(value: unknown): LimitRecord {
  const r = v.parse(entry, Object(value));
  const isEarlier = r.percent > 0 && r.until === 0 && r.used.length === 0;
  return isEarlier ? reported({ ...r, at: 0 }, { percent: r.percent }, '', '', undefined, r.at) : r;
}

// ---- Usage -----------------------------------------------------------------------------------------------------------------

const windowOf = (rate: Rate | undefined): number => rate?.windowMs ?? hour;

/** What is still used of what came, if nobody has called since: it leaves a window later, by any clock. */
function left({ used }: LimitRecord, rate: Rate | undefined, now: number) {
  const forMs = windowOf(rate) + skewMs;
  return used.filter(([at]) => Math.abs(now - at * 1000) < forMs);
}

const sumOf = (used: LimitRecord['used']): number => used.reduce((sum, [, amount]) => sum + amount, 0);

export const usageOf = (r: LimitRecord, rate: Rate | undefined, now: number): number =>
  sumOf(left(r, rate, now));

/** In how many milliseconds there is room for so much more, up to `most`; 0 if now. */
export function roomIn(
  r: LimitRecord,
  rate: Rate | undefined,
  more: number,
  most: number,
  now: number,
): number {
  const used = left(r, rate, now);
  let over = sumOf(used) + more - most - 1e-6;
  if (over <= 0) return 0;
  for (const [at, amount] of used) {
    over -= amount;
    if (over <= 0) return Math.max(1, at * 1000 + windowOf(rate) + skewMs - now);
  }
  return windowOf(rate);
}

const thousandths = (amount: number): number => Math.round(amount * 1000) / 1000;

/** So much more is used from now on; or so much less: then so much of each amount has left. */
export function added(r: LimitRecord, rate: Rate | undefined, more: number, now: number): LimitRecord {
  const used: LimitRecord['used'] = left(r, rate, now);
  const factor = 1 + Math.min(0, more) / sumOf(used);
  if (factor < 1) return { ...r, used: used.map(([at, amount]) => [at, thousandths(amount * factor)]) };
  const partOf = (ms: number): number => Math.floor((ms * parts) / windowOf(rate));
  const [at, amount] = used.at(-1) ?? [0, 0];
  // What comes in one part of the window leaves together: when the last of it does, or in the mean if reports will correct it.
  const isSame = partOf(at * 1000) >= partOf(now);
  const all = isSame ? used.slice(0, -1) : used;
  const sum = more + (isSame ? amount : 0);
  const seconds = now / 1000;
  const mean = isSame && !rate ? (at * amount + seconds * more) / sum : seconds;
  const next: [number, number] = [Math.round(mean), thousandths(sum)];
  return { ...r, used: [...all, next].slice(-parts) };
}

// ---- Blocks and reports ----------------------------------------------------------------------------------------------------

/** For how long a block holds a process. Others' clocks may be ahead of its own. What is longer than a day, is no time. */
export function blockedFor({ until, by }: LimitRecord, id: string, now: number): number {
  const ms = until === 0 ? 0 : until + (by.startsWith(id) ? 0 : skewMs) - now;
  return ms > day + 2 * skewMs ? 0 : Math.max(0, ms);
}

/** After a block, a process claims to try. */
export const tried = (r: LimitRecord, by: string, id: string, now: number): LimitRecord =>
  blockedFor(r, id, now) > 0 ? r : { ...r, by, until: now + turnMs };

/** A response reports. Its call was sent when `by` was `known`: only a call that tries ends a block. */
export function reported(
  r: LimitRecord,
  { percent, regainMs = 0, isRefused = false }: Report,
  known: string,
  by: string,
  rate: Rate | undefined,
  now: number,
): LimitRecord {
  if (r.until > 0 && known !== r.by) return r;
  const news = { at: now, until: 0, tries: 0 };
  if (isRefused) {
    // If no time is told: a minute, then twice as long each time.
    const guessMs = rate ? Math.min(minute, rate.windowMs) : Math.min(hour, minute * 2 ** r.tries);
    const until = now + Math.min(day, regainMs || guessMs);
    const tries = regainMs > 0 ? 0 : Math.min(10, r.tries + 1);
    return { ...r, ...news, percent: Math.max(100, percent ?? 0), until, by, tries };
  }
  if (percent === undefined) return { ...r, ...news, percent: -1 };
  const more = Math.min(100, percent) - usageOf(r, rate, now);
  // Nobody knows when the first of it came: then it leaves evenly.
  const steps = now - r.at > hour && more > 0 ? 12 : 1;
  let next = r;
  if (more > 0 || more <= -1)
    for (let step = steps; step > 0; step--)
      next = added(next, rate, more / steps, now - (step - 1) * 5 * minute);
  return { ...next, ...news, percent };
}

// ---- Names -----------------------------------------------------------------------------------------------------------------

const namesOf = ({ names }: LimitRecord, now: number): readonly string[] =>
  Object.keys(names).filter((name) => (names[name] ?? 0) > now);

/** Names count until then. */
export function named(r: LimitRecord, names: readonly string[], until: number, now: number): LimitRecord {
  const all = [...namesOf(r, now).filter((name) => !names.includes(name)), ...names].slice(-mostNames);
  const entries = all.map((name) => [name, names.includes(name) ? until : (r.names[name] ?? 0)]);
  return { ...r, names: Object.fromEntries(entries) };
}

/** A key was used, for the first time in its window. */
export const keyed = (r: LimitRecord, key: string, rate: Rate, now: number): LimitRecord =>
  added(named(r, [key], now + rate.windowMs, now), rate, 100 / rate.most, now);

/**
 * The part of a process in a short rate: how many calls in a window, and in how many milliseconds it may begin. If there are
 * more processes than calls, they take turns.
 */
export function partOf(r: LimitRecord, { most }: Rate, id: string, now: number) {
  const all = [...new Set([...namesOf(r, now), id])].sort();
  const oneMs = turnMs + skewMs;
  const allMs = oneMs * Math.ceil(all.length / most);
  const sinceMs = (now - oneMs * Math.floor(all.indexOf(id) / most)) % allMs;
  const isTurn = all.length <= most || sinceMs < turnMs;
  return { calls: Math.max(1, Math.floor(most / all.length)), waitMs: isTurn ? 0 : allMs - sinceMs };
}
