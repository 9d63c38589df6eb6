import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, optional, token } from '../core/options/check.ts';
import { act, type ActionReceipt, senderAction, type SenderAction } from '../messaging/sendMessage.ts';
import type { PicsContext } from './context.ts';
import { accountId } from './internal/account.ts';
import { senderOf, type InboxOptions } from './internal/inbox.ts';

export type { ActionReceipt, SenderAction };

export interface SendActionOptions extends InboxOptions {
  /** Messaging-scoped id of the person, as conversations and message events hold it. */
  readonly recipientId: string;
  /** `typing_on` and `typing_off` show and hide that you type; `mark_seen` marks the messages of the person. */
  readonly action: SenderAction;
}

/**
 * Shows a person that the account is typing, or has seen the messages. It is safe to repeat, so it is retried.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. Source: platform guide,
 * Sender Actions.
 *
 * @example
 * const seen = await sendAction(context, { recipientId, token, action: 'mark_seen' });
 * if (seen.isErr()) console.error(seen.error.message);
 *
 * @example With a client, which throws
 * await client.sendAction({ recipientId, token, action: 'typing_on' });
 */
export function sendAction(
  context: PicsContext,
  options: SendActionOptions,
): ResultAsync<ActionReceipt, Failure> {
  const checked = check(context, options, () => ({
    recipientId: id,
    token,
    action: senderAction,
    picsUserId: optional(id),
    pageId: accountId(context),
  }));
  return perform(context, 'sendAction', checked, (call, own) => {
    const { recipientId, action } = own;
    return act(context, {
      ...call,
      sender: senderOf(context, own),
      recipientId,
      action,
    });
  });
}
