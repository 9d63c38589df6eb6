import type { CreatedIds, Outcome } from '../../errors.ts';
import { fieldsOf } from '../../options/check.ts';
import { journalFailure } from './failures.ts';
import type { JournalState, JournalTimes, KeyedContext, RecordedIds } from './types.ts';

/** The version of the entries that are written: see docs/journal.md. */
const version = 2;

/** What is stored under a key. All times are milliseconds since 1970. */
export interface KeyEntry {
  readonly version: number;
  /** HMAC of function and content: see `digestContent`. */
  readonly digest: string;
  /**
   * What the digest is keyed by: the id of an app secret, or `key`. Entries of version 1 do not say; they use the key.
   */
  readonly under?: string | undefined;
  /** Client and function, to be compared where the digest cannot be; earlier versions did not write it. */
  readonly call?: string | undefined;
  /** Distinguishes the calls that have held it. */
  readonly owner: string;
  /** Until when its holder may act; 0 if nobody holds it. */
  readonly leaseUntil: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly ids: RecordedIds;
  /** The last publishing request that may have been sent, until its outcome is known. */
  readonly sending?: Sending | undefined;
  /** When the last publishing request may have been sent, whatever its outcome. */
  readonly sentAt?: number | undefined;
  /** Why the last lookup could not find out its outcome. */
  readonly why?: string | undefined;
  /** The platform refused: nothing was published. */
  readonly isRejected?: boolean | undefined;
  /** It certainly took effect: it is never sent again. */
  readonly isApplied?: boolean | undefined;
  /** The id of the effect. */
  readonly made?: string | undefined;
  readonly value?: unknown;
}

export interface Sending {
  /** By the clock of the process that sent it. */
  readonly at: number;
  /** The earliest time at which it can have taken effect, by the platform's clock if that was known. */
  readonly since: number;
  /** Until when it can be under way; entries of version 1 do not say. */
  readonly endsAt?: number | undefined;
  /** Where it is told to others, and as whose if not that of the key: see `rivals.ts`. */
  readonly rivals?: string | undefined;
  readonly by?: string | undefined;
}

/** The fields to clear in an entry that nobody holds and whose outcome is known. */
export const ended = { leaseUntil: 0, sending: undefined, why: undefined };

/** Lookups start at least this many milliseconds before the recorded time, since clocks differ. */
const leastMarginMs = 60_000;

/** When the effect of a request can have been created, by the platform's clock. */
export interface Span {
  /** Rounded down as `created_time` is. */
  readonly from: number;
  readonly until: number;
}

/** When the effect of a request can have been created: from its record until it can no longer be under way. */
export function spanOf(
  { journal, clock, platformClock }: KeyedContext,
  { at, since, endsAt = at }: Sending = { at: 0, since: 0 },
): Span {
  // If the platform's clock was not known then, it may be now. Machines agree with each other better than with it.
  const aheadMs = clock.now() - platformClock.timeAt(clock.monotonic()).earliest;
  const began = since === at && Number.isFinite(aheadMs) ? at - aheadMs : since;
  return spanFrom(journal, began, endsAt - at);
}

/** When a request that is lost has settled, by the local clock. */
export function settledAt({ journal }: KeyedContext, { at, endsAt = at }: Sending): number {
  return endsAt + journal.journalSettleMs;
}

/**
 * When the effect of something that begins at a time, by the platform's clock, and takes up to `lastsMs` can appear.
 */
export function spanFrom(
  { journalLeaseMs, journalSettleMs }: JournalTimes,
  began: number,
  lastsMs = 0,
): Span {
  // The clocks of machines may differ by half a lease.
  const marginMs = Math.max(leastMarginMs, journalLeaseMs / 2);
  return {
    from: Math.floor((began - marginMs) / 1000) * 1000,
    until: began + lastsMs + journalSettleMs + marginMs,
  };
}

export function newEntry({ digest, under, call, owner }: Signed, now: number): KeyEntry {
  return { version, digest, under, call, owner, leaseUntil: 0, createdAt: now, updatedAt: now, ids: {} };
}

/** What identifies the entry of a call. */
export type Signed = Pick<KeyEntry, 'digest' | 'under' | 'call' | 'owner'>;

/** Fields that a later version has added are kept, and so is its version number. */
export function writeEntry(entry: KeyEntry): string {
  return JSON.stringify({ ...entry, version: Math.max(version, entry.version) });
}

/** Reads an entry of this version, or of an earlier or later one; `undefined` if it is not an entry. */
export function parseEntry(text: string): KeyEntry | undefined {
  let read: Partial<KeyEntry> | null;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null) return undefined;
  const { digest, under, call, owner, leaseUntil, createdAt, updatedAt, sentAt, ids, sending, made } = read;
  const { isRejected, isApplied, why } = read;
  const isWhole =
    Number.isInteger(read.version) &&
    [digest, owner].every(isText) &&
    [leaseUntil, createdAt, updatedAt].every(isTime) &&
    isIds(ids) &&
    (sending === undefined || isSending(sending)) &&
    (sentAt === undefined || isTime(sentAt)) &&
    [under, call, made, why].every((text) => text === undefined || isText(text)) &&
    [isRejected, isApplied].every((flag) => flag === undefined || flag === true);
  // Each field is checked above.
  return isWhole ? (read as KeyEntry) : undefined;
}

/** The entry in what is stored, if anything is. Throws if this version cannot read it. */
export function entryIn(stored: string | undefined, outcome?: Outcome): KeyEntry | undefined {
  const entry = stored === undefined ? undefined : parseEntry(stored);
  if (stored !== undefined && entry === undefined) {
    throw journalFailure('its entry cannot be read', outcome);
  }
  return entry;
}

export function isSending(value: unknown): value is Sending {
  const { at, since, endsAt, rivals, by } = fieldsOf(value);
  const isTold = [rivals, by].every((text) => text === undefined || isText(text));
  return isTime(at) && isTime(since) && (endsAt === undefined || isTime(endsAt)) && isTold;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isIds(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (id: unknown) =>
        typeof id === 'string' || (Array.isArray(id) && id.every((one) => typeof one === 'string')),
    )
  );
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
    Object.entries(value).filter(([name]) => /(?:^|_)ids?$|^children$|^success$|^permalink_url$/.test(name)),
  );
}

/** The ids in a value that may identify an effect; a recipient's id does not. */
export function idsIn(value: unknown): readonly string[] {
  return Object.entries(fieldsOf(value)).flatMap(([name, id]) =>
    /^(?!recipient_)(?:.*_)?id$/.test(name) && typeof id === 'string' && id !== '' ? [id] : [],
  );
}

/** Why a person may not settle an entry; `undefined` if they may. */
export function whyNotSettled(
  entry: KeyEntry | undefined,
  now: number,
  isForgotten: boolean,
): string | undefined {
  if (entry === undefined) return 'was not used yet';
  const { leaseUntil, value } = entry;
  if (leaseUntil > now && value === undefined) return 'is held by a call';
  return value === undefined || isForgotten ? undefined : 'has published';
}

/** An entry after a person has settled it; `undefined` if what they say settles nothing. */
export function changesTo(to: unknown): Partial<KeyEntry> | undefined {
  const unsent = { isApplied: undefined, made: undefined, value: undefined };
  if (to === 'rejected') return { ...unsent, isRejected: true };
  if (to === 'forgotten') return { ...unsent, isRejected: undefined, sentAt: undefined, ids: {} };
  const value = toStored(fieldsOf(to)['value']) ?? {};
  return idsIn(value).length === 0 ? undefined : { value, isRejected: undefined };
}

/** What operators see of an entry. */
export function describeEntry(entry: KeyEntry, now: number): JournalState {
  const { leaseUntil, createdAt, updatedAt, ids, sending, value, isRejected, made, isApplied } = entry;
  const { sentAt = sending?.at, why } = entry;
  const isHeld = leaseUntil > now && value === undefined;
  const state =
    value !== undefined
      ? 'published'
      : isHeld
        ? 'held'
        : sending !== undefined || made !== undefined || isApplied === true
          ? 'sent'
          : isRejected === true
            ? 'rejected'
            : 'interrupted';
  return {
    state,
    ids: createdIds(ids),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    sentAt: sentAt === undefined ? undefined : new Date(sentAt),
    heldUntil: isHeld ? new Date(leaseUntil) : undefined,
    reason: state === 'sent' ? why : undefined,
    value,
  };
}
