import type { Result } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { walk } from '../core/lists/list.ts';
import { check, count, countOrAll, flag, id, optional, token } from '../core/options/check.ts';
import { type ConversationsWalk, walkConversations } from '../messaging/inbox.ts';
import type { Conversation } from '../models/inbox.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { inboxOf } from './internal/inbox.ts';

export interface IterateConversationsOptions extends PageCallOptions, ConversationsWalk {
  readonly pageId: string;
}

/**
 * Yields the conversations of a Page one by one, as `conversations` returns them, and requests each page when it is
 * needed. A failure ends the walk.
 *
 * A conversation that moves in the list meanwhile is yielded once. Each profile is read once.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Source: platform guide, Conversations API.
 *
 * @example
 * for await (const conversation of iterateConversations(context, { pageId, pageToken })) {
 *   if (conversation.isOk()) console.log(conversation.value.contact?.name, conversation.value.last_message);
 * }
 *
 * @example With a client, which throws
 * for await (const { contact, last_message } of client.iterateConversations({ pageId, pageToken })) {
 *   console.log(contact?.name, last_message);
 * }
 */
export function iterateConversations(
  context: PageContext,
  options: IterateConversationsOptions,
): AsyncGenerator<Result<Conversation, Failure>, void, undefined> {
  const checked = check(context, options, () => ({
    pageId: id,
    pageToken: token,
    limit: optional(countOrAll),
    pageSize: optional(count),
    enrich: optional(flag),
  }));
  return walk(context, 'iterateConversations', checked, (call, own) =>
    walkConversations(context, call, { inbox: inboxOf(own.pageId), own: [own.pageId] }, own),
  );
}
