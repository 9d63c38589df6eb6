import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, optional, text, token } from '../core/options/check.ts';
import { act, type ActionReceipt, toReaction } from '../messaging/sendMessage.ts';
import type { PicsContext } from './context.ts';
import { accountId } from './internal/account.ts';
import { senderOf, type InboxOptions } from './internal/inbox.ts';

export interface SendReactionOptions extends InboxOptions {
  /** Messaging-scoped id of the person, as conversations and message events hold it. */
  readonly recipientId: string;
  /** Message of the conversation with this person. */
  readonly messageId: string;
  /**
   * The platform's name of the reaction; `null` takes it back. In page mode, the platform documents only `love`.
   * @default 'love'
   */
  readonly reaction?: string | null | undefined;
}

/**
 * Reacts to a message, or takes the reaction back. It is safe to repeat, so it is retried.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. Source: platform guide,
 * Send Messages.
 *
 * @example
 * const reacted = await sendReaction(context, { recipientId, token, messageId: 'aWdf' });
 * if (reacted.isErr()) console.error(reacted.error.message);
 *
 * @example With a client, which throws
 * await client.sendReaction({ recipientId, token, messageId: 'aWdf', reaction: null });
 */
export function sendReaction(
  context: PicsContext,
  options: SendReactionOptions,
): ResultAsync<ActionReceipt, Failure> {
  const checked = check(context, options, () => ({
    recipientId: id,
    token,
    messageId: id,
    reaction: (value) => (value === null ? undefined : optional(text)(value)),
    picsUserId: optional(id),
    pageId: accountId(context),
  }));
  return perform(context, 'sendReaction', checked, (call, own) => {
    const { recipientId, messageId, reaction = 'love' } = own;
    return act(context, {
      ...call,
      sender: senderOf(context, own),
      recipientId,
      ...toReaction(messageId, reaction),
    });
  });
}
