import type { ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import { send } from '../http/send.ts';
import type { CallLimits, GraphRequest, Params } from '../http/types.ts';
import { fieldsOf } from '../options/check.ts';
import { parseTime } from '../options/time.ts';
import { isObject, schemaOf } from '../schema.ts';
import type { JournalContext } from './journal/types.ts';
import type { EffectLookup, ListPage, LookupLimits, RecentEntry } from './types.ts';

/** An entry of a list, as the platform sent it. */
export type ListEntry = Readonly<Record<string, unknown>>;

/** A list whose newest entries show whether a write took effect. */
export interface RecentEntriesRequest extends CallLimits, Pick<GraphRequest<unknown>, 'attempts'> {
  readonly readPages?: LookupLimits['readPages'];
  readonly path: string;
  readonly token: string;
  readonly query: Params;
}

/** Requests the newest entries of a list: one page, unless the caller reads more. */
export function queryRecentEntries(
  context: JournalContext,
  request: RecentEntriesRequest,
): ResultAsync<readonly ListEntry[], RequestFailure> {
  const ask = (query: Params): ResultAsync<ListPage, RequestFailure> =>
    send(context, { ...request, query, method: 'GET', purpose: 'lookup', schema });
  const { query, readPages } = request;
  return (readPages ? readPages(ask, query) : ask(query)).map(({ data }) => toEntries(data));
}

// An entry that a lookup cannot read is not a match, so the entries need no schema, which would add to every bundle
// that publishes.
const schema = schemaOf<ListPage>('an object with data', (value) =>
  isObject(value) && 'data' in value ? { value } : undefined,
);

/** The entries of a list within a response. */
export function toEntries(value: unknown): readonly ListEntry[] {
  return Array.isArray(value) ? value.map((entry: unknown): ListEntry => fieldsOf(entry)) : [];
}

/** Reads the id and time of entries; those without an id are left out. */
export function toRecentEntries(
  entries: readonly ListEntry[],
  timeField: string,
  idField = 'id',
): readonly RecentEntry[] {
  return entries
    .map((entry) => ({ id: textOf(entry[idField]), createdAt: parseTime(entry[timeField]) }))
    .filter(({ id }) => id !== '');
}

/** A string, or a number as a string; `''` for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

/** A list whose entries are identified by their text and time. */
export interface TextList<TValue>
  extends RecentEntriesRequest, Pick<EffectLookup<TValue>, 'idOf' | 'toValue' | 'dueAt'> {
  /** Identifies the list: equal for all writes whose entries it shows. */
  readonly list: string;
  readonly text: string;
  readonly textField: string;
  readonly timeField: string;
  /** Picks the entries from the list's content, if they are nested or not all the caller's own. */
  readonly entriesIn?: ((listed: readonly ListEntry[]) => readonly ListEntry[]) | undefined;
}

/**
 * Looks up a write by its text: a post, a reply, a message. Surrounding spaces do not count: the platform trims them.
 */
export function findByText<TValue>(
  context: JournalContext,
  {
    list,
    text,
    textField,
    timeField,
    entriesIn = (listed) => listed,
    idOf,
    toValue,
    dueAt,
    ...request
  }: TextList<TValue>,
): EffectLookup<TValue> {
  const content = text.trim();
  return {
    list,
    content,
    idOf,
    toValue,
    dueAt,
    query: (limits) =>
      queryRecentEntries(context, { ...request, ...limits }).map((listed) => {
        const equal = entriesIn(listed).filter(({ [textField]: found }) => textOf(found).trim() === content);
        return { entries: toRecentEntries(equal, timeField) };
      }),
  };
}
