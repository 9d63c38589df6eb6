import type { ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { withOutcome } from '../core/deriveError.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { send } from '../core/http/send.ts';
import type { Call } from '../core/http/types.ts';
import { oneOf, type Rule } from '../core/options/check.ts';
import { objectOf, type Schema } from '../core/schema.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { idSchema } from '../models/fields.ts';
import { type SentMessage, sentMessageSchema } from '../models/inbox.ts';
import type { MessageContent } from './content.ts';
import type { Inbox } from './inbox.ts';
import { inboxList, messageLookup, signOf, toMessage } from './message.ts';

/** What a message can have besides its content. */
export interface MessageOptions {
  /** The message that this one replies to, from either side. */
  readonly replyTo?: string | undefined;
  /**
   * `true` says that a person wrote it: it is accepted for 7 days after the customer's last message. The app needs the
   * Human Agent feature.
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

/** Sends a message once; after a lost response, it is looked up in the conversation. */
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
 * Sends a private reply. The platform accepts only one, so it can be sent again after a lost response: the refusal
 * "already replied" then means that it took effect.
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
    // Nothing shows its effect; but a message with the same content could be mistaken for it.
    list: inboxList(inbox),
    content: signOf(content).content,
    // With a key, a lost one is sent again once it has settled.
    isRepeatable: context.keyedCall === undefined,
    idOf: ({ message_id }: SentMessage) => message_id,
    isRepeat: isRepeated,
    toValue: (message_id: string) => ({ recipient_id: '', message_id }),
  };
  return sendOnce(context, request, lookup).mapErr((failure) =>
    failure.outcome === 'unknown' && isRepeated(failure) ? withOutcome(failure, 'applied') : failure,
  );
}

/** Whether the platform refuses a reply because there already is one. After a 5xx, that may be the first attempt's. */
function isRepeated(failure: RequestFailure): boolean {
  if (failure.name === 'TransportError' || !((failure.status ?? 500) < 500)) return false;
  return failure.subcode === 2_534_025 || failure.code === 10_900;
}

/** What the person sees the account or the Page do. */
export type SenderAction = 'typing_on' | 'typing_off' | 'mark_seen';

/** The person who received an action or a reaction. */
export interface ActionReceipt {
  readonly recipient_id: string;
}

/** The rule for an action. */
export const senderAction: Rule = oneOf('typing_on', 'typing_off', 'mark_seen');

/** An action in a conversation. */
export interface Action extends Call {
  /** The node that acts. */
  readonly sender: string;
  readonly recipientId: string;
  readonly action: SenderAction | 'react' | 'unreact';
  readonly payload?: object | undefined;
}

/** Acts in a conversation. It is safe to repeat. */
export function act(
  context: Context,
  { sender, recipientId, action, payload, ...call }: Action,
): ResultAsync<ActionReceipt, RequestFailure> {
  return send(context, {
    ...call,
    method: 'POST',
    path: path`${sender}/messages`,
    json: { recipient: { id: recipientId }, sender_action: action, payload },
    schema: receiptSchema,
  });
}

/** What to send for a reaction; `null` takes it back. */
export function toReaction(message_id: string, reaction: string | null): Pick<Action, 'action' | 'payload'> {
  return reaction === null
    ? { action: 'unreact', payload: { message_id } }
    : { action: 'react', payload: { message_id, reaction } };
}

const receiptSchema: Schema<ActionReceipt> = objectOf({ recipient_id: idSchema });
