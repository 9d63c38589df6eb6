import type { CreatedIds } from '../errors.ts';
import type { JournalState, RecordedIds } from '../journal/types.ts';

const version = 1;

/** What is stored under a key. All times are milliseconds since 1970. */
export interface Entry {
  readonly version: typeof version;
  /** HMAC of function and content under the key. */
  readonly digest: string;
  /** Tells the calls that held it apart. */
  readonly owner: string;
  /** Until when its holder may act; 0 where nobody holds it. */
  readonly leaseUntil: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly ids: RecordedIds;
  /** The last publishing request that may have left, until it is known what became of it. */
  readonly sending?: Sending | undefined;
  /** The platform refused: nothing was published. */
  readonly isRejected?: boolean | undefined;
  /** It took effect for sure: it is never sent again. */
  readonly isApplied?: boolean | undefined;
  /** The id of the effect. */
  readonly made?: string | undefined;
  readonly value?: unknown;
}

export interface Sending {
  /** By the clock of the process that sent it. */
  readonly at: number;
  /** The earliest time at which it can have taken effect, by the platform's clock where that was known. */
  readonly since: number;
}

export function newEntry(digest: string, owner: string, now: number): Entry {
  return { version, digest, owner, leaseUntil: 0, createdAt: now, updatedAt: now, ids: {} };
}

export function writeEntry(entry: Entry): string {
  return JSON.stringify(entry);
}

/** Reads an entry; `undefined` for what is none, or one of a later version. */
export function readEntry(text: string): Entry | undefined {
  let read: Partial<Entry> | null;
  try {
    read = JSON.parse(text) as Partial<Entry> | null;
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null || read.version !== version) return undefined;
  const { digest, owner, leaseUntil, createdAt, updatedAt, ids, sending, made, isRejected, isApplied } = read;
  const isWhole =
    [digest, owner].every(isText) &&
    [leaseUntil, createdAt, updatedAt].every(isTime) &&
    isIds(ids) &&
    (sending === undefined || isSending(sending)) &&
    (made === undefined || isText(made)) &&
    [isRejected, isApplied].every((flag) => flag === undefined || flag === true);
  return isWhole ? (read as Entry) : undefined;
}

export function isSending(value: unknown): value is Sending {
  const { at, since } = Object(value) as Readonly<Record<string, unknown>>;
  return isTime(at) && isTime(since);
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

/** The ids as callers know them: without addresses, and of a list those that exist. */
export function createdIds(ids: RecordedIds): CreatedIds {
  const known = Object.entries(ids)
    .filter(([name]) => !name.startsWith('upload_'))
    .map(([name, id]: [string, unknown]) => [name, Array.isArray(id) ? id.filter((one) => one !== '') : id]);
  return Object.fromEntries(known) as CreatedIds;
}

/** What of a value is stored: ids and facts, no texts that the platform may have sent beside them. */
export function toStored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => /(?:^|_)ids?$|^children$|^success$|^permalink_url$/.test(name)),
  );
}

/** What an operator is told of an entry. */
export function describeEntry(entry: Entry, now: number): JournalState {
  const { leaseUntil, createdAt, updatedAt, ids, sending, value, isRejected, made, isApplied } = entry;
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
    sentAt: sending && new Date(sending.at),
    heldUntil: isHeld ? new Date(leaseUntil) : undefined,
    value,
  };
}
