// What a process knows of one limit, and what it does: pure functions of a member, an event and the time. What is around
// them waits, sends and keeps.
import { blocked, clamp, counted, inFlight, isShort, keptMs, type LimitRecord, observed } from './record.ts';
import { type Rate, readRecord, roomOf, skewMs, waitOf } from './record.ts';

export type Member = Readonly<ReturnType<typeof createMember>>;

/** What a response said of a limit: percent, for how long calls are blocked, and whether the call was refused. */
export interface Report {
  readonly percent?: number;
  readonly regainMs?: number;
  readonly isRefused?: boolean;
}
/** The latest report, and the `seq` of the record that the sender of its call knew. */
type Seen = Required<Omit<Report, 'isRefused'>> & { readonly seq: number; readonly at: number };

/** Calls that are to be sent together, and the key that they count as for a rate that counts different keys. */
export interface Ask {
  readonly lane: number;
  readonly calls: number;
  readonly key: string;
}

/** How long a call counts that never returns: in Workers, it may have ended with its request. */
const flightMs = 60_000;

/** A process about which nothing is known, with a percentage for each lane. `isShared`: there is a store. */
export function createMember(
  id: string,
  rate: Rate | undefined,
  shares: readonly number[],
  syncMs: number,
  isShared: boolean,
) {
  const learned: { readonly calls: number; readonly seen?: Seen; readonly refusal?: Seen } = { calls: 0 };
  const keys: Readonly<Record<string, number>> = {};
  const flights: readonly number[] = [];
  const holds: Readonly<Record<number, readonly [until: number, calls: number]>> = {};
  const traffic: readonly [fleet: number, here: number] = [0, 0];
  return {
    id,
    rate,
    shares,
    syncMs,
    isShared,
    /** The record, when it was read, and when its block ends by this clock. */
    known: readRecord({}),
    readAt: -Infinity,
    endsAt: 0,
    /** How many processes hold leases; of late, calls of the fleet and of this process. */
    members: 1,
    traffic,
    /** Whether the store is away, and the calls that it does not know since. */
    isAlone: false,
    owed: 0,
    /** About how many calls are asked for in a pace, and since when. */
    demand: 0,
    demandAt: 0,
    /** Calls sent; up to how many the lease goes, for which lane and more urgent ones, and until when. */
    sent: 0,
    leaseTo: 0,
    lane: 0,
    leaseUntil: 0,
    /** Until when, and from how many calls on, a lane does not ask again. */
    holds,
    /** Until when each call in flight counts. */
    flights,
    /** Calls over, keys counted and reports; what of it the record has, and since when. */
    learned,
    stored: learned,
    keys,
    storedAt: -Infinity,
  };
}

/** How often it uses the store: more rarely if there are many, since an entry takes about ten writes a second. */
const paceOf = ({ syncMs, members }: Member): number => syncMs * clamp(members / 8, 1, 6);
/** How many calls of the fleet there are for each of this process. */
export const weightOf = ({ traffic: [fleet, here] }: Member): number =>
  here > 0 ? Math.max(1, fleet / here) : 1;
export const flying = ({ flights }: Member, now: number): number =>
  flights.reduce((sum, until) => (until > now ? sum + 1 : sum), 0);
const hasKey = (m: Member, key: string): boolean =>
  key !== '' && (Object.hasOwn(m.known.keys, key) || Object.hasOwn(m.keys, key));
const refusalOf = ({ learned, stored }: Member): Seen | undefined =>
  learned.refusal === stored.refusal ? undefined : learned.refusal;

/** Calls are asked for. */
export function asked(m: Member, calls: number, now: number): Member {
  return { ...m, demand: m.demand * 2 ** -Math.abs((now - m.demandAt) / paceOf(m)) + calls, demandAt: now };
}

/** Calls are sent. The second value identifies them when they are over. */
export function sent(m: Member, { calls, key }: Ask, now: number): readonly [Member, flight: number] {
  const flight = now + flightMs;
  const flights = [...m.flights.filter((until) => until > now), ...Array<number>(calls).fill(flight)];
  const keys = key === '' ? m.keys : { [key]: now, ...m.keys };
  return [{ ...m, sent: m.sent + calls, flights, keys }, flight];
}

/** Calls are over. Those that the platform may have counted stay for the window of a rate that is short. */
export function landed(m: Member, calls: number, flight: number, mayCount: boolean, now: number): Member {
  const at = m.flights.indexOf(flight);
  const flights = m.flights.toSpliced(at, at < 0 ? 0 : calls);
  if (!mayCount) return { ...m, flights };
  if (m.rate && isShort(m.rate)) flights.push(...Array<number>(calls).fill(now + m.rate.windowMs));
  return { ...m, flights, learned: { ...m.learned, calls: m.learned.calls + calls } };
}

/** A response reports of the limit; its sender knew the record `seq`. What is over the share of the lease ends the lease. */
export function reported(m: Member, seq: number, report: Report, now: number): Member {
  const { percent = -1, regainMs = 0, isRefused = regainMs > 0 } = report;
  const seen = { percent, regainMs, seq, at: now };
  const isOver = isRefused || percent >= Math.min(99, m.shares[m.lane] ?? 0);
  const learned = { ...m.learned, seen, ...(isRefused && { refusal: seen }) };
  return { ...m, leaseTo: isOver ? 0 : m.leaseTo, learned };
}

/** Whether calls may be sent: 0; in how many milliseconds to ask again; or after an exchange with the store. */
export function check(m: Member, { lane, calls, key }: Ask, now: number): number | 'exchange' {
  if (hasKey(m, key)) return 0;
  // Without a store, what was learned is used at once.
  if (refusalOf(m) || (!m.isShared && dueAt(m, now) <= now)) return 'exchange';
  const isUnknown = m.known.percent < 0 && m.known.until === 0 && !m.rate;
  if (isUnknown && (!m.isShared || now < m.readAt + 5 * m.syncMs)) return 0;
  if (m.leaseTo - m.sent >= calls && lane <= m.lane && now < m.leaseUntil) return 0;
  const [until = 0, least = 1] = m.holds[lane] ?? [];
  return until > now && calls >= least ? until - now : 'exchange';
}

/** Whether a response has reported what the record does not say. */
function isNews({ learned: { seen }, stored, known }: Member): boolean {
  if (!seen || seen === stored.seen) return false;
  return known.until > 0 || (seen.percent >= 0 && seen.percent !== known.percent);
}

/** When to tell the store: a refusal at once, news after a pace, the rest after three; an idle process after `syncMs`. */
export function dueAt(m: Member, now: number): number {
  const [isNew, lastAt] = [isNews(m), Math.max(0, ...m.flights)];
  if (refusalOf(m) || (!m.isShared && isNew)) return -Infinity;
  // It lets the others have its turn.
  if (m.rate && isShort(m.rate))
    return m.isShared && m.known.leases[m.id]
      ? Math.max(lastAt, m.leaseTo > m.sent ? m.leaseUntil : 0)
      : Infinity;
  if (m.learned.calls === m.stored.calls && !isNew) return Infinity;
  return m.storedAt + (lastAt <= now ? m.syncMs : (isNew ? 1 : 3) * paceOf(m));
}

/** For how long a block still holds. */
export const blockedFor = ({ known, endsAt }: Member, now: number): number =>
  known.until > 0 ? Math.max(0, endsAt - now) : 0;

/** In how many milliseconds there is room for calls of a lane, as far as is known. Never infinite. */
export function roomIn(m: Member, { lane, calls }: Ask, now: number): number {
  const { known, rate, flights, syncMs } = m;
  if (known.until > 0) return blockedFor(m, now) || syncMs;
  if (!rate || !isShort(rate))
    return Math.max(rate ? 1 : syncMs, waitOf(known, rate, m.shares[lane] ?? 0, calls, now));
  const first = flights.toSorted((a, b) => a - b)[flights.length - rate.most + calls - 1];
  return first === undefined ? rate.windowMs : Math.max(1, first - now);
}

/** The record with what a process has to tell. `weight`: how many calls each of its own stands for. */
function told(m: Member, found: LimitRecord, isAlone: boolean, weight: number, now: number): LimitRecord {
  const { learned, stored, rate } = m;
  const calls = learned.calls - stored.calls;
  let r = found;
  // What was learned while the store was away.
  if (m.isAlone && !isAlone) {
    const { until, lasts, by } = m.known;
    r = { ...counted(r, m.owed, now), ...(until > r.until && { until, lasts, by }) };
  }
  if (calls > 0) r = counted(r, calls * weight, now);
  if (rate?.isDistinct) {
    const keys = Object.entries({ ...m.keys, ...r.keys }).filter(([, at]) => now - at < rate.windowMs);
    r = { ...r, keys: Object.fromEntries(keys) };
  }
  const { seen } = learned;
  const refusal = refusalOf(m);
  if (refusal) {
    // Calls that were sent before a block say nothing new of it.
    const isNew = r.until <= now || refusal.seq >= r.seq;
    return isNew ? blocked(r, refusal.percent, refusal.regainMs, m.id, rate, now) : r;
  }
  if (!seen || seen === stored.seen) return r;
  // After a block, nothing is known but that a call got through.
  if (r.until > 0 && seen.seq === r.seq) r = { ...r, until: 0, tries: 0, percent: -1 };
  return r.until === 0 && seen.percent >= 0 ? observed(r, seen.percent, seen.seq, seen.at) : r;
}

/**
 * An exchange: what of the member changes by the next record, and whether that is to be stored. It tells, gives back what
 * was not spent, and leases calls if they are asked for. `isAlone`: the store does not respond, so that all processes do
 * the same by their own copies. `chance` is from 0 to 1.
 */
export function exchanged(
  m: Member,
  stored: LimitRecord | undefined,
  ask: Ask | undefined,
  isAlone: boolean,
  chance: number,
  now: number,
): readonly [Partial<Member> & Pick<Member, 'known'>, isChanged: boolean] {
  // If the store lost it, this process still knows what it knew.
  const found = stored ?? m.known;
  const others = Object.entries(found.leases).filter(
    ([id, [, until]]) => id !== m.id && until > now - skewMs && until < now + keptMs + 2 * skewMs,
  );
  const weight = isAlone ? weightOf(m) : 1;
  const calls = m.learned.calls - m.stored.calls;
  const r = told(m, { ...found, leases: Object.fromEntries(others) }, isAlone, weight, now);
  // By another clock, a block that this process learns of began at most when it read the record before, and ends with a delay.
  const mostMs = r.lasts + skewMs;
  const otherMs = clamp(r.until + skewMs - now, clamp(r.lasts - now + m.readAt, 0, mostMs), mostMs);
  const endsAt = r.until === m.known.until ? m.endsAt : r.by === m.id ? r.until : now + otherMs;
  const flights = m.rate?.isDistinct ? 0 : flying(m, now);
  const leasing = (lease: number): LimitRecord => {
    const until = Math.min(now + keptMs, Math.max(lease > 0 ? Infinity : 0, ...m.flights));
    return lease + flights > 0 ? { ...r, leases: { ...r.leases, [m.id]: [lease + flights, until] } } : r;
  };
  const isBusy = flights > 0 && now < m.leaseUntil;
  const [lease, lane] = ask
    ? leased({ ...m, known: leasing(0), endsAt }, ask, others.length + 1, weight, now)
    : [isBusy ? Math.max(0, m.leaseTo - m.sent) : 0, m.lane];
  const isLeased = ask !== undefined && lease > 0;
  const [fleet, here] = m.traffic;
  const more = m.readAt > 0 ? Math.max(calls, r.total - m.known.total) : calls;
  const hasKeys = Object.keys(r.keys).length > Object.keys(found.keys).length;
  const isTold = isNews(m) || calls > 0 || hasKeys || dueAt(m, now) <= now;
  const patch = {
    known: leasing(lease),
    readAt: now,
    endsAt,
    members: Math.max(others.length + 1, m.members * (isAlone ? 1 : 0.95)),
    traffic: isAlone ? m.traffic : ([0.98 * fleet + more, 0.98 * here + calls] as const),
    isAlone,
    owed: isAlone ? m.owed + calls : 0,
    leaseTo: m.sent + lease,
    lane,
    leaseUntil: isLeased ? now + 3 * paceOf(m) : m.leaseUntil,
    holds: r.percent < m.known.percent || r.until < m.known.until ? {} : m.holds,
    stored: m.learned,
    storedAt: isTold ? now : m.storedAt,
  };
  if (!ask || isLeased) return [patch, isTold || isLeased];
  const waitMs = roomIn({ ...m, ...patch }, ask, now);
  // It asks again before the foreseen time, as others may learn more; by chance, which is fair.
  const soonMs = Math.min(waitMs, clamp(waitMs / 4, paceOf(m), 5 * m.syncMs)) * (0.75 + chance / 2);
  const until = now + (m.isShared ? soonMs : waitMs);
  return [{ ...patch, holds: { ...patch.holds, [ask.lane]: [until, ask.calls] as const } }, isTold];
}

/** How many calls a process may send, and for which lanes: a small part of the room, so that all find some. */
function leased(
  m: Member,
  ask: Ask,
  members: number,
  weight: number,
  now: number,
): readonly [number, number] {
  const { lane, calls } = ask;
  const r = m.known;
  if (blockedFor(m, now) > 0) return [0, lane];
  // After a block, one call of the fleet tries.
  if (r.until > 0) return [inFlight(r) > 0 ? 0 : calls, lane];
  if (r.percent < 0 && !m.rate) return [0, lane];
  const wanted = Math.max(calls, Math.ceil(1.4 * m.demand));
  for (let low = m.rate ? lane : m.shares.length - 1; low >= lane; low--) {
    const room = roomOf(r, m.rate, m.shares[low] ?? 0, calls, weight, now);
    const lease = clamp(Math.floor(room / (2 * members)), calls, wanted);
    if (room >= lease && (low === lane || room >= 4 * members)) return [lease, low];
  }
  return [0, lane];
}
