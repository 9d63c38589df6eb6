import type { ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { deadlineOf } from '../core/http/send.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { type SentMessage, sentMessageSchema } from '../models/message.ts';
import { type MessageContent, signOf, toMessage } from './content.ts';
import type { Inbox } from './inbox.ts';
import { messageLookup } from './messageLookup.ts';

/** A message to a person of an inbox. */
export interface OutgoingMessage {
  readonly inbox: Inbox;
  /** The node that sends. */
  readonly sender: string;
  readonly recipientId: string;
  readonly token: string;
  readonly content: MessageContent;
  readonly signal: AbortSignal | undefined;
}

/** Sends a message once; a lost one is looked up in the conversation. */
export function sendToInbox(
  context: Context,
  { inbox, sender, recipientId, token, content, signal }: OutgoingMessage,
): ResultAsync<SentMessage, RequestFailure> {
  const request = { token, signal, deadline: deadlineOf(context) };
  return sendOnce(
    context,
    {
      ...request,
      method: 'POST',
      path: path`${sender}/messages`,
      json: { recipient: { id: recipientId }, message: toMessage(content) },
      schema: sentMessageSchema,
    },
    messageLookup(context, inbox, recipientId, signOf(content), request),
  );
}
