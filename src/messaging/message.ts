import { listOf, type ListEntry, textOf } from '../core/writes/recentEntries.ts';
import type { MessageContent } from './content.ts';
import type { MessageSign } from './messageLookup.ts';

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
 * What a message is known by: a text by its words, without the spaces at its ends, which the platform cuts; all else by
 * its kind.
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
    // No text begins with a line end: see above.
    content: `\n${fields} ${kinds?.join()}`,
    hidesContent: true,
    fields,
    fits: ({ [fields]: found }) => {
      const list = listOf(Object(found).data);
      return kinds ? list.map(kindOf).join() === kinds.join() : list.length > 0 || textOf(found) !== '';
    },
  };
}

/** The kind of an attachment as a conversation shows it. It tells audio from other files only at times. */
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
