// What a fleet knows of one limit, and what follows from it: pure functions. Times are milliseconds since 1970, usage is in
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
/** Up to where calls are let through: nobody knows what the last percent hides. */
const highest = 99;
/** How long a turn lasts: of the call that tries after a block, and of processes at a short rate. */
const turnMs = 10_000;
/** In how many parts the calls of a window are counted. */
const parts = 60;

const number = (least: number, most: number, otherwise = 0) =>
  v.fallback(v.pipe(v.number(), v.minValue(least), v.maxValue(most)), otherwise);
const time = number(0, 1e16);

/** The entry of a limit in the store. What is invalid in it counts as not known. */
const entry = v.object({
  /** What a response reported last, -1 if none did, when, and a number that is drawn for each report. */
  percent: number(-1, 1e9, -1),
  at: time,
  version: time,
  /** When the block ends, 0 for none; by whose clock; and how many blocks in a row had no end that was told. */
  until: time,
  by: v.fallback(v.string(), ''),
  tries: number(0, 10),
  /** The fleet's calls: the number of the latest part of a window since 1970, its calls, and those of the parts before it. */
  calls: v.fallback(v.strictTuple([time, v.pipe(v.array(number(0, 1e9)), v.maxLength(parts + 1))]), [0, []]),
  /** Until when they count: the keys of a rate of different keys; the processes that share another rate. */
  names: v.fallback(v.record(v.string(), time), {}),
});

export type LimitRecord = v.InferOutput<typeof entry>;

/** Reads what is stored, whatever it is. */
export const readRecord = (value: unknown): LimitRecord => v.parse(entry, Object(value));

const namesOf = ({ names }: LimitRecord, now: number): readonly string[] =>
  Object.keys(names).filter((name) => (names[name] ?? 0) > now);

// ---- Usage -----------------------------------------------------------------------------------------------------------------

/** The fleet's calls between two times. A part of the window that is partly between them counts in part. */
function callsIn({ calls: [latest, calls] }: LimitRecord, partMs: number, from: number, to: number): number {
  let sum = 0;
  const oldest = Math.min(calls.length - 1, latest - Math.floor(from / partMs));
  for (let back = Math.max(0, latest - Math.floor(to / partMs)); back <= oldest; back++) {
    const begin = (latest - back) * partMs;
    sum += ((calls[back] ?? 0) * (Math.min(begin + partMs, to) - Math.max(begin, from))) / partMs;
  }
  return sum;
}

/** The fleet's calls in the hour before the last report, and how many percent each used: from ten on, what it seems, up to 5. */
function madeIn(r: LimitRecord): readonly [calls: number, cost: number] {
  const calls = callsIn(r, minute, r.at - hour, r.at + minute);
  return [calls, calls < 10 ? 1 : Math.min(5, (r.percent + 1) / calls)];
}

/**
 * What is used if nobody has called since the last report. Calls leave an hour after they were made: of the fleet's own, that
 * is known; all else leaves evenly. With `isSure`, all else has left.
 */
export function usageOf(r: LimitRecord, rate: Rate | undefined, now: number, isSure = false): number {
  if (rate?.isDistinct) return (100 * namesOf(r, now).length) / rate.most;
  if (rate) {
    const partMs = rate.windowMs / parts;
    const from = Math.floor((now - rate.windowMs - skewMs) / partMs) * partMs;
    return (100 * callsIn(r, partMs, from, now + hour)) / rate.most;
  }
  const age = now - r.at;
  if (r.percent < 0 || Math.abs(age) >= hour) return 0;
  const [made, cost] = madeIn(r);
  const percent = Math.min(100, r.percent);
  const own = Math.min(percent, cost * made);
  const left = own > 0 ? callsIn(r, minute, r.at - hour, now - hour) / made : 0;
  return own * (1 - left) + (isSure ? 0 : (percent - own) * (1 - Math.max(0, age) / hour));
}

/** For how long a block holds a process. Others' clocks may be ahead of its own. What is longer than a day, is no time. */
export function blockedFor({ until, by }: LimitRecord, id: string, now: number): number {
  const ms = until === 0 ? 0 : until + (by === id ? 0 : skewMs) - now;
  return ms > day + 2 * skewMs ? 0 : Math.max(0, ms);
}

/**
 * In how many milliseconds calls have room up to a share, while so many others of this process are under way; 0 if now. With
 * `withinMs`, whether that may be within this time: 0, or Infinity.
 */
export function roomIn(
  r: LimitRecord,
  rate: Rate | undefined,
  share: number,
  calls: number,
  flying: number,
  now: number,
  withinMs?: number,
): number {
  if (r.percent < 0 && !rate) return 0;
  const most = rate?.isDistinct ? 100 : rate ? highest : Math.min(share, highest);
  if (withinMs === undefined && !rate && r.percent + 5 * (flying + calls) <= most) return 0;
  // A batch may be larger than a share.
  const one = rate ? 100 / rate.most : madeIn(r)[1];
  const needed = one * flying + Math.min(one * calls, Math.max(1, most / 2)) - 1e-6;
  const fits = (at: number, isSure = false): boolean => usageOf(r, rate, at, isSure) + needed <= most;
  if (withinMs !== undefined) return fits(now + withinMs, true) ? 0 : Infinity;
  const windowMs = rate?.windowMs ?? hour;
  for (let ms = 0; ms < windowMs; ms += windowMs / parts) if (fits(now + ms)) return ms;
  return windowMs;
}

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

// ---- Changes ---------------------------------------------------------------------------------------------------------------

/** Calls were made. */
export function counted(r: LimitRecord, windowMs: number, more: number, now: number): LimitRecord {
  const part = Math.floor(now / (windowMs / parts));
  const [latest, calls] = r.calls;
  // They are too old to count, or from a clock that is too far ahead to be right.
  if (Math.abs(latest - part) > parts) return { ...r, calls: [part, [more]] };
  const all = calls.slice();
  for (let next = latest; next < part; next++) all.unshift(0);
  const back = Math.max(0, latest - part);
  while (all.length <= back) all.push(0);
  all[back] = (all[back] ?? 0) + more;
  return { ...r, calls: [Math.max(part, latest), all.slice(0, parts + 1)] };
}

/** A name counts until then. */
export function named(r: LimitRecord, name: string, until: number, now: number): LimitRecord {
  const names = namesOf(r, now).map((other) => [other, r.names[other] ?? 0]);
  return { ...r, names: { ...Object.fromEntries(names), [name]: until } };
}

/**
 * A response reports. Its call was sent when the record was of the version `known`: if it still is, the report is newer, and
 * replaces it; if not, nobody can tell, and the higher one is safe. A block ends by a newer report only.
 */
export function reported(
  r: LimitRecord,
  { percent = -1, regainMs = 0, isRefused = false }: Report,
  known: number,
  version: number,
  by: string,
  rate: Rate | undefined,
  now: number,
): LimitRecord {
  const isNewer = known === r.version;
  if (r.until > 0 && !isNewer) return r;
  if (!isRefused) {
    const isNews = r.until > 0 || (percent >= 0 && (isNewer || percent > r.percent));
    return isNews ? { ...r, percent, at: now, version, until: 0, tries: 0 } : r;
  }
  // If no time is told: a minute, then twice as long each time.
  const guessMs = rate ? Math.min(minute, rate.windowMs) : Math.min(hour, minute * 2 ** r.tries);
  const until = now + Math.min(day, regainMs || guessMs);
  const tries = regainMs > 0 ? 0 : Math.min(10, r.tries + 1);
  return { ...r, percent: Math.max(100, percent), at: now, version, until, by, tries };
}

/** After a block, a process claims to try. */
export const tried = (r: LimitRecord, version: number, by: string, now: number): LimitRecord =>
  blockedFor(r, by, now) > 0 ? r : { ...r, version, by, until: now + turnMs };
