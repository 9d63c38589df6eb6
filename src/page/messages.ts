import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, count, id, optional, text, token } from '../core/options/check.ts';
import { type Messages, type MessagesQuery, readMessages } from '../messaging/inbox.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { messageFields } from './internal/inbox.ts';

export type { Messages };

export interface MessagesOptions extends PageCallOptions, MessagesQuery {}

/**
 * Reads one page of a conversation's messages, newest first. `iterateMessages` reads them all.
 *
 * Only the last 20 messages have details. For older ones the platform says that they are deleted: an ApiError.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Source: platform guide, Conversations API.
 *
 * @example
 * const thread = await messages(context, { conversationId, pageToken, limit: 20 });
 * if (thread.isOk()) for (const { from, message } of thread.value.data) console.log(from?.name, message);
 *
 * @example With a client, which throws
 * const thread = await client.messages({ conversationId, pageToken, limit: 20 });
 */
export function messages(context: PageContext, options: MessagesOptions): ResultAsync<Messages, Failure> {
  const checked = check(context, options, () => ({
    conversationId: id,
    pageToken: token,
    limit: optional(count),
    after: optional(text),
  }));
  return perform(context, 'messages', checked, (call, own) =>
    readMessages(context, call, messageFields, own),
  );
}
