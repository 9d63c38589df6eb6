import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, count, id, optional, text, token } from '../core/options/check.ts';
import { type Messages, type MessagesQuery, readMessages } from '../messaging/inbox.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { messageFields } from './internal/inbox.ts';

export type { Messages };

export interface MessagesOptions extends PicsCallOptions, MessagesQuery {}

/**
 * Reads one page of a conversation's messages, newest first. `iterateMessages` reads them all.
 *
 * Only the last 20 messages have details. For older ones the platform says that they are deleted: an ApiError.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. Source: platform guide,
 * Conversations API.
 *
 * @example
 * const page = await messages(context, { conversationId, token, limit: 20 });
 * if (page.isOk()) for (const { from, message } of page.value.data) console.log(from?.username, message);
 *
 * @example With a client, which throws
 * const page = await client.messages({ conversationId, token, limit: 20 });
 */
export function messages(context: PicsContext, options: MessagesOptions): ResultAsync<Messages, Failure> {
  const checked = check(context, options, () => ({
    conversationId: id,
    token,
    limit: optional(count),
    after: optional(text),
  }));
  return perform(context, 'messages', checked, (call, own) =>
    readMessages(context, call, messageFields, own),
  );
}
