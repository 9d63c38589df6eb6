import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, count, flag, id, optional, text, token } from '../core/options/check.ts';
import { type Conversations, type ConversationsQuery, readConversations } from '../messaging/inbox.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountId } from './internal/account.ts';
import { inboxOf } from './internal/inbox.ts';

export type { Conversations };

export interface ConversationsOptions extends PicsCallOptions, ConversationsQuery {
  /** Professional account id. Pass it in both modes, to tell the account from its customers. */
  readonly picsUserId?: string | undefined;
  /** Page of the account. Required in page mode. */
  readonly pageId?: string | undefined;
}

/**
 * Reads one page of an account's conversations, each with its customer and its last message.
 * `iterateConversations` reads them all.
 *
 * The account is recognized by `picsUserId` and `pageId`, or else as the only participant that all conversations of
 * this page share. If neither identifies it, `contact` is `undefined` and `contacts` holds all participants. A profile
 * that cannot be read does not fail the call.
 *
 * The platform leaves out message requests that were inactive for 30 days.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. Source: platform guide,
 * Conversations API.
 *
 * @example
 * const page = await conversations(context, { token, picsUserId });
 * if (page.isOk()) for (const { contact, last_message } of page.value.data) console.log(contact?.name, last_message);
 *
 * @example With a client, which throws
 * const page = await client.conversations({ token, picsUserId });
 */
export function conversations(
  context: PicsContext,
  options: ConversationsOptions,
): ResultAsync<Conversations, Failure> {
  const checked = check(context, options, () => ({
    token,
    picsUserId: optional(id),
    pageId: accountId(context),
    limit: optional(count),
    after: optional(text),
    userId: optional(id),
    enrich: optional(flag),
  }));
  return perform(context, 'conversations', checked, (call, own) =>
    readConversations(
      context,
      call,
      { inbox: inboxOf(context, own.pageId), own: [own.picsUserId, own.pageId] },
      own,
    ),
  );
}
