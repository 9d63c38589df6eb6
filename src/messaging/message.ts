import { okAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { path } from '../core/http/path.ts';
import type { Call } from '../core/http/types.ts';
import { fieldsOf } from '../core/options/check.ts';
import { parseTime } from '../core/options/time.ts';
import {
  type ListEntry,
  queryRecentEntries,
  textOf,
  toEntries,
  toRecentEntries,
} from '../core/writes/recentEntries.ts';
import type { EffectLookup } from '../core/writes/types.ts';
import type { SentMessage } from '../models/inbox.ts';
import type { MessageContent } from './content.ts';
import type { Inbox } from './inbox.ts';

/** The wire form of a message. */
export function toMessage(content: MessageContent): object {
  const { text, quickReplies, attachment, images, template, mediaId, sticker: type } = content;
  if (text !== undefined) {
    const quick_replies = quickReplies?.map(({ title, payload, imageUrl: image_url }) => ({
      content_type: 'text',
      title,
      payload,
      image_url,
    }));
    return { text, quick_replies };
  }
  if (images !== undefined) {
    return { attachments: images.map((url) => ({ type: 'image', payload: { url } })) };
  }
  if (attachment !== undefined) {
    const { url, attachmentId: attachment_id } = attachment;
    return { attachment: { type: attachment.type, payload: { url, attachment_id } } };
  }
  if (template !== undefined) {
    const { type: template_type, ...rest } = template;
    return { attachment: { type: 'template', payload: { template_type, ...rest } } };
  }
  return {
    attachment: mediaId === undefined ? { type } : { type: 'MEDIA_SHARE', payload: { id: mediaId } },
  };
}

/**
 * What a message is identified by: a text by its words, without surrounding spaces, which the platform trims; anything
 * else by its kind.
 */
export function signOf({ text, attachment, images, template, mediaId }: MessageContent): MessageSign {
  if (text !== undefined) {
    const content = text.trim();
    return { content, fields: 'message', fits: ({ message }) => textOf(message).trim() === content };
  }
  const kinds =
    images?.map(() => 'image') ?? (template ? ['template'] : attachment && [shownAs(attachment.type)]);
  const fields = kinds ? 'attachments' : mediaId === undefined ? 'sticker' : 'shares';
  return {
    // Texts are trimmed (see above), so none begins with a line break.
    content: `\n${fields} ${kinds?.join()}`,
    hidesContent: true,
    fields,
    fits: ({ [fields]: found }) => {
      const list = toEntries(fieldsOf(found)['data']);
      return kinds ? list.map(kindOf).join() === kinds.join() : list.length > 0 || textOf(found) !== '';
    },
  };
}

/** The kind of an attachment as a conversation shows it, which does not always distinguish audio from other files. */
function kindOf(attachment: ListEntry): string {
  const names = Object.keys(attachment).join();
  return (
    /template/.exec(names)?.[0] ??
    /^(?:image|video)/.exec(textOf(attachment['mime_type']))?.[0] ??
    /(image|video)_data/.exec(names)?.[1] ??
    'file'
  );
}

function shownAs(type: string): string {
  return type === 'audio' ? 'file' : type;
}

/** How a sent message is recognized. */
export interface MessageSign {
  /** Equal for messages that could be mistaken for one another. */
  readonly content: string;
  /** Whether a conversation shows only its kind, not its content. */
  readonly hidesContent?: boolean;
  /** The fields of a message that show its content, besides its id, time and people. */
  readonly fields: string;
  /** Whether a message to the recipient has this content. */
  readonly fits: (entry: ListEntry) => boolean;
}

/** The name of the list of everything that is sent to an inbox. */
export function inboxList({ node }: Inbox): string {
  return `${node}/messages`;
}

/** How many messages of a conversation have details: its newest ones. */
const mostMessages = 20;

/** Looks up a message among the newest ones of the conversation, those with details. */
export function messageLookup(
  context: Context,
  inbox: Inbox,
  recipientId: string,
  { content, hidesContent, fields, fits }: MessageSign,
  request: Call,
): EffectLookup<SentMessage> {
  return {
    list: `${inboxList(inbox)} ${recipientId}`,
    // The recipient of a private reply is not known beforehand.
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
        const listed = threads.flatMap(({ messages }) => toEntries(fieldsOf(messages)['data']));
        const sent = listed.filter((entry) => isSentTo(recipientId, entry) && fits(entry));
        const entries = toRecentEntries(sent, 'created_time');
        const [{ id: threadId } = {}] = threads;
        if (listed.length < mostMessages) return okAsync({ entries });
        if (readPages === undefined) return okAsync({ entries, wholeSince: oldestOf(listed) });
        // The platform lists older ones too, but without details.
        const shown = new Set(listed.map(idIn));
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

/** When the oldest message of a list was sent. One without a time may be from any time. */
function oldestOf(listed: readonly ListEntry[]): number {
  return parseTime(listed.at(-1)?.['created_time']) || Infinity;
}

/** Whether a message went to the recipient. A conversation holds both sides' messages, which may be identical. */
function isSentTo(recipientId: string, { from, to }: ListEntry): boolean {
  const sender = idIn(from);
  return (
    sender !== '' && sender !== recipientId && toEntries(fieldsOf(to)['data']).map(idIn).includes(recipientId)
  );
}

function idIn(person: unknown): string {
  return textOf(fieldsOf(person)['id']);
}
