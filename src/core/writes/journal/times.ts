// When a request was sent, and what follows from that.
//
// Two clocks can tell, and each can be wrong: that of the machine, which somebody may have set, and the platform's, which
// only the `Date` of a response shows, and which may be that of a proxy. A process may die before any response has shown
// it. So an entry holds what was seen, and readers conclude, here and nowhere else:
//
// - `local`: when it was about to be sent, by the clock of its sender. Always known, so a process that dies at once has
//   recorded it.
// - `platform`: the same by the platform's clock, if a response has shown that: before, or after the request, since the
//   sender's monotonic clock tells how long ago it was.
// - `seen`: instead of it, when another call first met the request, by the platform's clock. It was sent before that.
// - `lastsMs`: how long it can then be in flight.
//
// It is over once that time, the settling time and a minute have passed since it, by each clock for itself: a clock that
// is an hour off, then as now, tells as well as any how much time has passed. What the request made lies between the
// earliest of its times and its end by the latest; an entry is taken by its text only if it is near all of them.
//
// Why not two times of the platform, from when and until when it can take effect, which readers just compare? Of a sender
// that knew both clocks, they would say the same, and a machine whose clock is off would wait longer by as much as it is
// off. But a process that died before any response knew only `local`. That says three things: its text is near that time;
// its effect may be an hour from it; and, since that clock may be behind, it is over only long after it was `seen`. Where
// readers go by `local` alone, the model finds two effects of a key: its scenarios `without/cold` and `without/seen`. To
// ask the platform for its time before the first request would cost each new process a request, and tell nothing where no
// `Date` is shown.

import { platformNow, resolutionMs } from '../../options/clock.ts';
import { dayMs } from '../../options/time.ts';
import type { Span } from '../memory.ts';
import { agreedMs, coldOffMs, textOffMs } from '../tolerances.ts';
import type { KeyEntry, Sending } from './entry.ts';
import type { JournalTimes, KeyedContext } from './types.ts';

/** The times of a request that is about to be sent, and can be in flight for `lastsMs`. */
export function timesNow({ clock, platformClock }: KeyedContext, lastsMs: number): Sending {
  const { earliest } = platformClock.timeAt(clock.monotonic());
  const platform = Number.isFinite(earliest) ? Math.floor(earliest) : undefined;
  return { local: clock.now(), platform, lastsMs };
}

/**
 * The same with the platform's time, once that is known. The sender knows by its monotonic clock when it sent the request
 * (`startedAt`); another call only knows that it was not later than now.
 */
export function withPlatformTime(
  { clock, platformClock }: KeyedContext,
  sending: Sending,
  startedAt?: number,
): Sending {
  const { earliest, latest } = platformClock.timeAt(startedAt ?? clock.monotonic());
  if (isKnown(sending) || !Number.isFinite(latest)) return sending;
  return startedAt === undefined
    ? { ...sending, seen: Math.ceil(latest) }
    : { ...sending, platform: Math.floor(earliest) };
}

/**
 * The times of a request that is about to be sent while an earlier one is open: those of both as one. It began as long ago
 * by each clock as by the one that says more: the other one would otherwise wait for what lies between them as well.
 */
export function withEarlier(context: KeyedContext, now: Sending, earlier: Sending): Sending {
  const sinceMs = ageMs(context, earlier);
  const { local, platform, lastsMs } = now;
  const both = { ...earlier, lastsMs: lastsMs + sinceMs };
  // What is known of a wrong clock stays as it is.
  if (platform === undefined || isSeenBefore(earlier)) return both;
  // A clock may have been set to long ago.
  const begunAt = (time: number): number => Math.max(0, time - sinceMs);
  const known = earlier.platform === undefined ? 'seen' : 'platform';
  return { ...both, [known]: begunAt(platform), local: begunAt(local) };
}

/** Whether a time of the platform is known for it. */
export function isKnown({ platform, seen }: Sending): boolean {
  return (platform ?? seen) !== undefined;
}

/** Whether it was seen before it was sent, as its sender's clock says: that one is wrong. */
function isSeenBefore({ local, seen = Infinity }: Sending): boolean {
  return seen + agreedMs < local;
}

/** How long it takes from when it was sent until it counts as over, in milliseconds. */
export function wholeMs({ journal }: KeyedContext, { lastsMs }: Pick<Sending, 'lastsMs'>): number {
  return lastsMs + journal.journalSettleMs + agreedMs;
}

/**
 * When its effect can have been created, by the platform's clock: the span ends where the request is over, and not before,
 * since a process may be frozen between its record and the request. What is scheduled a person may publish at any later
 * time, which then is that of its creation.
 */
export function effectSpan(context: KeyedContext, sending: Sending, isScheduled = false): Span {
  const { local, platform, seen } = sending;
  const now = platformNow(context);
  // Without the sender's time of the platform, neither its clock nor that of who met it first is to be trusted. It was
  // sent before it was seen: a clock that says otherwise is wrong.
  const unknown = isSeenBefore(sending) ? (seen ?? 0) - dayMs : local - coldOffMs;
  const begins = platform === undefined ? unknown : Math.min(local, platform);
  const last = Math.max(local, platform ?? Math.max(seen ?? now, now));
  // Rounded down as `created_time` is.
  const from = Math.floor((begins - agreedMs) / 1000) * 1000;
  return { from, until: isScheduled ? Infinity : last + wholeMs(context, sending) };
}

/**
 * Whether an entry of this time may be taken by its text: both clocks, as far as they are known, must say that it was made
 * while the request could take effect. What one of them alone says may be anybody's.
 */
export function isNear(context: KeyedContext, sending: Sending, createdAt: number): boolean {
  const { local, platform = local, lastsMs } = sending;
  return (
    createdAt >= Math.max(local, platform) - textOffMs &&
    // A settling time of less than that allows clocks no less.
    createdAt <= Math.min(local, platform) + Math.max(wholeMs(context, sending), lastsMs + textOffMs)
  );
}

/** How long ago it was sent, by each clock for itself; 0 where the platform's time is not known. */
function agesMs(
  { clock, platformClock }: KeyedContext,
  { local, platform, seen }: Sending,
): readonly [local: number, platform: number] {
  const now = clock.now();
  const { earliest } = platformClock.timeAt(clock.monotonic());
  const platformNow = Number.isFinite(earliest) ? earliest : now;
  return [now - local, platformNow - (platform ?? seen ?? platformNow)];
}

/** How long ago it was sent, by the clock that says more. */
export function ageMs(context: KeyedContext, sending: Sending): number {
  return Math.ceil(Math.max(0, ...agesMs(context, sending)));
}

/**
 * How long it takes until a request can no longer be in flight, and lists show what it made: until both clocks say so.
 * `undefined` if only the platform's time can tell, and that is not known.
 */
export function msUntilOver(context: KeyedContext, sending: Sending): number | undefined {
  if (!isKnown(sending)) return undefined;
  // As long as the local clock says no, the platform need not be asked for its time.
  const leftMs = wholeMs(context, sending) - Math.min(...agesMs(context, sending));
  // The next `Date` may be a second behind this one, and so may be what is known by it.
  if (leftMs > 0) return Math.ceil(leftMs) + 2 * resolutionMs;
  const { clock, platformClock } = context;
  return Number.isFinite(platformClock.timeAt(clock.monotonic()).earliest) ? 0 : undefined;
}

/**
 * How long until another call can say more of a request whose outcome is open; `undefined` if none can. Without the
 * platform's time it never counts as over, but its effect may still appear.
 */
export function msUntilMore(context: KeyedContext, sending: Sending): number | undefined {
  const [localAge] = agesMs(context, sending);
  const leftMs = msUntilOver(context, sending) ?? Math.ceil(wholeMs(context, sending) - localAge);
  return leftMs > 0 ? leftMs : undefined;
}

/** How long a lock protects an effect after it was taken: twice as long as that can be looked up. */
export function lockMs({ journal }: KeyedContext, { lastsMs }: Pick<Sending, 'lastsMs'>): number {
  return 2 * (lastsMs + journal.journalSettleMs + journal.journalLeaseMs + coldOffMs);
}

/** Whether it is so old that its key is forgotten, if no call was made under it, and so is the lock under which it was sent. */
export function isGone(context: KeyedContext, sending: Sending): boolean {
  return Math.min(...agesMs(context, sending)) > lockMs(context, sending) + context.journal.journalTtlMs;
}

/**
 * Whether a call may hold an entry. A lease that ends later than any can is of a wrong clock; it is only a courtesy, so
 * nothing is lost without it.
 */
export function isHeld(
  { lease, value }: Pick<KeyEntry, 'lease' | 'value'>,
  now: number,
  { journalLeaseMs }: Pick<JournalTimes, 'journalLeaseMs'>,
): boolean {
  return value === undefined && lease > now && lease <= now + journalLeaseMs + coldOffMs;
}

/** How long an entry is kept from now on: `journalTtlMs`, counted from when its effect is scheduled if that is to come. */
export function keptMs(
  { journal, clock }: KeyedContext,
  { scheduledAt = 0 }: Pick<KeyEntry, 'scheduledAt'>,
): number {
  return journal.journalTtlMs + Math.max(0, scheduledAt - clock.now());
}
