// What a process knows of one limit, and what it does: pure functions of a member, an event and the time. Their callers
// wait, send and store.
import { blocked, clamp, counted, day, inFlight, isClaimed, type LimitRecord, observed } from './record.ts';
import { mayFit, type Rate, readRecord, roomOf, skewMs, waitOf } from './record.ts';

export type Member = Readonly<ReturnType<typeof createMember>>;

/** What a response said of a limit: percent, for how long calls are blocked, and whether the call was refused. */
export interface Report {
  readonly percent?: number;
  readonly regainMs?: number;
  readonly isRefused?: boolean;
}
/** The latest report, and the `seq` of the record that was known when its call was sent. */
type Seen = Required<Report> & { readonly seq: number; readonly at: number };

/** Calls that are to be sent together, and the key that they count as for a rate that counts different keys. */
export interface Ask {
  readonly lane: number;
  readonly calls: number;
  readonly key: string;
}

/** What the limits of a process have in common: its name in records, and a percentage for each lane. */
export interface Process {
  readonly id: string;
  readonly shares: readonly number[];
  readonly syncMs: number;
}

/** How long a call without a response counts as in flight: in Workers, it may have ended with its request. */
const flightMs = 60_000;
/** How long the lease of a silent process counts; and that for a claimed rate, where others wait for their turn. */
const [keptMs, turnMs] = [20_000, 5000];

/** A process that knows nothing of a limit. */
export function createMember(process: Process, rate?: Rate) {
  const learned: { readonly calls: number; readonly seen?: Seen } = { calls: 0 };
  const flights: readonly number[] = [];
  const traffic: readonly [fleet: number, here: number] = [0, 0];
  return {
    ...process,
    rate,
    /** The record, when it was exchanged, and when its block ends by this clock. */
    known: readRecord({}),
    syncedAt: -Infinity,
    endsAt: 0,
    /** Recent calls, of the fleet and of this process. */
    traffic,
    /** How many of its calls the store knows. */
    told: 0,
    /** All calls sent. The lease is for those from `leaseFrom` to `leaseTo`, of this lane and more urgent ones. */
    sent: 0,
    leaseFrom: 0,
    leaseTo: 0,
    lane: 0,
    leaseUntil: 0,
    /** Until then, it does not ask again for this many calls or more, of this lane or a less urgent one. */
    held: { lane: 0, calls: 0, until: 0 },
    /** Until when each call in flight counts. */
    flights,
    /** Finished calls and the latest report; those that the record has; and when it got them. */
    learned,
    stored: learned,
    storedAt: -Infinity,
  };
}

/** How often it uses the store: more rarely if there are many, since an entry takes about ten writes a second. */
const paceOf = ({ syncMs, known }: Member): number =>
  syncMs * clamp(Object.keys(known.leases).length / 8, 1, 6);
/** How many calls of the fleet there are for each of this process. */
export const weightOf = ({ traffic: [fleet, here] }: Member): number =>
  here > 0 ? Math.max(1, fleet / here) : 1;
/** How many calls of this process are in flight. */
export const ownInFlight = ({ flights }: Member, now: number): number =>
  flights.reduce((sum, until) => (until > now ? sum + 1 : sum), 0);
/** The latest report if the store does not have it. */
const newsOf = ({ learned: { seen }, stored }: Member): Seen | undefined =>
  seen === stored.seen ? undefined : seen;

/** Calls are sent. They count until they are over, for a minute at most. */
export function sent(m: Member, calls: number, now: number): Member {
  const flights = [...m.flights.filter((until) => until > now), ...Array<number>(calls).fill(now + flightMs)];
  return { ...m, sent: m.sent + calls, flights };
}

/** Calls are over. Those that the platform may have counted stay for the window of a claimed rate. */
export function landed(m: Member, calls: number, sentAt: number, mayCount: boolean, now: number): Member {
  const at = m.flights.indexOf(sentAt + flightMs);
  const flights = m.flights.toSpliced(at, at < 0 ? 0 : calls);
  if (!mayCount) return { ...m, flights };
  if (m.rate && isClaimed(m.rate)) flights.push(...Array<number>(calls).fill(now + m.rate.windowMs));
  return { ...m, flights, learned: { ...m.learned, calls: m.learned.calls + calls } };
}

/** A response reports on the limit; its sender knew the record `seq`. Usage over the share of its lane ends the lease. */
export function reported(m: Member, seq: number, report: Report, now: number): Member {
  const { percent = -1, regainMs = 0, isRefused = regainMs > 0 } = report;
  const isOver = isRefused || percent >= Math.min(99, m.shares[m.lane] ?? 0);
  const news = newsOf(m);
  // A refusal is told to the fleet, whatever is reported after it.
  const seen = news?.isRefused ? news : { percent, regainMs, isRefused, seq, at: now };
  return { ...m, leaseTo: isOver ? 0 : m.leaseTo, learned: { ...m.learned, seen } };
}

/** Whether calls may be sent: 0; in how many milliseconds to ask again; or after an exchange with the store. */
export function check(m: Member, { lane, calls, key }: Ask, now: number): number | 'exchange' {
  const { known, rate, held } = m;
  if (rate?.isDistinct && Object.hasOwn(known.leases, key)) return 0;
  if (newsOf(m)?.isRefused) return 'exchange';
  if (known.percent < 0 && known.until === 0 && !rate && now < m.syncedAt + 5 * m.syncMs) return 0;
  if (m.leaseTo - m.sent >= calls && lane <= m.lane && now < m.leaseUntil) return 0;
  return now < held.until && lane >= held.lane && calls >= held.calls ? held.until - now : 'exchange';
}

/** When to tell the store: a refusal at once, anything else after a pace; an idle process after `syncMs`. */
export function dueAt(m: Member, now: number): number {
  if (newsOf(m)?.isRefused) return -Infinity;
  const lastAt = Math.max(0, ...m.flights);
  // Telling the store passes the turn to other processes.
  if (m.rate && isClaimed(m.rate))
    return m.known.leases[m.id] ? Math.max(lastAt, m.leaseTo > m.sent ? m.leaseUntil : 0) : Infinity;
  return m.learned === m.stored ? Infinity : m.storedAt + (lastAt > now ? paceOf(m) : m.syncMs);
}

/** Whether a response has reported what is not known. */
export function isNews(m: Member): boolean {
  const { percent = -1 } = newsOf(m) ?? {};
  return m.known.until > 0 || (percent >= 0 && percent !== m.known.percent);
}

/** For how long a block still holds. */
export const blockedFor = ({ known, endsAt }: Member, now: number): number =>
  known.until > 0 ? Math.max(0, endsAt - now) : 0;

/** Whether it is of no use to wait so long for room. Before the store is told the news, nobody knows. */
export function isFullFor(m: Member, ask: Ask, ms: number, now: number): boolean {
  const { known, rate, shares } = m;
  if (known.until > 0) return blockedFor(m, now) > ms;
  if (newsOf(m) || check(m, ask, now) === 0) return false;
  return !mayFit(known, rate, shares[ask.lane] ?? 0, ask.calls, now + ms);
}

/** In how many milliseconds there is room for calls of a lane, as far as is known. Never infinite. */
export function roomIn(m: Member, { lane, calls }: Ask, now: number): number {
  const { known, rate, syncMs } = m;
  if (known.until > 0) return blockedFor(m, now) || syncMs;
  if (!rate || !isClaimed(rate))
    return Math.max(rate ? 1 : syncMs, waitOf(known, rate, m.shares[lane] ?? 0, calls, now));
  const first = Math.min(...Object.values(known.leases).map(([, until]) => until));
  return clamp(first - now, 1, rate.windowMs);
}

/** The record with the news of a process. `weight`: how many calls each of its own stands for. */
function withNews(m: Member, found: LimitRecord, told: number, weight: number, now: number): LimitRecord {
  const { known, learned, stored, rate } = m;
  let r = found;
  // What was learned while the store was away.
  if (told < stored.calls && known.until > r.until) {
    const { until, at, by } = known;
    r = { ...r, until, at, by };
  }
  // Calls that were told late, and those of others that are only guessed, tell no cost.
  if (told < stored.calls || weight > 1) r = { ...r, costFrom: null };
  const calls = learned.calls - told;
  if (calls > 0) r = counted(r, calls * weight, now);
  const news = newsOf(m);
  if (!news) return r;
  const { percent, regainMs, isRefused, seq, at } = news;
  // Calls that were sent before a block say nothing about it.
  if (isRefused) return r.until <= now || seq >= r.seq ? blocked(r, percent, regainMs, m.id, rate, now) : r;
  // After a block, nothing is known but that a call got through.
  if (r.until > 0 && seq === r.seq) r = { ...r, until: 0, percent: -1 };
  return r.until === 0 && percent >= 0 ? observed(r, percent, seq, at) : r;
}

/**
 * An exchange with the store: what changes in the member, with the next record, and whether to store that record. It
 * tells the news, returns what is left of a lease, and leases calls if they are asked for. `isAlone`: there is no store,
 * or it does not respond, so that all processes do the same by their own copies. `chance` is from 0 to 1.
 */
export function exchanged(
  m: Member,
  stored: LimitRecord | undefined,
  ask: Ask | undefined,
  isAlone: boolean,
  chance: number,
  now: number,
): readonly [Partial<Member> & Pick<Member, 'known'>, isChanged: boolean] {
  const { id, rate, known } = m;
  const mostMs = !rate || !isClaimed(rate) ? keptMs : rate.windowMs + (rate.isDistinct ? 0 : turnMs);
  // If the store lost the record, this process still has its own. Distinct keys end when they say, whatever the clocks.
  const { leases, ...found } = stored ?? known;
  const others = Object.entries(leases).filter(
    ([other, [, until]]) =>
      other !== id && until > now - (rate?.isDistinct ? 0 : skewMs) && until < now + mostMs + 2 * skewMs,
  );
  const weight = isAlone ? weightOf(m) : 1;
  // The store may have what it was told although that exchange failed.
  const told = stored ? Math.max(m.told, stored.leases[id]?.[2] ?? 0) : m.stored.calls;
  const r = withNews(m, { ...found, leases: Object.fromEntries(others) }, told, weight, now);
  // Otherwise, a process with a clock hours behind would wait for hours.
  const otherMs = clamp(r.until + skewMs - now, 0, Math.min(day, r.until - r.at) + skewMs);
  const endsAt = r.until === known.until ? m.endsAt : r.by === id ? r.until : now + otherMs;
  const flights = ownInFlight(m, now);
  const leasing = (lease: number): LimitRecord => {
    const [of, calls] = rate?.isDistinct ? [ask?.key ?? '', Math.min(1, lease)] : [id, lease + flights];
    const until = lease > 0 ? now + mostMs : Math.min(now + mostMs, Math.max(...m.flights));
    return calls > 0 ? { ...r, leases: { ...r.leases, [of]: [calls, until, m.learned.calls] } } : r;
  };
  const isBusy = flights > 0 && now < m.leaseUntil;
  const lease = ask
    ? leased({ ...m, known: leasing(0), endsAt }, ask, others.length + 1, weight, now)
    : isBusy
      ? Math.max(0, m.leaseTo - m.sent)
      : 0;
  const isLeased = ask !== undefined && lease > 0;
  const isTold = m.learned !== m.stored || dueAt(m, now) <= now;
  const calls = m.learned.calls - m.stored.calls;
  const [fleet, here] = m.traffic;
  const more = m.syncedAt > 0 ? Math.max(calls, r.total - known.total) : calls;
  const patch = {
    known: leasing(lease),
    syncedAt: now,
    endsAt,
    traffic: isAlone ? m.traffic : ([0.98 * fleet + more, 0.98 * here + calls] as const),
    told: isAlone ? m.told : m.learned.calls,
    leaseFrom: isLeased ? m.sent : m.leaseFrom,
    leaseTo: m.sent + (rate?.isDistinct ? 0 : lease),
    lane: ask?.lane ?? m.lane,
    leaseUntil: isLeased ? now + 3 * paceOf(m) : m.leaseUntil,
    held: r.percent < known.percent || r.until < known.until ? { ...m.held, until: 0 } : m.held,
    stored: m.learned,
    storedAt: isTold ? now : m.storedAt,
  };
  if (!ask || isLeased) return [patch, isTold || isLeased];
  const waitMs = roomIn({ ...m, ...patch }, ask, now);
  // It asks again before the expected time, as others may learn more; at a random moment, which is fair.
  const soonMs = clamp(waitMs / 4, paceOf(m), 5 * m.syncMs) * (0.75 + chance / 2);
  const held = { lane: ask.lane, calls: ask.calls, until: now + Math.min(waitMs, soonMs) };
  return [{ ...patch, held }, isTold];
}

/** How many calls a process may send: a small part of the room, so that all find some. */
function leased(
  { known, rate, shares, sent: made, leaseFrom, endsAt }: Member,
  { lane, calls }: Ask,
  members: number,
  weight: number,
  now: number,
): number {
  // After a block, one call of the fleet tries.
  if (known.until > 0) return endsAt > now || inFlight(known) > 0 ? 0 : calls;
  if (known.percent < 0 && !rate) return 0;
  const room = roomOf(known, rate, shares[lane] ?? 0, calls, weight, now);
  // Twice as many as the last time if these were spent.
  const lease = clamp(Math.floor(room / (2 * members)), calls, Math.max(calls, 2 * (made - leaseFrom)));
  return room >= lease ? lease : 0;
}
