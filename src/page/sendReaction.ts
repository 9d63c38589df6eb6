import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, optional, text, token } from '../core/options/check.ts';
import { act, type ActionReceipt, toReaction } from '../messaging/sendMessage.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface SendReactionOptions extends PageCallOptions {
  readonly pageId: string;
  /** Page-scoped id of the person, as conversations and message events hold it. */
  readonly recipientId: string;
  /** Message of the conversation with this person. */
  readonly messageId: string;
  /**
   * The platform's name of the reaction; `null` takes it back.
   * @default 'love'
   */
  readonly reaction?: string | null | undefined;
}

/**
 * Reacts to a message, or takes the reaction back. It is safe to repeat, so it is retried.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Source: platform guide, Reactions.
 *
 * @example
 * const reacted = await sendReaction(context, { pageId, pageToken, recipientId, messageId: 'm_1' });
 * if (reacted.isErr()) console.error(reacted.error.message);
 *
 * @example With a client, which throws
 * await client.sendReaction({ pageId, pageToken, recipientId, messageId: 'm_1', reaction: null });
 */
export function sendReaction(
  context: PageContext,
  options: SendReactionOptions,
): ResultAsync<ActionReceipt, Failure> {
  const checked = check(context, options, () => ({
    pageId: id,
    pageToken: token,
    recipientId: id,
    messageId: id,
    reaction: (value) => (value === null ? undefined : optional(text)(value)),
  }));
  return perform(
    context,
    'sendReaction',
    checked,
    (call, { pageId, recipientId, messageId, reaction = 'love' }) =>
      act(context, {
        ...call,
        sender: pageId,
        recipientId,
        ...toReaction(messageId, reaction),
      }),
  );
}
