import { errAsync, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { check, id, type Rule, text, token } from '../core/options/check.ts';
import { sendToInbox } from '../messaging/sendToInbox.ts';
import type { SentMessage } from '../models/message.ts';
import type { PageContext } from './context.ts';
import { inboxOf } from './internal/inbox.ts';

/** The longest text that the platform accepts, in characters. */
const mostCharacters = 2000;

export interface SendMessageOptions {
  readonly pageId: string;
  /** Page token. */
  readonly pageToken: string;
  /** Page-scoped id of the customer, as conversations and message events hold it. */
  readonly recipientId: string;
  /** At most 2000 characters. */
  readonly text: string;
  readonly signal?: AbortSignal | undefined;
}

export type SendMessageFailure = Failure;

/**
 * Sends a text to a customer of a Page, within 24 hours of the customer's last message.
 *
 * Once-only: after a lost response, the newest messages of the conversation are looked up, and the one that this call
 * sent is returned, known by its text, its recipient and its time. If it cannot be told, the error's `outcome` is
 * `unknown`.
 *
 * Fails with PermissionError, of category `window`, when the 24 hours are over; with ConfigurationError when the text
 * is longer than 2000 characters.
 *
 * Permission: `pages_messaging`; Page task `MESSAGING`. Source: platform guide, Send API.
 *
 * @example
 * const sent = await sendMessage(context, { pageId, pageToken, recipientId, text: 'It is on its way.' });
 * if (sent.isOk()) console.log(sent.value.message_id);
 *
 * @example With a client, which throws
 * const sent = await client.sendMessage({ pageId, pageToken, recipientId, text: 'It is on its way.' });
 */
export function sendMessage(
  context: PageContext,
  options: SendMessageOptions,
): ResultAsync<SentMessage, SendMessageFailure> {
  const invalid = check(options, { pageId: id, pageToken: token, recipientId: id, text: shortText });
  if (invalid) return errAsync(invalid);
  const { pageId, pageToken, recipientId, signal } = options;
  return sendToInbox(context, {
    inbox: inboxOf(pageId),
    sender: pageId,
    recipientId,
    token: pageToken,
    content: options,
    signal,
  });
}

const shortText: Rule = (value) => {
  const fault = text(value);
  if (fault !== undefined) return fault;
  const characters = Array.from(value as string).length;
  return characters > mostCharacters
    ? `must have at most ${mostCharacters} characters, not ${characters}`
    : undefined;
};
