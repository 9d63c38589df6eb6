import { setReaction } from '../inbox/action.ts';
import { shown } from '../inbox/content.ts';
import type { ContactNode, ConversationNode, MessageNode } from '../inbox/nodes.ts';
import { isOfPage } from '../inbox/owner.ts';
import { addContact, addMessage, conversationWith } from '../inbox/talk.ts';
import { demand, makeComment, makeImage, makeLead, makePost } from '../make.ts';
import { find, type World } from '../world.ts';
import {
  announceComment,
  announceLead,
  announceMentions,
  announcePicsComment,
  announcePost,
  announceInConversation,
  announceMessage,
} from './announce.ts';
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
    case 'collaboration':
      return collaborate(world, act);
    case 'media':
      return media(world, act);
  }
}

type Act<TKind extends SandboxAct['kind']> = Extract<SandboxAct, { readonly kind: TKind }>;

/** Of a post elsewhere that tags a Page, the platform's documents promise no event. */
function post(world: World, { by = 'Wim Prins', ...act }: Act<'post'>): string {
  const made = makePost(world, { ...act, by });
  if (act.tagged !== true) announcePost(world, made);
  return made.id;
}

function comment(world: World, { on, message, by }: Act<'comment'>): string {
  const made = makeComment(world, on, message, by);
  if (made.kind === 'picsComment') announcePicsComment(world, made);
  else announceComment(world, made);
  return made.id;
}

function media(world: World, act: Act<'media'>): string {
  const made = makeImage(world, act);
  announceMentions(world, made.caption, made);
  return made.id;
}

function lead(world: World, { formId, answers }: Act<'lead'>): string {
  const { id } = makeLead(world, formId, answers);
  announceLead(world, id);
  return id;
}

/** Lets a person write, and returns the id of the message. */
export function receiveMessage(
  world: World,
  { text = '', attachments = [], quickReply, replyTo, ...person }: ReceivedMessage,
): string {
  const { id } =
    'contactId' in person ? demand(world, 'contact', person.contactId) : newContact(world, person);
  const conversation = conversationWith(world, id, true);
  const on = replyTo === undefined ? undefined : demand(world, 'message', replyTo);
  const files = attachments.map(({ type, url }) => shown(world.newId(), type, url));
  const made = addMessage(world, conversation, true, text, {
    ...(files.length > 0 && { attachments: { data: files } }),
    ...(on && { reply_to: { mid: on.id, is_self_reply: on.inbound } }),
  });
  announceMessage(world, made, quickReply === undefined ? {} : { quick_reply: { payload: quickReply } });
  return made.id;
}

function newContact(world: World, { to, by }: { readonly to: string; readonly by?: string }): ContactNode {
  const account = find(world, 'picsAccount', to);
  if (account !== undefined) {
    return addContact(world, account.id, account.owners, { username: by ?? 'wim' });
  }
  const page = demand(world, 'page', to);
  return addContact(world, page.id, [page.id], { name: by ?? 'Wim Prins' });
}

/** A tap adds the button's title to the conversation, and opens the window like any message. */
function tap(world: World, { contactId, payload, title = payload }: Act<'postback'>): string {
  demand(world, 'contact', contactId);
  const conversation = conversationWith(world, contactId, true);
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

/** A Page learns up to which time its messages were read, an account up to which message. */
function read(world: World, { messageId }: Act<'read'>): string {
  const { on, conversation } = place(world, messageId);
  announceInConversation(world, conversation, 'message_reads', world.now(), {
    read: isOfPage(world, conversation) ? { watermark: on.createdAt } : { mid: on.id },
  });
  return on.id;
}

function collaborate(world: World, { on, by, accept }: Act<'collaboration'>): string {
  const media = find(world, 'picsMedia', on);
  const invited =
    media === undefined
      ? demand(world, 'video', on).collaborators?.get(by)
      : media.collaborators?.find(({ username }) => username === by);
  if (invited === undefined) throw new Error(`nobody invited ${by} to ${on}`);
  invited.status = accept ? 'Accepted' : 'Declined';
  return on;
}

function place(
  world: World,
  messageId: string,
): { readonly on: MessageNode; readonly conversation: ConversationNode; readonly contact: ContactNode } {
  const on = demand(world, 'message', messageId);
  const conversation = demand(world, 'conversation', on.conversationId);
  return { on, conversation, contact: demand(world, 'contact', conversation.contactId) };
}
