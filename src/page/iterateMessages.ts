import type { Result } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { walk } from '../core/lists/list.ts';
import { check, count, countOrAll, id, optional, token } from '../core/options/check.ts';
import { type MessagesWalk, walkMessages } from '../messaging/inbox.ts';
import type { Message } from '../models/inbox.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { messageFields } from './internal/inbox.ts';

export interface IterateMessagesOptions extends PageCallOptions, MessagesWalk {}

/**
 * Yields the messages of a conversation one by one, newest first, and requests each page when it is needed. A failure
 * ends the walk.
 *
 * Only the last 20 messages have details. For older ones the platform says that they are deleted: an ApiError. With
 * `limit`, the walk ends before them.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Source: platform guide, Conversations API.
 *
 * @example
 * for await (const message of iterateMessages(context, { conversationId, pageToken, limit: 20 })) {
 *   if (message.isOk()) console.log(message.value.from?.name, message.value.message);
 * }
 *
 * @example With a client, which throws
 * for await (const { from, message } of client.iterateMessages({ conversationId, pageToken, limit: 20 })) {
 *   console.log(from?.name, message);
 * }
 */
export function iterateMessages(
  context: PageContext,
  options: IterateMessagesOptions,
): AsyncGenerator<Result<Message, Failure>, void, undefined> {
  const checked = check(context, options, () => ({
    conversationId: id,
    pageToken: token,
    limit: optional(countOrAll),
    pageSize: optional(count),
  }));
  return walk(context, 'iterateMessages', checked, (call, own) =>
    walkMessages(context, call, messageFields, own),
  );
}
