import type { ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { withOutcome } from '../core/deriveError.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import type { Call } from '../core/http/types.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { type SentMessage, sentMessageSchema } from '../models/inbox.ts';
import type { MessageContent } from './content.ts';
import type { Inbox } from './conversations.ts';
import { inboxList, messageLookup, signOf, toMessage } from './message.ts';

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
export interface OutgoingMessage extends Call {
  readonly inbox: Inbox;
  /** The node that sends. */
  readonly sender: string;
  readonly recipientId: string;
  readonly content: MessageContent & MessageOptions;
}

/** Sends a message once; a lost one is looked up in the conversation. */
export function sendToInbox(
  context: Context,
  { inbox, sender, recipientId, content, ...call }: OutgoingMessage,
): ResultAsync<SentMessage, RequestFailure> {
  const { replyTo, humanAgent = false } = content;
  return sendOnce(
    context,
    {
      ...call,
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
    messageLookup(context, inbox, recipientId, signOf(content), call),
  );
}

/** A private reply. */
export interface PrivateReply extends Call {
  readonly inbox: Inbox;
  /** The node that sends. */
  readonly sender: string;
  /** What it replies to. */
  readonly recipient: { readonly comment_id: string | undefined } | { readonly post_id: string };
  readonly content: MessageContent;
}

/**
 * Sends a private reply. The platform takes one only, so that one whose response was lost can be sent again: the
 * refusal "already replied" then says that it took effect.
 */
export function replyPrivately(
  context: Context,
  { inbox, sender, recipient, content, ...call }: PrivateReply,
): ResultAsync<SentMessage, RequestFailure> {
  const request = {
    ...call,
    method: 'POST',
    path: path`${sender}/messages`,
    json: { recipient, message: toMessage(content) },
    schema: sentMessageSchema,
  };
  const lookup = {
    // Nothing shows what became of it; but a message of equal content could be taken for it.
    list: inboxList(inbox),
    content: signOf(content).content,
    // Under a key, a lost one is sent again once it has settled.
    isRepeatable: context.keyedCall === undefined,
    idOf: ({ message_id }: SentMessage) => message_id,
    isRepeat: isRepeated,
    toValue: (message_id: string) => ({ recipient_id: '', message_id }),
  };
  return sendOnce(context, request, lookup).mapErr((failure) =>
    failure.outcome === 'unknown' && isRepeated(failure) ? withOutcome(failure, 'applied') : failure,
  );
}

/** Whether the platform refuses a reply because there is one. Under a 5xx, it may as well be of the first attempt. */
function isRepeated(failure: RequestFailure): boolean {
  if (failure.name === 'TransportError' || !((failure.status ?? 500) < 500)) return false;
  return failure.subcode === 2_534_025 || failure.code === 10_900;
}
