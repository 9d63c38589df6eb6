import type { ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../core/context.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { sendForResponse } from '../core/http/send.ts';
import type { CallLimits, Params, Schema } from '../core/http/types.ts';
import { listOf } from '../models/fields.ts';
import { type Message, messageSchema, type Paging, pagingSchema } from '../models/inbox.ts';

/** One page of a conversation. */
export interface Messages {
  /** Newest first. */
  readonly data: readonly Message[];
  /** Its links hold no token. The last page has no `next`, although it can have an `after`. */
  readonly paging: Paging;
}

/** The list of a conversation's messages. */
export function messageList(
  conversationId: string,
  query: Params,
): { readonly path: string; readonly query: Params; readonly item: Schema<Message> } {
  return { path: path`${conversationId}/messages`, query, item: messageSchema };
}

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
