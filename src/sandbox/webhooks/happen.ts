import { setReaction } from '../inbox/action.ts';
import { shown } from '../inbox/content.ts';
import type { ContactNode, ConversationNode, MessageNode } from '../inbox/nodes.ts';
import { isOfPage } from '../inbox/owner.ts';
import { addMessage, conversationOf } from '../inbox/talk.ts';
import { add, find, type NodeKind, type NodeMap, type World } from '../world.ts';
import { announceComment, announceLead, announcePicsComment, announcePost } from './announce.ts';
import { announceInConversation, announceMessage } from './announceMessage.ts';
import type { ReceivedMessage, SandboxAct } from './types.ts';

/** Lets a person act, and returns the id of the result. Throws if the target does not exist. */
export function happen(world: World, act: SandboxAct): string {
  switch (act.kind) {
    case 'post':
      return post(world, act);
    case 'comment':
      return comment(world, act);
    case 'lead':
      return lead(world, act);
    case 'message':
      return receiveMessage(world, act);
    case 'postback':
      return tap(world, act);
    case 'reaction':
      return react(world, act);
    case 'read':
      return read(world, act);
  }
}

type Act<TKind extends SandboxAct['kind']> = Extract<SandboxAct, { readonly kind: TKind }>;

function post(world: World, act: Act<'post'>): string {
  const page = demand(world, 'page', act.pageId);
  const made = add(world, {
    kind: 'post',
    id: `${page.id}_${world.newId()}`,
    owners: [page.id],
    createdAt: world.now(),
    pageId: page.id,
    message: act.message,
    link: undefined,
    published: true,
    from: { id: world.newId(), name: act.by ?? 'Wim Prins' },
    clicks: 0,
  });
  announcePost(world, made);
  return made.id;
}

function comment(world: World, { on, message, by }: Act<'comment'>): string {
  const picsParent = find(world, 'picsComment', on);
  const media = find(world, 'picsMedia', picsParent?.mediaId ?? on);
  if (media !== undefined) {
    const made = add(world, {
      kind: 'picsComment',
      id: world.newId('181'),
      owners: media.owners,
      createdAt: world.now(),
      accountId: media.accountId,
      mediaId: media.id,
      parentId: picsParent?.parentId ?? picsParent?.id,
      from: { id: world.newId('68'), username: by ?? 'wim' },
      text: message,
      likes: 0,
      hidden: false,
    });
    announcePicsComment(world, made);
    return made.id;
  }
  const parent = find(world, 'comment', on);
  const { id: postId, pageId } = demand(world, 'post', parent?.postId ?? on);
  const made = add(world, {
    kind: 'comment',
    id: `${postId.split('_')[1]}_${world.newId()}`,
    owners: [pageId],
    createdAt: world.now(),
    pageId,
    postId,
    parentId: parent?.parentId ?? parent?.id,
    from: { id: world.newId(), name: by ?? 'Wim Prins' },
    message,
    hidden: false,
  });
  announceComment(world, made);
  return made.id;
}

function lead(world: World, { formId, answers }: Act<'lead'>): string {
  const form = demand(world, 'form', formId);
  const given = answers ?? { full_name: 'Wim Prins', email: 'wim@sandbox.test' };
  const { id } = add(world, {
    kind: 'lead',
    id: world.newId(),
    owners: form.owners,
    createdAt: world.now(),
    formId,
    fieldData: Object.entries(given).map(([name, value]) => ({ name, values: [value] })),
    ad: {},
  });
  announceLead(world, id);
  return id;
}

/** Lets a person write, and returns the id of the message. */
export function receiveMessage(
  world: World,
  { contactId, text = '', attachments = [], quickReply, replyTo }: ReceivedMessage,
): string {
  demand(world, 'contact', contactId);
  const conversation = conversationOf(world, contactId, true);
  const on = replyTo === undefined ? undefined : demand(world, 'message', replyTo);
  const files = attachments.map(({ type, url }) => shown(world.newId(), type, url));
  const made = addMessage(world, conversation, true, text, {
    ...(files.length > 0 && { attachments: { data: files } }),
    ...(on && { reply_to: { mid: on.id, is_self_reply: on.inbound } }),
  });
  announceMessage(world, made, quickReply === undefined ? {} : { quick_reply: { payload: quickReply } });
  return made.id;
}

/** A tap writes the title of the button into the conversation, which opens the window like any message. */
function tap(world: World, { contactId, payload, title = payload }: Act<'postback'>): string {
  demand(world, 'contact', contactId);
  const conversation = conversationOf(world, contactId, true);
  const { id: mid, createdAt } = addMessage(world, conversation, true, title);
  announceInConversation(world, conversation, 'messaging_postbacks', createdAt, {
    postback: { mid, title, payload },
  });
  return mid;
}

function react(world: World, { messageId, undo = false }: Act<'reaction'>): string {
  const { on, conversation, contact } = place(world, messageId);
  const person = { id: contact.id, username: contact.username };
  setReaction(on, person, undo ? undefined : 'love');
  const reaction = undo ? { action: 'unreact' } : { action: 'react', reaction: 'love', emoji: '\u{2764}' };
  announceInConversation(world, conversation, 'message_reactions', world.now(), {
    reaction: { mid: on.id, ...reaction },
  });
  return on.id;
}

/** A Page is told until when its messages were read, an account up to which message. */
function read(world: World, { messageId }: Act<'read'>): string {
  const { on, conversation } = place(world, messageId);
  announceInConversation(world, conversation, 'message_reads', world.now(), {
    read: isOfPage(world, conversation) ? { watermark: on.createdAt } : { mid: on.id },
  });
  return on.id;
}

function place(
  world: World,
  messageId: string,
): { readonly on: MessageNode; readonly conversation: ConversationNode; readonly contact: ContactNode } {
  const on = demand(world, 'message', messageId);
  const conversation = demand(world, 'conversation', on.conversationId);
  return { on, conversation, contact: demand(world, 'contact', conversation.contactId) };
}

function demand<K extends NodeKind>(world: World, kind: K, id: string): NodeMap[K] {
  const node = find(world, kind, id);
  if (node === undefined) throw new Error(`the sandbox has no ${kind} ${id}`);
  return node;
}
