import type { ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { deadlineOf } from '../core/http/send.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { type SentMessage, sentMessageSchema } from '../models/message.ts';
import type { MessageContent } from './content.ts';
import type { Inbox } from './inbox.ts';
import { signOf, toMessage } from './message.ts';
import { messageLookup } from './messageLookup.ts';

/** What a message can have beside its content. */
export interface MessageOptions {
  /** Message of either side that this one replies to. */
  readonly replyTo?: string | undefined;
  /**
   * `true` says that a person wrote it: it is taken for 7 days after the customer's last message. The app needs the
   * feature Human Agent.
   * @default false
   */
  readonly humanAgent?: boolean | undefined;
}

/** A message to a person of an inbox. */
export interface OutgoingMessage {
  readonly inbox: Inbox;
  /** The node that sends. */
  readonly sender: string;
  readonly recipientId: string;
  readonly token: string;
  readonly content: MessageContent & MessageOptions;
  readonly signal: AbortSignal | undefined;
}

/** Sends a message once; a lost one is looked up in the conversation. */
export function sendToInbox(
  context: Context,
  { inbox, sender, recipientId, token, content, signal }: OutgoingMessage,
): ResultAsync<SentMessage, RequestFailure> {
  const request = { token, signal, deadline: deadlineOf(context) };
  const { replyTo, humanAgent = false } = content;
  return sendOnce(
    context,
    {
      ...request,
      method: 'POST',
      path: path`${sender}/messages`,
      json: {
        recipient: { id: recipientId },
        message: toMessage(content),
        ...(replyTo !== undefined && { reply_to: { mid: replyTo } }),
        ...(humanAgent && { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }),
      },
      schema: sentMessageSchema,
    },
    messageLookup(context, inbox, recipientId, signOf(content), request),
  );
}
