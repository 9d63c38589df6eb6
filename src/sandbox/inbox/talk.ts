import { randomText } from '../random.ts';
import { add, find, type World } from '../world.ts';
import type { ConversationNode, MessageNode } from './nodes.ts';

/** The conversation with a person; with `begin`, a new one where there is none. */
export function conversationOf(world: World, contactId: string, begin: true): ConversationNode;
export function conversationOf(world: World, contactId: string): ConversationNode | undefined;
export function conversationOf(world: World, contactId: string, begin?: true): ConversationNode | undefined {
  const known = [...world.nodes.values()].find(
    (node) => node.kind === 'conversation' && node.contactId === contactId,
  );
  if (known?.kind === 'conversation' || begin === undefined) return known as ConversationNode | undefined;
  const contact = find(world, 'contact', contactId);
  if (contact === undefined) throw new Error(`the sandbox has no contact ${contactId}`);
  return beginConversation(world, contact.ownerId, contactId, contact.owners, world.now());
}

export function beginConversation(
  world: World,
  ownerId: string,
  contactId: string,
  owners: readonly string[],
  createdAt: number,
): ConversationNode {
  return add(world, {
    kind: 'conversation',
    id: newId(world, ownerId, 't_'),
    owners,
    createdAt,
    ownerId,
    contactId,
    seenAt: world.now(),
  });
}

export function addMessage(
  world: World,
  conversation: ConversationNode,
  inbound: boolean,
  text: string,
  extra: Readonly<Record<string, unknown>> = {},
  createdAt = world.now(),
): MessageNode {
  return add(world, {
    kind: 'message',
    id: newId(world, conversation.ownerId, 'm_'),
    owners: conversation.owners,
    createdAt,
    conversationId: conversation.id,
    inbound,
    text,
    extra,
  });
}

/** Ids of the photo-sharing platform are long texts, those of Pages have a prefix. */
function newId(world: World, ownerId: string, prefix: string): string {
  return (find(world, 'page', ownerId) === undefined ? 'aWdf' : prefix) + randomText(world.random, 60);
}
