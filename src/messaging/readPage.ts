import type { ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../core/context.ts';
import type { RequestFailure } from '../core/errors.ts';
import { sendForResponse } from '../core/http/send.ts';
import type { CallLimits, Params, Schema } from '../core/http/types.ts';
import { listOf } from '../models/fields.ts';
import { type Paging, pagingSchema } from '../models/paging.ts';

/** One page of a list. */
export interface ListPage<TItem> {
  readonly data: readonly TItem[];
  readonly paging: Paging;
}

/** Reads one page of a list. */
export function readPage<TItem>(
  context: Context,
  {
    item,
    ...request
  }: CallLimits & {
    readonly path: string;
    readonly token: string;
    readonly query: Params;
    readonly item: Schema<TItem>;
  },
): ResultAsync<ListPage<TItem>, RequestFailure> {
  const schema = v.looseObject({ data: listOf(item), paging: v.nullish(pagingSchema, {}) });
  return sendForResponse(context, { ...request, method: 'GET', schema }).map(({ value, redact }) => ({
    data: value.data,
    paging: redact(value.paging),
  }));
}
