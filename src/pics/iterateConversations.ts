import type { Result } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { walk } from '../core/lists/list.ts';
import { check, count, countOrAll, flag, id, optional, token } from '../core/options/check.ts';
import { type ConversationsWalk, walkConversations } from '../messaging/inbox.ts';
import type { Conversation } from '../models/inbox.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountId } from './internal/account.ts';
import { inboxOf } from './internal/inbox.ts';

export interface IterateConversationsOptions extends PicsCallOptions, ConversationsWalk {
  /** Professional account id. Pass it in both modes, to tell the account from its customers. */
  readonly picsUserId?: string | undefined;
  /** Page of the account. Required in page mode. */
  readonly pageId?: string | undefined;
}

/**
 * Yields the conversations of an account one by one, as `conversations` returns them, and requests each page when it is
 * needed. A failure ends the walk.
 *
 * A conversation that moves in the list meanwhile is yielded once. Each profile is read once.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. Source: platform guide,
 * Conversations API.
 *
 * @example
 * for await (const conversation of iterateConversations(context, { token, picsUserId })) {
 *   if (conversation.isOk()) console.log(conversation.value.contact?.name, conversation.value.last_message);
 * }
 *
 * @example With a client, which throws
 * for await (const { contact, last_message } of client.iterateConversations({ token, picsUserId })) {
 *   console.log(contact?.name, last_message);
 * }
 */
export function iterateConversations(
  context: PicsContext,
  options: IterateConversationsOptions,
): AsyncGenerator<Result<Conversation, Failure>, void, undefined> {
  const checked = check(context, options, () => ({
    token,
    picsUserId: optional(id),
    pageId: accountId(context),
    limit: optional(countOrAll),
    pageSize: optional(count),
    enrich: optional(flag),
  }));
  return walk(context, 'iterateConversations', checked, (call, own) =>
    walkConversations(
      context,
      call,
      { inbox: inboxOf(context, own.pageId), own: [own.picsUserId, own.pageId] },
      own,
    ),
  );
}
