import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, count, flag, id, optional, text, token } from '../core/options/check.ts';
import { type Conversations, type ConversationsQuery, readConversations } from '../messaging/inbox.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { inboxOf } from './internal/inbox.ts';

export type { Conversations };

export interface ConversationsOptions extends PageCallOptions, ConversationsQuery {
  readonly pageId: string;
}

/**
 * Reads one page of a Page's conversations, each with its customer and its last message.
 * `iterateConversations` reads them all.
 *
 * A profile that cannot be read does not fail the call.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Source: platform guide, Conversations API.
 *
 * @example
 * const inbox = await conversations(context, { pageId, pageToken });
 * if (inbox.isOk()) for (const { contact, last_message } of inbox.value.data) console.log(contact?.name, last_message);
 *
 * @example With a client, which throws
 * const inbox = await client.conversations({ pageId, pageToken });
 */
export function conversations(
  context: PageContext,
  options: ConversationsOptions,
): ResultAsync<Conversations, Failure> {
  const checked = check(context, options, () => ({
    pageId: id,
    pageToken: token,
    limit: optional(count),
    after: optional(text),
    userId: optional(id),
    enrich: optional(flag),
  }));
  return perform(context, 'conversations', checked, (call, own) =>
    readConversations(context, call, { inbox: inboxOf(own.pageId), own: [own.pageId] }, own),
  );
}
