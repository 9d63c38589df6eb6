import { errAsync, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { deadlineOf } from '../core/http/send.ts';
import { check, id, optional, type Rule, text, token } from '../core/options/check.ts';
import { findByText } from '../core/writes/findByText.ts';
import { listOf, type ListEntry } from '../core/writes/recentEntries.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { messageSchema, type SentMessage, sentMessageSchema } from '../models/message.ts';
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
  const sender = accountOf(context.mode === 'page' ? pageId : picsUserId);
  const inbox = inboxOf(context, pageId);
  const request = { token: options.token, signal, deadline: deadlineOf(context) };
  return sendOnce(
    context,
    {
      ...request,
      method: 'POST',
      path: path`${sender}/messages`,
      json: { recipient: { id: recipientId }, message: { text: options.text } },
      schema: sentMessageSchema,
    },
    findByText(context, {
      ...request,
      list: `${inbox}/messages ${recipientId}`,
      path: path`${inbox}/conversations`,
      query: { platform: context.platform.words.picsPlatform, user_id: recipientId, fields: messageFields },
      entriesIn: (threads) =>
        threads
          .flatMap(({ messages }) => listOf(Object(messages).data))
          .filter((one) => isSentTo(recipientId, one)),
      text: options.text,
      textField: 'message',
      timeField: 'created_time',
      idOf: ({ message_id }) => message_id,
      toValue: (message_id) => ({ recipient_id: recipientId, message_id }),
    }),
  );
}

/** As many messages of a conversation as have details. */
const messageFields = 'messages.limit(20){id,created_time,from,to,message}';

/** Whether a message went to the recipient. A conversation holds both sides' messages: they may have equal texts. */
function isSentTo(recipientId: string, entry: ListEntry): boolean {
  const { success, output } = v.safeParse(messageSchema, entry);
  if (!success || output.from === undefined || output.from.id === recipientId) return false;
  return output.to?.data.some(({ id: partner }) => partner === recipientId) ?? false;
}

const shortText: Rule = (value) => {
  const fault = text(value);
  if (fault !== undefined) return fault;
  const bytes = new TextEncoder().encode(value as string).length;
  return bytes > mostBytes ? `must have at most ${mostBytes} bytes of UTF-8, not ${bytes}` : undefined;
};
