// What a fleet knows of one limit, and what follows from it: pure functions. Times are milliseconds since 1970, amounts are
// percent of the limit.
import * as v from 'valibot';

/** A published rate, which no header reports: so many calls, or different keys, in so many milliseconds. */
export interface Rate {
  readonly kind: string;
  readonly most: number;
  readonly windowMs: number;
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
/** In how many parts of a window amounts are kept; how many amounts, as clocks differ, and how many names. */
const [parts, mostUsed, mostNames] = [120, 128, 64];

const number = (least: number, most: number, otherwise = 0) =>
  v.fallback(v.pipe(v.number(), v.minValue(least), v.maxValue(most)), otherwise);
const time = number(0, 1e16);

/** What is stored of a limit. What is invalid in it counts as not known. */
const entry = v.object({
  /** What a response reported last, -1 if none did, and when. */
  percent: number(-1, 1e9, -1),
  at: time,
  /** When a block or a try ends, 0 for none; the call that was refused, or tries; untold blocks in a row. */
  until: time,
  by: v.fallback(v.string(), ''),
  tries: number(0, 10),
  /** What is used, by when it came, in seconds. */
  used: v.fallback(v.pipe(v.array(v.strictTuple([time, number(0, 1e9)])), v.maxLength(mostUsed)), []),
  /** Until when they count. Of a short rate, the processes that share it; of others, the keys; of a token, its limits. */
  names: v.fallback(v.pipe(v.record(v.string(), time), v.maxEntries(mostNames)), {}),
});

export type LimitRecord = v.InferOutput<typeof entry>;

/** Reads what is stored, whatever it is. */
export const readRecord = (value: unknown): LimitRecord => v.parse(entry, Object(value));

/** The same, if all of it had been so many milliseconds earlier. */
export function moved(r: LimitRecord, backMs: number): LimitRecord {
  const back = (time: number, by = backMs): number => (time > 0 ? Math.max(1, time - by) : 0);
  return {
    ...r,
    at: back(r.at),
    until: back(r.until),
    used: r.used.map(([at, amount]) => [back(at, backMs / 1000), amount]),
    names: Object.fromEntries(Object.entries(r.names).map(([name, at]) => [name, back(at)])),
  };
}

// ---- Usage -----------------------------------------------------------------------------------------------------------------

/** Usage that headers report leaves an hour after it came: of limits with another window, the reports correct it. */
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
export function roomIn(r: LimitRecord, rate: Rate | undefined, more: number, most: number, now: number) {
  const used = left(r, rate, now);
  let over = sumOf(used) + more - most - 1e-6;
  if (over <= 0) return 0;
  const [at] = used.find(([, amount]) => (over -= amount) <= 0) ?? [now / 1000];
  return Math.max(1, at * 1000 + windowOf(rate) + skewMs - now);
}

const thousandths = (amount: number): number => Math.round(amount * 1000) / 1000;

/** So much more is used from now on; or so much less: then so much of each amount has left. */
function added(r: LimitRecord, rate: Rate | undefined, more: number, now: number): LimitRecord {
  const used = left(r, rate, now);
  if (more < 0) {
    const factor = 1 + more / sumOf(used);
    return { ...r, used: used.map(([at, amount]) => [at, thousandths(amount * factor)]) };
  }
  // What comes in one part of the window leaves together, when the last of it does. Clocks differ: it may not be the last part.
  const partOf = (seconds: number): number => Math.floor((seconds * 1000 * parts) / windowOf(rate));
  const seconds = Math.round(now / 1000);
  const same = used.find(([at]) => partOf(at) === partOf(seconds));
  const [at, amount] = same ?? [0, 0];
  const part: [number, number] = [Math.max(at, seconds), thousandths(amount + more)];
  const all = [...used.filter((one) => one !== same), part];
  return { ...r, used: all.sort(([one], [other]) => one - other).slice(-mostUsed) };
}

/** So many calls at a rate, or a key for the first time in its window. */
export function counted(r: LimitRecord, rate: Rate, calls: number, key: string, now: number): LimitRecord {
  if ((r.names[key] ?? 0) > now) return r;
  const known = key === '' ? r : named(r, [key], now + rate.windowMs, now);
  return added(known, rate, (100 * calls) / rate.most, now);
}

// ---- Blocks and reports ----------------------------------------------------------------------------------------------------

/**
 * For how long a block holds a process. Others' clocks may be ahead of its own. What is longer than a day, is no time; nor
 * is what was told an hour from now or later: by a clock that was set back since, or that is wrong.
 */
export function blockedFor({ until, by, at }: LimitRecord, process: string, now: number): number {
  const ms = until === 0 ? 0 : until + (by.startsWith(process) ? 0 : skewMs) - now;
  return ms > day + 2 * skewMs || at > now + hour ? 0 : Math.max(0, ms);
}

/** After a block, a call claims to try. */
export const tried = (r: LimitRecord, by: string, process: string, now: number): LimitRecord =>
  blockedFor(r, process, now) > 0 ? r : { ...r, by, until: now + turnMs };

/** The response to a call reports. Only the call that tries ends a block. */
export function reported(
  r: LimitRecord,
  { percent, regainMs = 0, isRefused = false }: Report,
  by: string,
  rate: Rate | undefined,
  now: number,
): LimitRecord {
  if (r.until > 0 && by !== r.by) return r;
  const news = { at: now, until: 0, tries: 0 };
  if (isRefused) {
    // If no time is told: a minute, then twice as long each time.
    const guessMs = rate ? Math.min(minute, rate.windowMs) : Math.min(hour / 4, minute * 2 ** r.tries);
    const until = now + Math.min(day, regainMs || guessMs);
    const tries = regainMs > 0 ? 0 : Math.min(10, r.tries + 1);
    return { ...r, ...news, percent: Math.max(100, percent ?? 0), until, by, tries };
  }
  if (percent === undefined) return { ...r, ...news, percent: -1 };
  // Percentages are whole numbers: what is used may be anything up to the next one.
  const least = Math.min(100, percent);
  const used = usageOf(r, rate, now);
  const more = used < least ? least - used : Math.min(0, least + 1 - used);
  // Nobody knows when the first of it came: then it leaves evenly.
  const steps = now - r.at > hour && more > 0 ? 12 : 1;
  let next = r;
  if (more !== 0)
    for (let step = steps; step > 0; step--)
      next = added(next, rate, more / steps, now - (step - 1) * 5 * minute);
  return { ...next, ...news, percent };
}

// ---- Names -----------------------------------------------------------------------------------------------------------------

/** Names count until then. */
export function named(r: LimitRecord, names: readonly string[], until: number, now: number): LimitRecord {
  const kept = Object.entries(r.names).filter(([name, at]) => at > now && !names.includes(name));
  const all = [...kept, ...names.map((name): [string, number] => [name, until])];
  return { ...r, names: Object.fromEntries(all.slice(-mostNames)) };
}

/**
 * The part of a process in a short rate: how many calls in a window, and in how many milliseconds it may begin. If there are
 * more processes than calls, they take turns.
 */
export function partOf({ names }: LimitRecord, { most }: Rate, process: string, now: number) {
  const others = Object.keys(names).filter((name) => name !== process && (names[name] ?? 0) > now);
  const all = [...others, process].sort();
  const oneMs = turnMs + skewMs;
  const allMs = oneMs * Math.ceil(all.length / most);
  const sinceMs = (now - oneMs * Math.floor(all.indexOf(process) / most)) % allMs;
  const isTurn = all.length <= most || sinceMs < turnMs;
  return { calls: Math.max(1, Math.floor(most / all.length)), waitMs: isTurn ? 0 : allMs - sinceMs };
}
