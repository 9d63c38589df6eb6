import * as v from 'valibot';

import { path } from '../../core/http/path.ts';
import { sendForResponse } from '../../core/http/send.ts';
import type { CallLimits } from '../../core/http/types.ts';
import { parseTime } from '../../core/writes/newest.ts';
import type { Look } from '../../core/writes/once.ts';
import { threadSchema } from '../../models/conversation.ts';
import type { Message, SentMessage } from '../../models/message.ts';
import type { PicsContext } from '../context.ts';

/** As many messages of a conversation as have details. */
const fields = 'messages.limit(20){id,created_time,from,to,message}';
const schema = v.looseObject({ data: v.array(threadSchema) });

/** Looks for a message among the newest of the conversation with its recipient. */
export function newestMessages(
  context: PicsContext,
  inbox: string,
  recipientId: string,
  text: string,
  request: CallLimits & { readonly token: string },
): Look<SentMessage> {
  // The conversation holds both sides' messages: its recipient may have written the same.
  function isSent({ from, to, message }: Message): boolean {
    const isOurs = from !== undefined && from.id !== recipientId;
    const isToThem = to?.data.some(({ id }) => id === recipientId) ?? false;
    return isOurs && isToThem && message?.trim() === text.trim();
  }

  return {
    key: `${inbox}/messages ${recipientId} ${text.trim()}`,
    idOf: ({ message_id }) => message_id,
    find: () =>
      sendForResponse(context, {
        ...request,
        method: 'GET',
        path: path`${inbox}/conversations`,
        query: { platform: context.platform.words.picsPlatform, user_id: recipientId, fields },
        schema,
      }).map(({ value, date }) => ({
        date,
        entries: value.data
          .flatMap(({ messages }) => messages?.data ?? [])
          .filter(isSent)
          .map(({ id, created_time }) => ({
            id,
            at: parseTime(created_time),
            value: { recipient_id: recipientId, message_id: id },
          })),
      })),
  };
}
