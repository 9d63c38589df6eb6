// What a process knows of one limit, and what it does: pure functions of a member, an event and the time. The queue and the
// store around them wait, send and keep.
import { blocked, clamp, counted, inFlight, keptMs, type LimitRecord, observed } from './record.ts';
import { type Rate, readRecord, roomOf, skewMs, waitOf } from './record.ts';

export type Member = Readonly<ReturnType<typeof createMember>>;

/** What a response said of a limit: percent, for how long calls are blocked, and whether the call was refused. */
export interface Told {
  readonly percent?: number;
  readonly regainMs?: number;
  readonly isRefused?: boolean;
}
type Report = Required<Omit<Told, 'isRefused'>> & { readonly seq: number; readonly at: number };

/** Until when, and from how many calls on, a lane does not ask again. */
type Hold = readonly [until: number, calls: number];

/** Calls that are to be sent together, and what they count as for a rate that counts different things. */
export interface Ask {
  readonly lane: number;
  readonly calls: number;
  readonly thing: string;
}

/** A process about which nothing is known, with a percentage for each lane. `isShared`: there is a store. */
export function createMember(
  id: string,
  rate: Rate | undefined,
  shares: readonly number[],
  syncMs: number,
  isShared: boolean,
) {
  const untold: {
    readonly calls: number;
    readonly things: readonly (readonly [thing: string, at: number])[];
    readonly seen?: Report;
    readonly refusal?: Report;
  } = { calls: 0, things: [] };
  const none: readonly [since: number, calls: number, before: number] = [0, 0, 0];
  return {
    id,
    rate,
    shares,
    syncMs,
    isShared,
    known: readRecord({}),
    readAt: -Infinity,
    lease: 0,
    lane: 0,
    leaseUntil: 0,
    holds: shares.map((): Hold => [0, 1]),
    inFlight: 0,
    endsAt: 0,
    asked: none,
    untold,
    toldAt: -Infinity,
    isAlone: false,
    owed: 0,
    members: 1,
  };
}

/** How often it uses the store: more rarely if there are many, since an entry takes about ten writes a second. */
const paceOf = ({ syncMs, members }: Member): number => syncMs * clamp(members / 8, 1, 6);

/** Calls are asked for. */
export function asked(m: Member, calls: number, now: number): Member {
  const [since, some, before] = m.asked;
  const pace = paceOf(m);
  if (now >= since && now - since < pace) return { ...m, asked: [since, some + calls, before] };
  return { ...m, asked: [now, calls, now - since < 2 * pace ? some : 0] };
}

/** Calls are sent. */
export function sent(m: Member, { calls, thing }: Ask, now: number): Member {
  const { things } = m.untold;
  const isNew = thing !== '' && !isCounted(m, thing);
  const untold = isNew ? { ...m.untold, things: [...things, [thing, now] as const] } : m.untold;
  return { ...m, lease: Math.max(0, m.lease - calls), inFlight: m.inFlight + calls, untold };
}

/** Calls are over; the platform may have counted them, or has surely not. */
export function landed(m: Member, calls: number, mayCount: boolean): Member {
  const untold = mayCount ? { ...m.untold, calls: m.untold.calls + calls } : m.untold;
  return { ...m, inFlight: m.inFlight - calls, untold };
}

/** A response tells of the limit; its sender knew the record `seq`. What is over the share of the lease ends the lease. */
export function told(
  m: Member,
  seq: number,
  { percent = -1, regainMs = 0, isRefused }: Told,
  now: number,
): Member {
  const isBlocked = isRefused === true || regainMs > 0;
  const seen = { percent, regainMs, seq, at: now };
  const untold = { ...m.untold, seen, ...(isBlocked && { refusal: seen }) };
  const isOver = isBlocked || percent >= Math.min(99, m.shares[m.lane] ?? 0);
  return { ...m, lease: isOver ? 0 : m.lease, untold };
}

/** The clock was set back: what was to happen by it might never happen. */
export const setBack = (m: Member): Member => ({
  ...m,
  leaseUntil: 0,
  holds: m.shares.map((): Hold => [0, 1]),
  toldAt: -Infinity,
  readAt: -Infinity,
});

/** Whether calls may be sent: 0; in how many milliseconds to ask again; or after an exchange with the store. */
export function check(m: Member, { lane, calls, thing }: Ask, now: number): number | 'exchange' {
  const { known, untold, rate } = m;
  if (thing !== '' && isCounted(m, thing)) return 0;
  // Without a store, what was learned is used at once.
  if (untold.refusal || (!m.isShared && dueAt(m, false) <= now)) return 'exchange';
  const isUnknown = known.percent < 0 && known.until === 0 && !rate;
  if (isUnknown && (!m.isShared || now < m.readAt + 5 * m.syncMs)) return 0;
  if (m.lease >= calls && lane <= m.lane && now < m.leaseUntil) return 0;
  const [until = 0, least = 1] = m.holds[lane] ?? [];
  return until > now && calls >= least ? until - now : 'exchange';
}

function isCounted(m: Member, thing: string): boolean {
  return Object.hasOwn(m.known.things, thing) || m.untold.things.some(([one]) => one === thing);
}

/** Whether a response has told what the record does not say. */
function isNews({ untold: { seen, refusal }, known }: Member): boolean {
  if (!seen || refusal) return refusal !== undefined;
  return known.until > 0 || (seen.percent >= 0 && seen.percent !== known.percent);
}

/** When to tell the store: a refusal at once, news after a pace, the rest after three; an idle process after `syncMs`. */
export function dueAt(m: Member, isIdle: boolean): number {
  if (m.untold.refusal || (!m.isShared && isNews(m))) return -Infinity;
  if (m.untold.calls === 0 && m.untold.things.length === 0 && !isNews(m)) return Infinity;
  return m.toldAt + (isIdle ? m.syncMs : (isNews(m) ? 1 : 3) * paceOf(m));
}

/** For how long a block still holds. */
export const blockedFor = ({ known, endsAt }: Member, now: number): number =>
  known.until > 0 ? Math.max(0, endsAt - now) : 0;

/** In how many milliseconds there is room for calls of a lane, as far as is known. Never infinite. */
export function roomIn(m: Member, { lane, calls }: Ask, now: number): number {
  const { known, rate, shares, syncMs } = m;
  if (known.until > 0) return blockedFor(m, now) || syncMs;
  return Math.max(rate ? 1 : syncMs, waitOf(known, rate, shares[lane] ?? 0, calls, now));
}

/**
 * An exchange: the member with the next record, and whether that is to be stored. It tells, gives back what was not spent,
 * and leases calls if they are asked for. `isAlone`: the store does not respond, so that all processes do the same by their
 * own copies. `chance` is from 0 to 1.
 */
export function exchanged(
  m: Member,
  stored: LimitRecord | undefined,
  ask: Ask | undefined,
  isAlone: boolean,
  chance: number,
  now: number,
): readonly [Member, isChanged: boolean] {
  const { untold, rate, id } = m;
  const { seen, refusal } = untold;
  // If the store lost it, this process still knows what it knew.
  const found = stored ?? m.known;
  const others = Object.entries(found.leases).filter(
    ([other, [, until]]) => other !== id && until > now - skewMs && until < now + keptMs + 2 * skewMs,
  );
  const members = Math.max(others.length + 1, m.members * (isAlone ? 1 : 0.95));
  const weight = isAlone ? Math.round(members) : 1;
  let r: LimitRecord = { ...found, leases: Object.fromEntries(others) };
  // What was learned while the store was away.
  if (m.isAlone && !isAlone) {
    const { until, lasts, by } = m.known;
    r = { ...counted(r, m.owed, now), ...(until > r.until && { until, lasts, by }) };
  }
  if (untold.calls > 0) r = counted(r, untold.calls * weight, now);
  if (rate?.isDistinct) {
    const old = Object.entries(r.things).filter(([, at]) => now - at < rate.windowMs);
    r = { ...r, things: Object.fromEntries([...old, ...untold.things]) };
  }
  if (refusal) {
    // Calls that were sent before a block say nothing new of it.
    const isNew = r.until <= now || refusal.seq >= r.seq;
    if (isNew) r = blocked(r, refusal.percent, refusal.regainMs, id, rate, now);
  } else if (seen) {
    // After a block, nothing is known but that a call got through.
    if (r.until > 0 && seen.seq === r.seq) r = { ...r, until: 0, tries: 0, percent: -1 };
    if (r.until === 0 && seen.percent >= 0) r = observed(r, seen.percent, seen.seq, seen.at);
  }
  // By another clock, a block that this process learns of began at most when it read the record before, and ends with a delay.
  const mostMs = r.lasts + skewMs;
  const otherMs = clamp(r.until + skewMs - now, clamp(r.lasts - now + m.readAt, 0, mostMs), mostMs);
  const endsAt = r.until === m.known.until ? m.endsAt : r.by === id ? r.until : now + otherMs;
  const own = rate?.isDistinct ? 0 : m.inFlight;
  const withLease = (calls: number): LimitRecord =>
    calls + own > 0 ? { ...r, leases: { ...r.leases, [id]: [calls + own, now + keptMs] } } : r;
  const isBusy = m.asked[1] + m.asked[2] > 1 && now - m.asked[0] < 2 * paceOf(m) && now < m.leaseUntil;
  const [calls, lane] = ask
    ? leased({ ...m, known: withLease(0), endsAt }, ask, others.length + 1, weight, now)
    : [isBusy ? m.lease : 0, m.lane];
  const isLeased = ask !== undefined && calls > 0;
  const isTold = isNews(m) || untold.calls > 0 || untold.things.length > 0;
  const next: Member = {
    ...m,
    members,
    isAlone,
    lease: calls,
    lane,
    known: withLease(calls),
    readAt: now,
    endsAt,
    untold: {
      calls: 0,
      things: [],
    },
    owed: isAlone ? m.owed + untold.calls : 0,
    toldAt: isTold ? now : m.toldAt,
    holds: r.percent < m.known.percent || r.until < m.known.until ? setBack(m).holds : m.holds,
    leaseUntil: isLeased ? now + 3 * paceOf(m) : m.leaseUntil,
  };
  if (!ask || isLeased) return [next, isTold || isLeased];
  const waitMs = roomIn(next, ask, now);
  // It asks again before the foreseen time, as others may learn more; by chance, which is fair.
  const soonMs = Math.min(waitMs, clamp(waitMs / 4, paceOf(m), 5 * m.syncMs)) * (0.75 + chance / 2);
  const until = now + (m.isShared ? soonMs : waitMs);
  return [{ ...next, holds: next.holds.with(ask.lane, [until, ask.calls]) }, isTold];
}

/** A member after an exchange, with what happened while the store was at work. */
export function rebased(m: Member, before: Member, next: Member): Member {
  const { calls, things, seen, refusal } = m.untold;
  const { untold } = before;
  return {
    ...next,
    asked: m.asked,
    inFlight: m.inFlight,
    lease: Math.max(0, next.lease - before.lease + m.lease),
    untold: {
      calls: calls - untold.calls,
      things: things.slice(untold.things.length),
      ...(seen && seen !== untold.seen && { seen }),
      ...(refusal && refusal !== untold.refusal && { refusal }),
    },
  };
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
  const wanted = Math.max(calls, 2 * Math.max(m.asked[1], m.asked[2]));
  for (let low = m.rate ? lane : m.shares.length - 1; low >= lane; low--) {
    const room = roomOf(r, m.rate, m.shares[low] ?? 0, calls, weight, now);
    const lease = clamp(Math.floor(room / (2 * members)), calls, wanted);
    if (room >= lease && (low === lane || room >= 4 * members)) return [lease, low];
  }
  return [0, lane];
}
