import type { Selection } from '../fields.ts';
import type { Call } from '../route.ts';
import { find } from '../world.ts';
import { loginMode } from './access.ts';
import type { PicsConversationNode } from './nodes.ts';

interface Person {
  readonly username: string | undefined;
  readonly id: string;
}

/** The account as a participant of a conversation. */
export function business(call: Call, conversation: PicsConversationNode): Person {
  const account = find(call.world, 'picsAccount', conversation.accountId);
  const scoped = loginMode(call) && call.world.tuning.pics.scopedParticipants;
  return {
    username: account?.username,
    id: scoped ? (account?.scopedId ?? '') : conversation.accountId,
  };
}

export function customer(call: Call, conversation: PicsConversationNode): Person {
  const contact = find(call.world, 'picsContact', conversation.contactId);
  return { username: contact?.username, id: conversation.contactId };
}

/** People of a conversation, with the fields in braces: `participants{id}`. */
export function people(
  all: readonly Person[],
  { fields }: Selection,
): { readonly data: readonly Partial<Person>[] } {
  const wanted = fields?.map((field) => field.name);
  const named = wanted === undefined || wanted.includes('username');
  return { data: named ? all : all.map(({ id }) => ({ id })) };
}
