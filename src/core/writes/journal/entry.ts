import * as v from 'valibot';

import type { CreatedIds, Outcome } from '../../errors.ts';
import { fieldsOf } from '../../objects.ts';
import { journalFailure } from './failures.ts';
import type { RecordedIds } from './types.ts';

/** The version of the entries that are written: see docs/journal.md. */
const version = 3;

const time = v.pipe(v.number(), v.finite(), v.minValue(0));
const text = v.pipe(v.string(), v.nonEmpty());
const flag = v.literal(true);
const ids = v.custom<RecordedIds>((value) =>
  v.is(v.record(v.string(), v.union([v.string(), v.array(v.string())])), value),
);

const sendingFields = {
  // Its times: see times.ts.
  local: time,
  platform: v.optional(time),
  seen: v.optional(time),
  lastsMs: time,
  /** The lock that its key held; none if its effect appears in no list, or before version 3. */
  lock: v.optional(text),
  /** Of a text with mentions, the lock of what is left without them. Earlier versions did not write it. */
  bare: v.optional(text),
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
  /** Entries that its last lookup left open, by their ids: which other key has their text. */
  others: v.optional(v.record(v.string(), v.string())),
  /** The platform refused: nothing was published. */
  refused: v.optional(flag),
  /** It certainly took effect: it is never sent again. */
  applied: v.optional(flag),
  /** The id of the effect. */
  made: v.optional(text),
  /** Where a person has settled it with a value, the lock that it had, or `none`: nothing shows that this is its effect. */
  settled: v.optional(text),
  value: v.optional(v.unknown()),
};

/** What is stored under a key. All times are milliseconds since 1970. */
export type KeyEntry = FieldsOf<typeof entryFields>;

type FieldsOf<TFields extends v.ObjectEntries> = Readonly<v.InferOutput<v.ObjectSchema<TFields, undefined>>>;

/** The fields to clear in an entry that nobody holds and whose outcome is known. */
export const ended = { lease: 0, sending: undefined, why: undefined, others: undefined };

/** Whether certainly nothing was published under a key. */
export function hasSentNothing({ sending, made, applied, value }: KeyEntry): boolean {
  return sending === undefined && made === undefined && applied !== true && value === undefined;
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
    Object.entries(value).filter(
      ([name, one]) =>
        typeof one === 'boolean' ||
        // The platform has no capitals in its names: those with one are the SDK's own words.
        /(?:^|_)ids?$|^children$|^permalink_url$|[a-z][A-Z]/.test(name),
    ),
  );
}

/** The ids in a value that may identify an effect; a recipient's id does not. */
export function idsIn(value: unknown): readonly string[] {
  return Object.entries(fieldsOf(value)).flatMap(([name, id]) =>
    /^(?!recipient_)(?:.*_)?id$/.test(name) && typeof id === 'string' && id !== '' ? [id] : [],
  );
}

/**
 * The ids under which lists may show what a value names: a video's own, and that of its post, or of a photo's; of a photo
 * that was sent to be published, and whose post is not known, the photo's.
 */
export function listedIdsIn(
  value: unknown,
  { made, sentAt }: Pick<KeyEntry, 'made' | 'sentAt'>,
): readonly string[] {
  const { id, video_id, post_id = sentAt === undefined || id === made ? undefined : id } = fieldsOf(value);
  return [post_id, video_id].filter((id): id is string => typeof id === 'string' && id !== '');
}

/** An entry after a person has settled it; `undefined` if what they say settles nothing. */
export function changesTo(to: unknown): Partial<KeyEntry> | undefined {
  const unsent = { applied: undefined, made: undefined, value: undefined, settled: undefined };
  if (to === 'rejected') return { ...unsent, refused: true };
  if (to === 'forgotten') return { ...unsent, refused: undefined, sentAt: undefined, ids: {} };
  const value = toStored(fieldsOf(to)['value']) ?? {};
  return idsIn(value).length === 0 ? undefined : { value, refused: undefined };
}
