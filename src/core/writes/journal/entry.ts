import * as v from 'valibot';

import type { CreatedIds, Outcome } from '../../errors.ts';
import { fieldsOf } from '../../objects.ts';
import type { Span } from '../memory.ts';
import { journalFailure } from './failures.ts';
import type { JournalState, JournalTimes, KeyedContext, RecordedIds } from './types.ts';

/** The version of the entries that are written: see docs/journal.md. */
const version = 3;

const time = v.pipe(v.number(), v.finite(), v.minValue(0));
const text = v.pipe(v.string(), v.nonEmpty());
const flag = v.literal(true);
const ids = v.custom<RecordedIds>((value) =>
  v.is(v.record(v.string(), v.union([v.string(), v.array(v.string())])), value),
);

const sendingFields = {
  /** When it was about to be sent, by the clock of its sender. */
  local: time,
  /** The same by the platform's clock, if the sender knew it. */
  platform: v.optional(time),
  /** The platform's time when another call first met it, if the sender did not know it. */
  seen: v.optional(time),
  /** How long it can be in flight, in milliseconds. */
  lastsMs: time,
  /** The lock that its key held; none if its effect appears in no list, or before version 3. */
  lock: v.optional(text),
};

/** A request that may have been sent. */
export type Sending = FieldsOf<typeof sendingFields>;

/** Its schema. Fields that a later version has added are kept. */
export const sendingSchema: v.GenericSchema<unknown, Sending> = v.looseObject(sendingFields);

const entryFields = {
  version: v.pipe(v.number(), v.integer()),
  /** HMAC of function and content: see `digestContent`. */
  digest: text,
  /** What the digest is keyed by: the id of an app secret, or `key`. Entries of version 1 do not say. */
  under: v.optional(text),
  /** Client and function, to be compared where the digest cannot be; earlier versions did not write it. */
  call: v.optional(text),
  /** Different in each text that is stored, so that none is ever stored twice. */
  nonce: text,
  /** Until when its holder may act; 0 if nobody holds it. */
  lease: time,
  createdAt: time,
  updatedAt: time,
  ids,
  /**
   * The last publishing request that may have been sent, until its outcome is known: by its response, by a refusal,
   * or by a person.
   */
  sending: v.optional(sendingSchema),
  /** When the last publishing request may have been sent, whatever its outcome. */
  sentAt: v.optional(time),
  /** When the platform is to publish it: until then, the key must not be forgotten. */
  scheduledAt: v.optional(time),
  /** Why the last lookup could not find out its outcome. */
  why: v.optional(text),
  /** The platform refused: nothing was published. */
  refused: v.optional(flag),
  /** It certainly took effect: it is never sent again. */
  applied: v.optional(flag),
  /** The id of the effect. */
  made: v.optional(text),
  value: v.optional(v.unknown()),
};

/** What is stored under a key. All times are milliseconds since 1970. */
export type KeyEntry = FieldsOf<typeof entryFields>;

type FieldsOf<TFields extends v.ObjectEntries> = Readonly<v.InferOutput<v.ObjectSchema<TFields, undefined>>>;

/** The fields to clear in an entry that nobody holds and whose outcome is known. */
export const ended = { lease: 0, sending: undefined, why: undefined };

/** By how much times of one clock may be off, in milliseconds. */
export const marginMs = 60_000;
/** By how much a clock may be off for an entry to be taken by its text, in milliseconds. */
const offMs = 360_000;
/** By how much a clock may be off where nothing compares it with another, in milliseconds. */
export const hourMs = 3_600_000;
/** How long before it was first seen a request may have been sent if its clock is known to be wrong, in milliseconds. */
const dayMs = 24 * hourMs;

/**
 * When the effect of a request can have been created: a wrong clock, or a `Date` header of somebody else's, makes the
 * span wider. It ends where the request is over, and not before: a process may be frozen between its record and the
 * request. `now` is the platform's time.
 */
export function effectSpan(
  { journalSettleMs }: JournalTimes,
  { local, platform, seen, lastsMs }: Sending,
  now: number,
): Span {
  // Without the sender's time of the platform, neither its clock nor that of who met it first is to be trusted. It was
  // sent before it was seen: a clock that says otherwise is wrong.
  const unseen = seen !== undefined && seen + marginMs < local ? seen - dayMs : local - hourMs;
  const begins = platform === undefined ? unseen : Math.min(local, platform);
  const ends = Math.max(local, platform ?? Math.max(seen ?? now, now)) + lastsMs + journalSettleMs;
  // Rounded down as `created_time` is.
  return { from: Math.floor((begins - marginMs) / 1000) * 1000, until: ends + marginMs };
}

/**
 * Whether the effect of a request can have been created at a time by each clock that is known, if none is off by more
 * than a few minutes. What one clock alone allows may be anybody's. A request may take effect late, but not once it counts
 * as over.
 */
export function isAllowedByClocks(
  { journalSettleMs }: JournalTimes,
  { local, platform = local, lastsMs }: Sending,
  createdAt: number,
): boolean {
  const lateMs = lastsMs + Math.max(offMs, journalSettleMs + marginMs);
  return createdAt >= Math.max(local, platform) - offMs && createdAt <= Math.min(local, platform) + lateMs;
}

/**
 * How long it takes until a request can no longer be in flight, and lists show what it made: until all clocks say so.
 * `undefined` if only the platform's time can tell, and that is not known.
 */
export function msUntilOver(
  { journal, clock, platformClock }: KeyedContext,
  { local, platform, seen, lastsMs }: Sending,
): number | undefined {
  const { earliest } = platformClock.timeAt(clock.monotonic());
  const first = platform ?? seen;
  if (first === undefined) return undefined;
  const wholeMs = lastsMs + journal.journalSettleMs + marginMs;
  const now = clock.now();
  const isKnown = Number.isFinite(earliest);
  // As long as the local clock says no, the platform need not be asked for its time.
  const leftMs = wholeMs + Math.max(local - now, first - (isKnown ? earliest : now));
  // A `Date` header has a resolution of one second.
  if (leftMs > 0) return Math.ceil(leftMs) + 2000;
  return isKnown ? 0 : undefined;
}

/**
 * How long until another call can say more of a request whose outcome is open; `undefined` if none can. Without the
 * platform's time it never counts as over, but its effect may still appear.
 */
export function msUntilMore(context: KeyedContext, sending: Sending): number | undefined {
  const { clock, journal } = context;
  const localMs = sending.local + sending.lastsMs + journal.journalSettleMs + marginMs - clock.now();
  const leftMs = msUntilOver(context, sending) ?? Math.ceil(localMs);
  return leftMs > 0 ? leftMs : undefined;
}

/**
 * Whether a call may hold an entry. A lease that ends later than any can is of a wrong clock; it is only a courtesy, so
 * nothing is lost without it.
 */
export function isHeld(
  { lease, value }: KeyEntry,
  now: number,
  { journalLeaseMs }: Pick<JournalTimes, 'journalLeaseMs'>,
): boolean {
  return value === undefined && lease > now && lease <= now + journalLeaseMs + hourMs;
}

/** How long an entry is kept from now on: `journalTtlMs`, counted from when its effect is scheduled if that is to come. */
export function keptMs(
  { journal, clock }: KeyedContext,
  { scheduledAt = 0 }: Pick<KeyEntry, 'scheduledAt'>,
): number {
  return journal.journalTtlMs + Math.max(0, scheduledAt - clock.now());
}

/** Whether no time of the platform is known for it. */
export function isUnseen({ platform, seen }: Sending): boolean {
  return (platform ?? seen) === undefined;
}

/** What identifies the entry of a call. */
export type Signed = Pick<KeyEntry, 'digest' | 'under' | 'call'>;

export function newEntry({ digest, under, call }: Signed, now: number): KeyEntry {
  return { version, digest, under, call, nonce: '', lease: 0, createdAt: now, updatedAt: now, ids: {} };
}

/** Fields that a later version has added are kept, and so is its version number. */
export function writeEntry(entry: KeyEntry): string {
  return JSON.stringify({ ...entry, version: Math.max(version, entry.version) });
}

/** How long a request of version 1 could take, in milliseconds: entries did not say. */
const ofVersionOneMs = 600_000;

/** The fields of an entry, whose names were others before version 3. */
function ofVersionTwo(entry: unknown): unknown {
  const read = fieldsOf(entry);
  if (!('leaseUntil' in read)) return read;
  const { owner, leaseUntil, isRejected, isApplied, sending, ...rest } = read;
  const { at, since, endsAt = Number(at) + ofVersionOneMs } = fieldsOf(sending);
  const platform = since === at ? undefined : since;
  return {
    ...rest,
    nonce: owner,
    lease: leaseUntil,
    ...(isRejected !== undefined && { refused: isRejected }),
    ...(isApplied !== undefined && { applied: isApplied }),
    ...(sending !== undefined && {
      sending: { local: at, platform, lastsMs: Math.max(0, Number(endsAt) - Number(at)) },
    }),
  };
}

/** A schema for JSON; fields that a later version has added are kept. */
const entrySchema = v.pipe(v.string(), v.parseJson(), v.transform(ofVersionTwo), v.looseObject(entryFields));

/** Reads an entry of this version, or of an earlier or later one; `undefined` if it is not an entry. */
export function parseEntry(stored: string): KeyEntry | undefined {
  const read = v.safeParse(entrySchema, stored);
  return read.success ? read.output : undefined;
}

/** The entry in what is stored, if anything is. Throws if this version cannot read it. */
export function entryIn(stored: string | undefined, outcome?: Outcome): KeyEntry | undefined {
  const entry = stored === undefined ? undefined : parseEntry(stored);
  if (stored !== undefined && entry === undefined) {
    throw journalFailure('its entry cannot be read', outcome);
  }
  return entry;
}

/** The ids for callers: without addresses, and without the empty places in lists. */
export function createdIds(ids: RecordedIds): CreatedIds {
  const known = Object.entries(ids)
    .filter(([name]) => !name.startsWith('upload_'))
    .map(([name, id]: [string, unknown]) => [name, Array.isArray(id) ? id.filter((one) => one !== '') : id]);
  // `fromEntries` loses the names.
  return Object.fromEntries(known) as CreatedIds;
}

/** The part of a value that is stored: ids and facts, but no texts that the platform may have sent with them. */
export function toStored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) =>
      /(?:^|_)ids?$|^children$|^success$|^permalink_url$|^addOn$/.test(name),
    ),
  );
}

/** The ids in a value that may identify an effect; a recipient's id does not. */
export function idsIn(value: unknown): readonly string[] {
  return Object.entries(fieldsOf(value)).flatMap(([name, id]) =>
    /^(?!recipient_)(?:.*_)?id$/.test(name) && typeof id === 'string' && id !== '' ? [id] : [],
  );
}

/** An entry after a person has settled it; `undefined` if what they say settles nothing. */
export function changesTo(to: unknown): Partial<KeyEntry> | undefined {
  const unsent = { applied: undefined, made: undefined, value: undefined };
  if (to === 'rejected') return { ...unsent, refused: true };
  if (to === 'forgotten') return { ...unsent, refused: undefined, sentAt: undefined, ids: {} };
  const value = toStored(fieldsOf(to)['value']) ?? {};
  return idsIn(value).length === 0 ? undefined : { value, refused: undefined };
}

/** What operators see of an entry. */
export function describeEntry(
  entry: KeyEntry,
  now: number,
  times: Pick<JournalTimes, 'journalLeaseMs'>,
): JournalState {
  const { lease, createdAt, updatedAt, ids, sending, value, refused, made, applied } = entry;
  const { sentAt = sending?.local, why } = entry;
  const isAtWork = isHeld(entry, now, times);
  const state =
    value !== undefined
      ? 'published'
      : isAtWork
        ? 'held'
        : sending !== undefined || made !== undefined || applied === true
          ? 'sent'
          : refused === true
            ? 'rejected'
            : 'interrupted';
  return {
    state,
    ids: createdIds(ids),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    sentAt: sentAt === undefined ? undefined : new Date(sentAt),
    heldUntil: isAtWork ? new Date(lease) : undefined,
    reason: state === 'sent' ? why : undefined,
    value,
  };
}
