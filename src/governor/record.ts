// What a fleet knows of one limit, and what follows from it: pure functions, which docs/governor.md explains. Usage is in
// percent of the limit, times are milliseconds since 1970.
import * as v from 'valibot';

/** A published rate, which no header reports: so many calls, or different keys, in so many milliseconds. */
export interface Rate {
  readonly kind: string;
  readonly most: number;
  readonly windowMs: number;
  readonly isDistinct?: boolean;
}

/** Rates that are not counted over time: calls or keys are claimed in the record until their window is over. */
export const isClaimed = ({ windowMs, isDistinct }: Rate): boolean =>
  isDistinct === true || windowMs < 600_000;

export const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
/** How much the clocks of processes may differ. */
export const skewMs = 5000;
const [minutesKept, hoursKept] = [66, 26];
/** The windows that are told apart, the safest last. The negative one is a reset at each full hour. */
const windows = [5 * minute, -hour, hour, 3 * hour, day];

const number = (least: number, most: number, otherwise = 0) =>
  v.fallback(v.pipe(v.number(), v.minValue(least), v.maxValue(most)), otherwise);
const [time, count, percent] = [number(0, 1e16), number(0, 1e9), number(-1, 1e4, -1)];
/** Calls by slots of time, from the latest one backwards, and the number of that slot since 1970. */
const tally = v.fallback(v.strictTuple([time, v.pipe(v.array(count), v.maxLength(70))]), [0, []]);
/** Where a measurement began: percent, all calls, time. */
const start = v.fallback(v.nullable(v.strictTuple([percent, time, time])), null);

/** The entry of a limit in the store, which processes replace as a whole. An invalid value counts as unknown. */
const entry = v.object({
  /** The usage that a response reported last, -1 if none did, and when. */
  percent,
  at: time,
  /** The number of observations. Of two, the newer one is that whose sender knew this number, whatever the clocks say. */
  seq: time,
  /** When the block that began at `at` ends, 0 for none; by the clock of which process; until when refusals make it careful. */
  until: time,
  by: v.fallback(v.string(), ''),
  wary: time,
  /** The fleet's calls: all of them, and those of the last minutes and hours. */
  total: time,
  minutes: tally,
  hours: tally,
  /** After how long calls seem to leave the usage, and by how many percent each candidate was off. */
  window: v.fallback(v.picklist(windows), hour),
  errors: v.fallback(v.pipe(v.array(count), v.length(windows.length)), () => windows.map(() => 0)),
  /** Percent that a call uses: the last measurements. Where the present one began, and that of the window. */
  costs: v.fallback(v.pipe(v.array(number(1e-6, 100, 1)), v.maxLength(5)), []),
  costFrom: start,
  windowFrom: start,
  /**
   * Of each process, or of each distinct key: calls that it may still send or has in flight, until when they count, and how
   * many calls it has told.
   */
  leases: v.fallback(v.record(v.string(), v.strictTuple([count, time, time])), {}),
});

export type LimitRecord = v.InferOutput<typeof entry>;
type Tally = LimitRecord['minutes'];

/** Reads what is stored, whatever it is. */
export const readRecord = (value: unknown): LimitRecord => v.parse(entry, Object(value));

export const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));
const rounded = (value: number): number => Number(value.toPrecision(4));

/** The calls of a tally between two times; of a slot that is partly between them, a part. */
function callsIn([latest, calls]: Tally, widthMs: number, from: number, to: number): number {
  let sum = 0;
  const oldest = Math.min(calls.length - 1, latest - Math.floor(from / widthMs));
  for (let back = Math.max(0, latest - Math.floor(to / widthMs)); back <= oldest; back++) {
    const begin = (latest - back) * widthMs;
    const part = Math.min(begin + widthMs, to) - Math.max(begin, from);
    sum += ((calls[back] ?? 0) * Math.max(0, part)) / widthMs;
  }
  return sum;
}

/** The fleet's calls between two times: by minutes, and by hours where it is too long ago for these. */
function callsBetween({ minutes, hours }: LimitRecord, from: number, to: number): number {
  const since = (minutes[0] - minutesKept + 1) * minute;
  return (
    callsIn(minutes, minute, Math.max(from, since), to) + callsIn(hours, hour, from, Math.min(to, since))
  );
}

function addTo([latest, calls]: Tally, widthMs: number, kept: number, more: number, now: number): Tally {
  const slot = Math.floor(now / widthMs);
  // The tally is too old to count, or from a clock that is too far ahead to be right.
  if (Math.abs(latest - slot) > kept) return [slot, [more]];
  const next = [...Array<number>(Math.max(0, slot - latest)).fill(0), ...calls].slice(0, kept);
  const back = Math.max(0, latest - slot);
  return [Math.max(slot, latest), next.length > back ? next.with(back, (next[back] ?? 0) + more) : [more]];
}

export function counted(r: LimitRecord, calls: number, now: number): LimitRecord {
  const minutes = addTo(r.minutes, minute, minutesKept, calls, now);
  return { ...r, total: r.total + calls, minutes, hours: addTo(r.hours, hour, hoursKept, calls, now) };
}

/** When the window that a time is in begins. For all clocks to agree on a reset, it counts a little later. */
function startOf(window: number, at: number): number {
  return window > 0 ? at - window : Math.floor((at - skewMs) / -window) * -window;
}

/** By how much usage falls between two times: the fleet's calls leave as they came, and those of others evenly after a lag. */
function fallOf(
  r: LimitRecord,
  window: number,
  percent: number,
  cost: number,
  from: number,
  to: number,
  lag = 0,
) {
  const [begin, end] = [startOf(window, from), startOf(window, to)];
  const others = Math.max(0, percent - cost * callsBetween(r, begin, from + minute));
  const gone = window > 0 ? clamp((to - from) / window - lag, 0, 1) : Number(end > begin);
  return cost * callsBetween(r, begin, end) + others * gone;
}

/** Of the measurement in progress: calls that stayed in the window, the rise of usage, and whether few calls have left. */
function rising(r: LimitRecord, now: number): readonly [stayed: number, rise: number, isClear: boolean] {
  if (!r.costFrom) return [0, 0, false];
  const [before, total, at] = r.costFrom;
  const all = r.total - total;
  const left = Math.min(all, callsBetween(r, startOf(r.window, at), startOf(r.window, now)));
  return [all - left, r.percent - before, left <= all / 4];
}

/** Percent that a call uses: the median of measurements; before the first one, what its beginning shows. */
function costOf(r: LimitRecord, rate: Rate | undefined, now: number): number {
  if (rate) return 100 / rate.most;
  const usual = r.costs.toSorted((a, b) => a - b)[r.costs.length >> 1];
  if (usual !== undefined) return usual;
  const [stayed, rise, isClear] = rising(r, now);
  return stayed >= 1 && isClear ? (rise + 1) / stayed : 1;
}

/**
 * What is used if nobody has called since the last response: the fleet's calls leave as they came; those of others are
 * replaced for a while, and then leave evenly.
 */
export function usageOf(r: LimitRecord, rate: Rate | undefined, now: number): number {
  const cost = costOf(r, rate, now);
  if (rate) {
    const since = Math.floor((now - rate.windowMs - skewMs) / minute) * minute;
    return isClaimed(rate) ? 0 : cost * callsBetween(r, since, now + minute);
  }
  if (r.percent < 0 || now - r.at > day) return 0;
  return Math.max(0, r.percent - fallOf(r, r.window, r.percent, cost, r.at, now, 1 / 8));
}

/** Takes the usage that a response reported. `seq`: that of the record that its sender knew. */
export function observed(r: LimitRecord, percent: number, seq: number, now: number): LimitRecord {
  // Nobody can tell which is newer: the higher one is safe.
  if (seq !== r.seq && percent <= r.percent) return r;
  const next = { ...withWindow(r, percent, now), percent, at: now, seq: r.seq + 1 };
  const [stayed, rise, isClear] = rising(next, now);
  const costs =
    isClear && rise >= 10 && stayed >= 1 ? [...r.costs, rounded(rise / stayed)].slice(-5) : r.costs;
  const isOver = !r.costFrom || rise < 0 || rise >= 10 || (!isClear && stayed > 0);
  return { ...next, costs, costFrom: isOver ? [percent, r.total, now] : r.costFrom };
}

/**
 * Learns after how long calls leave. Whenever the windows foresee falls that are 10 points and four calls apart, each is
 * judged by what happened. One that was off by 10 points less than the present one takes over; by 20, if that is proven.
 */
function withWindow(r: LimitRecord, percent: number, now: number): LimitRecord {
  const windowFrom: LimitRecord['windowFrom'] = [percent, r.total, now];
  if (!r.windowFrom || r.costs.length === 0) return { ...r, windowFrom };
  const [before, total, from] = r.windowFrom;
  const cost = costOf(r, undefined, now);
  // A platform may let calls leave in steps, and so up to ten minutes late.
  const foreseen = windows.map((window) => {
    const fallTo = (time: number): number => fallOf(r, window, before, cost, from, time);
    return { least: fallTo(now - clamp(window / 6, 0, 10 * minute)), most: fallTo(now) };
  });
  const open = foreseen.filter((_, index) => isOpen(r, index));
  const apart = Math.max(...open.map(({ least }) => least)) - Math.min(...open.map(({ most }) => most));
  if (apart < Math.max(10, 4 * cost)) return r;
  const fall = before + cost * (r.total - total) - percent;
  const off = foreseen.map(({ least, most }) => Math.max(0, least - fall, fall - most));
  const least = Math.min(...off);
  const errors = off.map((one, index) => Math.min(50, rounded(0.8 * (r.errors[index] ?? 0) + one - least)));
  const best = errors.indexOf(Math.min(...errors));
  const isBetter =
    (errors[best] ?? 0) + (isProven(r) ? 20 : 10) <= (errors[windows.indexOf(r.window)] ?? 100);
  return { ...r, windowFrom, errors, window: isBetter ? (windows[best] ?? hour) : r.window };
}

/** Whether a window, of `windows`, is still possible. */
const isOpen = ({ errors }: LimitRecord, index: number): boolean => (errors[index] ?? 0) < 40;

/** Whether what happened speaks clearly against all safer windows; for a day, the safest, against all others. */
function isProven({ window, errors }: LimitRecord): boolean {
  const index = windows.indexOf(window);
  const least = 2 * (errors[index] ?? 0) + 10;
  return errors.every((error, other) => other === index || (other < index && window < day) || error >= least);
}

/** Takes a refusal: a block until the time that the platform named, or else for a minute, then twice as long each time. */
export function blocked(
  r: LimitRecord,
  percent: number,
  regainMs: number,
  by: string,
  rate: Rate | undefined,
  now: number,
): LimitRecord {
  const used = Math.max(100, percent);
  // A refusal after a silence says that nothing has left. Otherwise, others have used the limit.
  const learned = now - r.at > 10 * minute && r.percent >= 0 ? withWindow(r, used, now) : r;
  const guessMs = Math.min(Math.abs(r.window) / 4, r.until > 0 ? 2 * (r.until - r.at) : minute);
  // A limit that the fleet has used up alone is no reason to be careful: the call was a probe.
  const fleet = costOf(r, rate, now) * callsBetween(r, startOf(r.window, now), now + minute);
  const lasts = regainMs > 0 ? Math.min(day, regainMs) : rate ? Math.min(minute, rate.windowMs) : guessMs;
  return {
    ...learned,
    percent: used,
    at: now,
    seq: r.seq + 1,
    until: now + lasts,
    by,
    wary: used - fleet < 5 ? r.wary : clamp(r.wary, now, now + 2 * hour) + hour,
    costFrom: null,
    windowFrom: learned === r ? null : learned.windowFrom,
  };
}

/** The last call or percent stays free, as nobody knows where exactly the end is; and one more for each refusal of late. */
const reserveOf = (cost: number): number => clamp(cost, 1, 5);
const capOf = (r: LimitRecord, share: number, cost: number, now: number): number =>
  Math.min(share, 100 - reserveOf(cost) - clamp((r.wary - now) / hour, 0, 3));
/** Percent that must be free for calls that are sent together. One call counts as 1 % at most while nothing is measured. */
const neededFor = (r: LimitRecord, cost: number, calls: number): number =>
  calls > 1 ? Math.min(40, cost * calls) : Math.min(cost, r.costs.length > 0 ? 5 : 1);

export const inFlight = (r: LimitRecord): number =>
  Object.values(r.leases).reduce((sum, [calls]) => sum + calls, 0);

/**
 * How many more calls may be in flight up to a share, if each counts `weight` times; `calls` are wanted together. If no
 * others are in flight, they do no harm: they go if there is room for them, or as a probe, so rarely that probes use
 * 1 % of the limit at most.
 */
export function roomOf(
  r: LimitRecord,
  rate: Rate | undefined,
  share: number,
  calls: number,
  weight: number,
  now: number,
) {
  const [cost, busy, expected] = [costOf(r, rate, now), inFlight(r), usageOf(r, rate, now)];
  if (rate) return Math.floor((100 - expected) / cost / weight + 1e-6) - busy;
  const [cap, most] = [capOf(r, share, cost, now), Math.min(100, share + reserveOf(cost))];
  const room = Math.floor((cap - expected) / cost / weight + 1e-6) - busy;
  if (room >= calls || busy > 0) return room;
  const next = expected + neededFor(r, cost, calls) * weight - 1e-6;
  if (next <= cap) return calls;
  // A time in the future is from a wrong clock.
  const silentMs = r.at > now + skewMs ? Infinity : now - r.at;
  const windowMs = isProven(r) ? Math.abs(r.window) : hour;
  const isProbe =
    next <= most
      ? silentMs > Math.max(minute, Math.min(cost * weight, 1) * windowMs)
      : silentMs > 2 * hour && !isProven(r);
  return isProbe ? calls : Math.min(room, calls - 1);
}

/**
 * Whether there may be room for calls by a time: by any window that is not ruled out, and with all calls in flight given
 * back. A minute is added, as calls are counted by minutes.
 */
export function mayFit(
  r: LimitRecord,
  rate: Rate | undefined,
  share: number,
  calls: number,
  by: number,
): boolean {
  // With fewer measurements, the fleet's calls may be charged with a jump by others.
  if (!rate && r.costs.length < 3) return true;
  // Distinct keys are not given back.
  const kept = Object.entries(rate?.isDistinct ? r.leases : {}).filter(([, [, until]]) => until > by);
  const leases = Object.fromEntries(kept);
  return windows.some(
    (window, index) =>
      (window === r.window || isOpen(r, index)) &&
      roomOf({ ...r, window, leases }, rate, share, calls, 1, by + minute) >= calls,
  );
}

/** In how many milliseconds there is room for calls up to a share, as far as that can be foreseen. */
export function waitOf(
  r: LimitRecord,
  rate: Rate | undefined,
  share: number,
  calls: number,
  now: number,
): number {
  if (r.percent < 0 && !rate) return 0;
  const cost = costOf(r, rate, now);
  const one = rate ? cost * calls : neededFor(r, cost, calls);
  const windowMs = rate?.windowMs ?? Math.abs(r.window);
  for (let ms = 0; ms < windowMs; ms += windowMs / 120)
    if (usageOf(r, rate, now + ms) + one <= (rate ? 100 : capOf(r, share, cost, now + ms)) + 1e-6) return ms;
  return windowMs;
}
