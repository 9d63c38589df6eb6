import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { act, type ActionReceipt, senderAction, type SenderAction } from '../messaging/sendMessage.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export type { ActionReceipt, SenderAction };

export interface SendActionOptions extends PageCallOptions {
  readonly pageId: string;
  /** Page-scoped id of the person, as conversations and message events hold it. */
  readonly recipientId: string;
  /**
   * `typing_on` and `typing_off` show and hide the typing indicator; `mark_seen` marks the person's messages as seen.
   */
  readonly action: SenderAction;
}

/**
 * Shows a person that the Page is typing, or has seen the messages. It is safe to repeat, so it is retried.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Source: platform guide, Sender Actions.
 *
 * @example
 * const seen = await sendAction(context, { pageId, pageToken, recipientId, action: 'mark_seen' });
 * if (seen.isErr()) console.error(seen.error.message);
 *
 * @example With a client, which throws
 * await client.sendAction({ pageId, pageToken, recipientId, action: 'typing_on' });
 */
export function sendAction(
  context: PageContext,
  options: SendActionOptions,
): ResultAsync<ActionReceipt, Failure> {
  const checked = check(context, options, () => ({
    pageId: id,
    pageToken: token,
    recipientId: id,
    action: senderAction,
  }));
  return perform(context, 'sendAction', checked, (call, { pageId, recipientId, action }) =>
    act(context, {
      ...call,
      sender: pageId,
      recipientId,
      action,
    }),
  );
}
