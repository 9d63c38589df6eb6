import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { CreatedIds, RequestFailure } from '../errors.ts';
import { send } from '../http/send.ts';
import type { CallLimits, GraphRequest, HttpContext, Params } from '../http/types.ts';
import { fieldsOf } from '../objects.ts';
import { parseTime } from '../options/time.ts';

/** How to find out what became of a write whose response was lost. */
export type EffectLookup<TValue> =
  | ObjectLookup<TValue>
  | EntryLookup<TValue>
  | SingleLookup<TValue>
  | NoLookup<TValue>;

interface Effect<TValue> {
  /**
   * Gets the id under which lists show the effect from the value that the call returns; `undefined` if it is not in it.
   */
  readonly idOf: (value: TValue) => string | undefined;
  /**
   * Makes the value that the call returns, once the id of its effect is found; `undefined` if the value needs more than
   * the id, and no lookup of this process has shown that.
   */
  readonly toValue: (id: string) => TValue | undefined;
  /** The ids known before the write, under their documented names. */
  readonly ids?: CreatedIds | undefined;
  /** Whether lists also show the effect under another id, which is not known: that of the post of a video. */
  readonly hasOtherId?: boolean | undefined;
}

/** The write publishes an object of its own, such as a container or an uploaded video, whose state can be read. */
export interface ObjectLookup<TValue> extends Effect<TValue> {
  readonly kind: 'object';
  /** Identifies the object: all writes of it create one entry at most. */
  readonly resource?: string | undefined;
  readonly state: (limits: LookupLimits) => ResultAsync<ObjectState, RequestFailure>;
  /** The list that may show the id of what the object became. */
  readonly entries?: Place;
}

export interface ObjectState {
  readonly isDone: boolean;
  /** The id of what it became, if the object shows it. */
  readonly id?: string | undefined;
}

/** The write creates an entry of a list. */
export interface EntryLookup<TValue> extends Effect<TValue> {
  readonly kind: 'entry';
  readonly entries: Entries;
}

/** Nothing shows the effect, but the platform accepts only one, and refuses another. */
interface SingleLookup<TValue> extends Effect<TValue> {
  readonly kind: 'single';
  /** Whether a refusal says that the write has already taken effect. */
  readonly isRepeat: (refusal: RequestFailure) => boolean;
  /** Sends any request that changes nothing, to learn the platform's time. */
  readonly time: (limits: LookupLimits) => ResultAsync<unknown, RequestFailure>;
  readonly entries: Omit<Entries, 'query'>;
}

/** Nothing shows the effect: the outcome of a lost write stays unknown. */
interface NoLookup<TValue> extends Effect<TValue> {
  readonly kind: 'none';
}

/** Where the effect of a write appears. */
export interface Entries {
  /** Names all lists where entries could be mistaken for one another. */
  readonly list: string;
  /**
   * A larger list that contains this one: a write that names only the larger list may have created any entry of this
   * one.
   */
  readonly within?: string | undefined;
  /**
   * For a write whose effect nothing shows: what it answers. Under keys, it waits for few others of its list.
   */
  readonly target?: string | undefined;
  /**
   * For a list that is only known once the platform was asked, such as that of a comment's parent: its name, or
   * `undefined` if the platform does not say. A call with a key asks before it sends.
   */
  readonly locate?: ((limits: LookupLimits) => ResultAsync<string | undefined, RequestFailure>) | undefined;
  /** The text of the entry. Without one, an entry shows nothing by which it could be recognized. */
  readonly text?: string | undefined;
  /** Whether the entry carries an id that only this write uses, such as that of a photo. */
  readonly carries?: boolean | undefined;
  /** Identifies its kind, if it has no text. */
  readonly sign?: string | undefined;
  /** Whether a person may publish it at any later time. */
  readonly isScheduled?: boolean | undefined;
  /** Asks the platform once for recent entries of the kind that the write creates. */
  readonly query: (limits: LookupLimits) => ResultAsync<ListedEntries, RequestFailure>;
}

/** Where the effect of a write appears. */
export type Place = Omit<Entries, 'query'> & Partial<Pick<Entries, 'query'>>;

/** Where the effect of a write appears, if anywhere. */
export function placeOf<TValue>(lookup: EffectLookup<TValue>): Place | undefined {
  return 'entries' in lookup ? lookup.entries : undefined;
}

/** What the lists show. */
export interface ListedEntries {
  /** All entries of the kind, but those that are provably of another author or app. */
  readonly entries: readonly ListedEntry[];
  /** The entries are complete since this time; `undefined` if none of those requested is missing. */
  readonly wholeSince?: number | undefined;
  /** Whether it is not known which list shows the effect. */
  readonly isListUnknown?: boolean | undefined;
}

/** An entry that a write may have created. */
export interface ListedEntry {
  readonly id: string;
  /** When the platform created it, in milliseconds since 1970, rounded down to the second; `NaN` if unreadable. */
  readonly createdAt: number;
  /** `undefined` if it is not shown: it may be any. */
  readonly text?: string | undefined;
  /** What it says, where that does not show whether it is that of the write: it may show that it is another one's. */
  readonly says?: string | undefined;
  /** Whether it carries an id that only this write has used. */
  readonly isOwn?: boolean | undefined;
  /** The ids of the photos and videos that it shows. */
  readonly shows?: readonly string[] | undefined;
}

/** The limits of a lookup. */
export interface LookupLimits {
  readonly attempts?: number | undefined;
  readonly deadline: number;
  /** Reads more of a list than its newest entries. */
  readonly readPages?: ReadPages | undefined;
}

/** Reads the pages of a list. `query` requests the first one. */
export type ReadPages = (
  ask: (query: Params) => ResultAsync<ListPage, RequestFailure>,
  query: Params,
) => ResultAsync<ListPage, RequestFailure>;

/** A page of a list, as the platform sent it. */
export interface ListPage {
  readonly data?: unknown;
  readonly paging?: unknown;
}

/** An entry of a list, as the platform sent it. */
export type ListEntry = Readonly<Record<string, unknown>>;

/** A list whose newest entries show whether a write took effect. */
export interface EntriesRequest extends CallLimits, Pick<GraphRequest<unknown>, 'attempts'> {
  readonly readPages?: ReadPages | undefined;
  readonly path: string;
  readonly token: string;
  readonly query: Params;
}

/** Requests the newest entries of a list: one page, unless the caller reads more. */
export function queryEntries(
  context: HttpContext,
  request: EntriesRequest,
): ResultAsync<readonly ListEntry[], RequestFailure> {
  const ask = (query: Params): ResultAsync<ListPage, RequestFailure> =>
    send(context, { ...request, query, purpose: 'lookup', schema });
  const { query, readPages } = request;
  return (readPages ? readPages(ask, query) : ask(query)).map(({ data }) => toEntries(data));
}

/** Asks the platform for something else that a lookup needs. */
export function askForLookup<TOutput>(
  context: HttpContext,
  call: CallLimits & Pick<GraphRequest<TOutput>, 'token'>,
  limits: LookupLimits,
  request: Pick<GraphRequest<TOutput>, 'path' | 'query' | 'schema'>,
): ResultAsync<TOutput, RequestFailure> {
  return send(context, { ...call, ...limits, ...request, purpose: 'lookup' });
}

/**
 * Where a reply appears. The platform attaches a reply to a reply to the top-level comment, so `askForParent` asks, once,
 * under which object the reply to `id` is listed: `undefined`, like a refusal for good, if the platform does not say.
 * `read` reads that list.
 */
export function repliesUnder(
  id: string,
  askForParent: (limits: LookupLimits) => ResultAsync<string | undefined, RequestFailure>,
  read: (limits: LookupLimits, parentId: string) => ResultAsync<ListedEntries, RequestFailure>,
): Pick<Entries, 'locate' | 'query'> {
  let parent: { readonly id: string | undefined } | undefined;
  function locate(limits: LookupLimits): ResultAsync<string | undefined, RequestFailure> {
    if (parent !== undefined) return okAsync(parent.id);
    return askForParent(limits)
      .orElse((failure) => (isHiddenBy(failure) ? okAsync(undefined) : errAsync(failure)))
      .andTee((found) => {
        parent = { id: found };
      });
  }
  return {
    locate,
    query: (limits) =>
      // Without a key, nothing follows from a list that does not show the reply.
      (limits.readPages ? locate(limits) : okAsync(id)).andThen(
        (parentId): ResultAsync<ListedEntries, RequestFailure> =>
          parentId === undefined ? okAsync({ entries: [], isListUnknown: true }) : read(limits, parentId),
      ),
  };
}

// An entry that a lookup cannot read may be any, so the entries need no schema, which would add to every bundle that
// publishes.
const schema = v.looseObject({ data: v.unknown() });

/** The entries of a list within a response. */
export function toEntries(value: unknown): readonly ListEntry[] {
  return Array.isArray(value) ? value.map((entry: unknown): ListEntry => fieldsOf(entry)) : [];
}

/** Reads the id, time and text of an entry. */
export function toListed(entry: ListEntry, timeField: string, text?: unknown): ListedEntry {
  return {
    id: idIn(entry),
    createdAt: parseTime(entry[timeField]),
    text: text === undefined ? undefined : textOf(text),
  };
}

/** When the oldest of `most` entries was made, since older ones are missing; one without a time may be of any time. */
export function oldestOf(entries: readonly ListEntry[], most: number, timeField: string): number | undefined {
  return entries.length < most ? undefined : parseTime(entries.at(-1)?.[timeField]) || Infinity;
}

/** Whether an entry may be of an app: the platform does not always show which app has made it. */
export function isOfApp({ application }: ListEntry, appId: string): boolean {
  const shown = idIn(application);
  return shown === '' || shown === appId;
}

/** Whether nothing shows which effect is that of a write. */
export function isBlind<TValue>(lookup: EffectLookup<TValue>): boolean {
  if (lookup.kind === 'object') return false;
  return lookup.kind !== 'entry' || (lookup.entries.text === undefined && lookup.entries.carries !== true);
}

/** Whether the platform refuses to show something for good: asking again would not help. */
function isHiddenBy(failure: RequestFailure): boolean {
  return failure.name === 'PermissionError' || (failure.name === 'ApiError' && failure.code === 100);
}

/** The id of an object within a response; `''` if it has none. */
export function idIn(value: unknown): string {
  return textOf(fieldsOf(value)['id']);
}

/** A string, or a number as a string; `''` for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}
