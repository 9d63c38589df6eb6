import { errAsync, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { check, id, optional, type Rule, text, token } from '../core/options/check.ts';
import { sendToInbox } from '../messaging/sendToInbox.ts';
import type { SentMessage } from '../models/message.ts';
import type { PicsContext } from './context.ts';
import { accountId, accountOf } from './internal/account.ts';
import { inboxOf } from './internal/inbox.ts';

/** The longest text that the platform accepts, in bytes of UTF-8. */
const mostBytes = 1000;

export interface SendMessageOptions {
  /** Messaging-scoped id of the customer, as conversations and message events hold it. */
  readonly recipientId: string;
  /** User token in login mode, page token in page mode. */
  readonly token: string;
  /** At most 1000 bytes of UTF-8. */
  readonly text: string;
  /**
   * Account that sends, in login mode.
   * @default the token's owner
   */
  readonly picsUserId?: string | undefined;
  /** Page of the account that sends. Required in page mode. */
  readonly pageId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type SendMessageFailure = Failure;

/**
 * Sends a text to a customer, within 24 hours of the customer's last message.
 *
 * Once-only: after a lost response, the newest messages of the conversation are looked up, and the one that this call
 * sent is returned, known by its text, its recipient and its time. If it cannot be told, the error's `outcome` is
 * `unknown`.
 *
 * Fails with PermissionError, of category `window`, when the 24 hours are over; with ConfigurationError when the text
 * is longer than 1000 bytes, and in page mode without `pageId`.
 *
 * Permission: `pics_business_manage_messages` in login mode, `pics_manage_messages` in page mode.
 * Source: platform guide, Send Messages.
 *
 * @example
 * const sent = await sendMessage(context, { recipientId, token, text: 'It is on its way.' });
 * if (sent.isOk()) console.log(sent.value.message_id);
 *
 * @example With a client, which throws
 * const sent = await client.sendMessage({ recipientId, token, text: 'It is on its way.' });
 */
export function sendMessage(
  context: PicsContext,
  options: SendMessageOptions,
): ResultAsync<SentMessage, SendMessageFailure> {
  const invalid = check(options, {
    recipientId: id,
    token,
    text: shortText,
    picsUserId: optional(id),
    pageId: accountId(context),
  });
  if (invalid) return errAsync(invalid);
  const { recipientId, picsUserId, pageId, signal } = options;
  return sendToInbox(context, {
    inbox: inboxOf(context, pageId),
    sender: accountOf(context.mode === 'page' ? pageId : picsUserId),
    recipientId,
    token: options.token,
    content: options,
    signal,
  });
}

const shortText: Rule = (value) => {
  const fault = text(value);
  if (fault !== undefined) return fault;
  const bytes = new TextEncoder().encode(value as string).length;
  return bytes > mostBytes ? `must have at most ${mostBytes} bytes of UTF-8, not ${bytes}` : undefined;
};
