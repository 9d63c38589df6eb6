import { missing } from '../errors.ts';
import type { Selection } from '../fields.ts';
import { messageFields } from '../knownNames.ts';
import { isoTime } from '../page/values.ts';
import { loginMode } from '../pics/access.ts';
import type { Call } from '../route.ts';
import type { Shape } from '../select.ts';
import { find, listed, type World } from '../world.ts';
import type { ConversationNode, MessageNode } from './nodes.ts';

/** How many messages of a conversation have details: the newest ones. */
export const detailed = 20;

export const messageShape: Shape<MessageNode> = {
  type: 'Message',
  fields: messageFields,
  defaults: ['created_time'],
  read: (message, call) => {
    const conversation = conversationOf(call, message);
    return {
      ...message.extra,
      id: message.id,
      created_time: isoTime(message.createdAt),
      from: (message.inbound ? customer : business)(call, conversation),
      message: message.text,
    };
  },
  expand: {
    to: (call, message, selection) => {
      const conversation = conversationOf(call, message);
      return people([(message.inbound ? business : customer)(call, conversation)], selection);
    },
  },
};

export function conversationOf(
  { world, method }: Pick<Call, 'world' | 'method'>,
  { conversationId }: MessageNode,
): ConversationNode {
  return find(world, 'conversation', conversationId) ?? missing(conversationId, method);
}

/** Messages of a conversation, newest first. */
export function messagesOf(world: World, conversationId: string): MessageNode[] {
  return listed(world, 'message', (one) => one.conversationId === conversationId);
}

interface Person {
  readonly username?: string | undefined;
  readonly name?: string | undefined;
  readonly id: string;
}

/** The account or the Page as a participant of a conversation. */
export function business(call: Call, conversation: ConversationNode): Person {
  const page = find(call.world, 'page', conversation.ownerId);
  if (page !== undefined) return { name: page.name, id: page.id };
  const account = find(call.world, 'picsAccount', conversation.ownerId);
  const scoped = loginMode(call) && call.world.tuning.pics.scopedParticipants;
  return {
    username: account?.username,
    id: scoped ? (account?.scopedId ?? '') : conversation.ownerId,
  };
}

export function customer(call: Call, conversation: ConversationNode): Person {
  const contact = find(call.world, 'contact', conversation.contactId);
  const { contactId: id } = conversation;
  return contact?.username === undefined
    ? { name: contact?.name ?? undefined, id }
    : { username: contact.username, id };
}

/** People of a conversation, with the fields in braces: `participants{id}`. */
export function people(
  all: readonly Person[],
  { fields }: Selection,
): { readonly data: readonly Partial<Person>[] } {
  const wanted = fields?.map((field) => field.name);
  const named = wanted === undefined || wanted.includes('username') || wanted.includes('name');
  return { data: named ? all : all.map(({ id }) => ({ id })) };
}
