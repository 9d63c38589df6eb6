import type { ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../context.ts';
import type { RequestFailure } from '../errors.ts';
import { sendForResponse } from '../http/send.ts';
import type { CallLimits, Params } from '../http/types.ts';
import type { Entry, Sighting } from './once.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A list whose newest entries show whether a write took effect. */
export interface NewestList<TValue> extends CallLimits {
  readonly path: string;
  readonly token: string;
  readonly query: Params;
  /** The field that holds an entry's time. Without it, whatever matches can only be the write's own. */
  readonly time?: string | undefined;
  /** What the call returns for an entry, or `undefined` where the entry is of other content. */
  readonly match: (entry: Fields) => TValue | undefined;
  readonly idOf: (value: TValue) => string;
}

/** Looks at the newest entries of a list for those with a write's content. */
export function lookAtNewest<TValue>(
  context: Context,
  { match, idOf, time, ...request }: NewestList<TValue>,
): ResultAsync<Sighting<TValue>, RequestFailure> {
  return sendForResponse(context, { ...request, method: 'GET', schema }).map(({ value: { data }, date }) => ({
    date,
    entries: (Array.isArray(data) ? data : []).flatMap((entry: Fields | null): Entry<TValue>[] => {
      const value = match(entry ?? {});
      const at = time === undefined ? undefined : parseTime(entry?.[time]);
      const id = value && idOf(value);
      return id ? [{ id, value, at }] : [];
    }),
  }));
}

// What a look cannot read shows nothing, so the entries need no schema; each would weigh on all that publishes.
const schema = v.looseObject({ data: v.unknown() });

/** Milliseconds since 1970 of a platform time, such as `2026-01-02T03:04:05+0000`; `NaN` for what is none. */
export function parseTime(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) : NaN;
}
