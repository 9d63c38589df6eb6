import type { Selection } from '../fields.ts';
import { loginMode } from '../pics/access.ts';
import type { Call } from '../route.ts';
import { find } from '../world.ts';
import type { ConversationNode } from './nodes.ts';

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
