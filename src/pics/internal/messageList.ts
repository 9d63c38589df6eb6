import { path } from '../../core/http/path.ts';
import type { Params, Schema } from '../../core/http/types.ts';
import { type Message, messageSchema } from '../../models/message.ts';

const fields = 'id,created_time,from,to,message,attachments,shares,story,reactions,is_unsupported';

/** The list of a conversation's messages. */
export function messageList(
  conversationId: string,
  query: Params,
): { readonly path: string; readonly query: Params; readonly item: Schema<Message> } {
  return { path: path`${conversationId}/messages`, query: { fields, ...query }, item: messageSchema };
}
