import type { ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../core/context.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { send } from '../core/http/send.ts';
import type { Call, Schema } from '../core/http/types.ts';
import { type Rule, that } from '../core/options/check.ts';
import { idSchema } from '../models/fields.ts';

/** What the other side sees of the account or the Page. */
export type SenderAction = 'typing_on' | 'typing_off' | 'mark_seen';

/** The person whom an action or a reaction reached. */
export interface ActionReceipt {
  readonly recipient_id: string;
}

const actions: readonly unknown[] = ['typing_on', 'typing_off', 'mark_seen'];

/** The rule for an action. */
export const senderAction: Rule = that((value) => actions.includes(value), actions.join(', '));

/** An action in a conversation. */
export interface Action extends Call {
  /** The node that acts. */
  readonly sender: string;
  readonly recipientId: string;
  readonly action: SenderAction | 'react' | 'unreact';
  readonly payload?: object | undefined;
}

/** Acts in a conversation. To do it twice is to do it once. */
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

const receiptSchema: Schema<ActionReceipt> = v.looseObject({ recipient_id: idSchema });
