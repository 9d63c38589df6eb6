import { path } from '../core/http/path.ts';
import type { Params, Schema } from '../core/http/types.ts';
import { type Message, messageSchema } from '../models/message.ts';
import type { Paging } from '../models/paging.ts';

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
