import { okAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { path } from '../core/http/path.ts';
import type { Call } from '../core/http/types.ts';
import type { EffectLookup } from '../core/writes/effectLookup.ts';
import {
  listOf,
  type ListEntry,
  queryRecentEntries,
  textOf,
  parseTime,
  toRecentEntries,
} from '../core/writes/recentEntries.ts';
import type { SentMessage } from '../models/inbox.ts';
import type { Inbox } from './conversations.ts';

/** How a message that was sent is known again. */
export interface MessageSign {
  /** Equal for messages that could be taken for one another. */
  readonly content: string;
  /** Whether a conversation shows its kind, and not what it holds. */
  readonly hidesContent?: boolean;
  /** The fields of a message that show it, beside its id, time and people. */
  readonly fields: string;
  /** Whether a message that went to the recipient has this content. */
  readonly fits: (entry: ListEntry) => boolean;
}

/** Names all that is sent to an inbox. */
export function inboxList({ node }: Inbox): string {
  return `${node}/messages`;
}

/** So many messages of a conversation have details, its newest ones. */
const mostMessages = 20;

/** Looks up a message among the newest ones of the conversation: as many as have details. */
export function messageLookup(
  context: Context,
  inbox: Inbox,
  recipientId: string,
  { content, hidesContent, fields, fits }: MessageSign,
  request: Call,
): EffectLookup<SentMessage> {
  return {
    list: `${inboxList(inbox)} ${recipientId}`,
    // Whom a private reply goes to is not known before.
    within: inboxList(inbox),
    content,
    hidesContent,
    idOf: ({ message_id }) => message_id,
    toValue: (message_id) => ({ recipient_id: recipientId, message_id }),
    query: ({ readPages, ...limits }) =>
      queryRecentEntries(context, {
        ...request,
        ...limits,
        path: path`${inbox.node}/conversations`,
        query: {
          platform: inbox.platform,
          user_id: recipientId,
          fields: `messages.limit(${mostMessages}){id,created_time,from,to,${fields}}`,
        },
      }).andThen((threads) => {
        const listed = threads.flatMap(({ messages }) => listOf(Object(messages).data));
        const sent = listed.filter((entry) => isSentTo(recipientId, entry) && fits(entry));
        const entries = toRecentEntries(sent, 'created_time');
        const [{ id: threadId } = {}] = threads;
        if (listed.length < mostMessages) return okAsync({ entries });
        if (readPages === undefined) return okAsync({ entries, wholeSince: oldestOf(listed) });
        // Of older ones, no details are shown, but which there are.
        const shown = new Set(listed.map(idOf));
        return queryRecentEntries(context, {
          ...request,
          ...limits,
          readPages,
          path: path`${textOf(threadId)}/messages`,
          query: { fields: 'id,created_time', limit: 100 },
        }).map((all) => {
          const older = toRecentEntries(all, 'created_time').filter(({ id }) => !shown.has(id));
          return { entries: [...entries, ...older.map((entry) => ({ ...entry, isHidden: true }))] };
        });
      }),
  };
}

/** When the oldest message of a list was made. One without a time may be of any. */
function oldestOf(listed: readonly ListEntry[]): number {
  return parseTime(listed.at(-1)?.['created_time']) || Infinity;
}

/** Whether a message went to the recipient. A conversation holds both sides' messages: they may be equal. */
function isSentTo(recipientId: string, { from, to }: ListEntry): boolean {
  const sender = idOf(from);
  return sender !== '' && sender !== recipientId && listOf(Object(to).data).map(idOf).includes(recipientId);
}

function idOf(person: unknown): string {
  return textOf(Object(person).id);
}
