import * as v from 'valibot';

import { idSchema } from './id.ts';

/** A participant of a conversation. Fields that the platform adds are kept. */
export interface Participant {
  readonly id: string;
  readonly username?: string | undefined;
  /** A second id of the same account, if the platform gives one. */
  readonly user_id?: string | undefined;
  readonly [field: string]: unknown;
}

/** A direct message. Fields that the platform adds, such as `attachments`, are kept. */
export interface Message {
  readonly id: string;
  /** When it was sent, such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  readonly from?: Participant | undefined;
  readonly to?: { readonly data: readonly Participant[] } | undefined;
  /** Its text; empty or absent if it has none. */
  readonly message?: string | undefined;
  readonly [field: string]: unknown;
}

/** A message that the platform has accepted. Fields that the platform adds are kept. */
export interface SentMessage {
  readonly recipient_id: string;
  readonly message_id: string;
}

/** Reads a {@link Participant}. */
export const participantSchema: v.GenericSchema<unknown, Participant> = v.looseObject({
  id: idSchema,
  username: v.optional(v.string()),
  user_id: v.optional(idSchema),
});

/** Reads a {@link Message}. */
export const messageSchema: v.GenericSchema<unknown, Message> = v.looseObject({
  id: idSchema,
  created_time: v.optional(v.string()),
  from: v.optional(participantSchema),
  to: v.optional(v.looseObject({ data: v.array(participantSchema) })),
  message: v.optional(v.string()),
});

/** Reads a {@link SentMessage}. */
export const sentMessageSchema: v.GenericSchema<unknown, SentMessage> = v.looseObject({
  recipient_id: idSchema,
  message_id: idSchema,
});
