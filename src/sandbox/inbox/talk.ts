import { day } from '../auth/tokens.ts';
import { randomText } from '../random.ts';
import { add, find, type World } from '../world.ts';
import type { ConversationNode, MessageNode, ContactNode } from './nodes.ts';

/** Adds a contact, who has a `username` for an account, and a `name` for a Page. */
export function addContact(
  world: World,
  ownerId: string,
  owners: readonly string[],
  wanted: Partial<ContactNode>,
): ContactNode {
  const { username } = wanted;
  const called = username ?? wanted.name?.split(' ')[0]?.toLowerCase();
  return add(world, {
    kind: 'contact',
    id: world.newId(find(world, 'page', ownerId) === undefined ? '68' : '24'),
    owners,
    createdAt: world.now() - 90 * day,
    ownerId,
    personId: undefined,
    username: undefined,
    name: `${username} doe`,
    picture: `https://cdn.sandbox.test/people/${called}.jpg`,
    followers: 250,
    consent: true,
    gone: false,
    ...wanted,
  });
}

/** The conversation with a person; with `begin`, a new one if there is none. */
export function conversationWith(world: World, contactId: string, begin: true): ConversationNode;
export function conversationWith(world: World, contactId: string): ConversationNode | undefined;
export function conversationWith(
  world: World,
  contactId: string,
  begin?: true,
): ConversationNode | undefined {
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

/** Ids of the photo-sharing platform are long strings; those of Pages have a prefix. */
function newId(world: World, ownerId: string, prefix: string): string {
  return (find(world, 'page', ownerId) === undefined ? 'aWdf' : prefix) + randomText(world.random, 60);
}

/** Whether the account or the Page may write: for 24 hours after the contact's newest message, for 7 days as a human agent. */
export function isOpen(world: World, conversation: ConversationNode, tag: string | undefined): boolean {
  const times = [...world.nodes.values()]
    .filter((node) => node.kind === 'message')
    .filter((node) => node.conversationId === conversation.id && node.inbound)
    .map((node) => node.createdAt);
  return world.now() - Math.max(...times) <= (tag === 'HUMAN_AGENT' ? 7 * day : day);
}
