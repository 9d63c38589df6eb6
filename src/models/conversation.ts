import type * as v from 'valibot';

import type { ContactProfile } from './contact.ts';
import { dataOf, idSchema, node, type Raw, text } from './fields.ts';
import { type Message, messageSchema, type Participant, participantSchema } from './message.ts';

/** A conversation as the platform gives it. Fields that it adds are kept. */
export interface Thread {
  readonly id: string;
  /** The time of the last activity, such as `2026-01-02T03:04:05+0000`. */
  readonly updated_time?: string | undefined;
  readonly participants?: { readonly data: readonly Participant[] } | undefined;
  /** Its newest message. */
  readonly messages?: { readonly data: readonly Message[] } | undefined;
  /** The conversation as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** A partner in a conversation, with the profile if it was requested. */
export interface Partner extends ContactProfile {
  readonly id: string;
  /** Whether the profile could be read; `undefined` if it was not requested. */
  readonly available?: boolean | undefined;
  /** Why the profile could not be read. */
  readonly reason?: string | undefined;
}

/** A conversation, with the partners of the account or the Page. */
export interface Conversation extends Thread {
  /** The customer; `undefined` if it is not known which participant is the account. */
  readonly contact: Partner | undefined;
  /** All partners, more than one in a group. If it is not known which participant is the account, it is among them. */
  readonly contacts: readonly Partner[];
  readonly last_message: Message | undefined;
  readonly updated_time: string | undefined;
}

/** Reads a {@link Thread}. */
export const threadSchema: v.GenericSchema<unknown, Thread> = node({
  id: idSchema,
  updated_time: text,
  participants: dataOf(participantSchema),
  messages: dataOf(messageSchema),
});
