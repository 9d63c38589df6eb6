import type { ConversationNode, MessageNode } from '../inbox/nodes.ts';
import { isOfPage } from '../inbox/owner.ts';
import { digits } from '../json.ts';
import { find, type World } from '../world.ts';
import type { Happening } from './types.ts';

/** A person's message, or the echo of one that the account or the Page sent. */
export function announceMessage(world: World, on: MessageNode, more: object = {}): void {
  const conversation = find(world, 'conversation', on.conversationId);
  if (conversation === undefined) return;
  const app = isOfPage(world, conversation) ? world.app : world.picsApp;
  const echo = on.inbound ? {} : { is_echo: true, app_id: digits(app.id) };
  const { reply_to } = on.extra as { readonly reply_to?: { readonly mid: string } };
  announceInConversation(world, conversation, on.inbound ? 'messages' : 'message_echoes', on.createdAt, {
    message: {
      mid: on.id,
      text: on.text === '' ? undefined : on.text,
      attachments: attachmentsOf(on),
      reply_to: reply_to && { mid: reply_to.mid },
      ...more,
      ...echo,
    },
  });
}

export function announceInConversation(
  world: World,
  conversation: ConversationNode,
  field: Happening['field'],
  timestamp: number,
  contents: object,
): void {
  const owner = { id: conversation.ownerId };
  const contact = { id: conversation.contactId };
  const isEcho = field === 'message_echoes';
  world.happenings.push({
    object: isOfPage(world, conversation) ? 'page' : 'instagram',
    accountId: owner.id,
    field,
    isChange: false,
    item: {
      sender: isEcho ? owner : contact,
      recipient: isEcho ? contact : owner,
      timestamp,
      ...contents,
    },
  });
}

interface Shown {
  readonly image_data?: { readonly url: string };
  readonly video_data?: { readonly url: string };
  readonly file_url?: string;
  readonly mime_type?: string;
}

/** The attachments of a message as an event has them. */
function attachmentsOf({ extra }: MessageNode): readonly object[] | undefined {
  const { attachments, shares, sticker } = extra as {
    readonly attachments?: { readonly data: readonly Shown[] };
    readonly shares?: { readonly data: readonly { readonly link: string }[] };
    readonly sticker?: string;
  };
  const all = [
    ...(attachments?.data ?? []).map(({ image_data, video_data, file_url, mime_type }) => {
      if (image_data !== undefined) return { type: 'image', payload: { url: image_data.url } };
      if (video_data !== undefined) return { type: 'video', payload: { url: video_data.url } };
      if (file_url === undefined) return { type: 'template', payload: {} };
      return { type: mime_type?.startsWith('audio') ? 'audio' : 'file', payload: { url: file_url } };
    }),
    ...(shares?.data ?? []).map(({ link }) => ({ type: 'share', payload: { url: link } })),
    ...(sticker === undefined ? [] : [{ type: 'image', payload: { url: sticker } }]),
  ];
  return all.length === 0 ? undefined : all;
}
