import { invalid } from '../errors.ts';
import type { Call } from '../route.ts';
import { find, recordEffect } from '../world.ts';
import type { ContactNode, ConversationNode, MessageNode } from './nodes.ts';
import { objectIn, textIn } from './values.ts';

const actions = ['TYPING_ON', 'TYPING_OFF', 'MARK_SEEN', 'REACT', 'UNREACT'];

/** Shows that the account or the Page is typing, or has seen the messages; or reacts to a message. */
export function act(call: Call, contact: ContactNode, conversation: ConversationNode | undefined): unknown {
  const { world, params } = call;
  const action = params['sender_action']?.toUpperCase() ?? '';
  if (!actions.includes(action)) return invalid(`Param sender_action must be one of {${actions.join(', ')}}`);
  if (params['message'] !== undefined) return invalid('A sender_action comes alone');
  if (conversation === undefined) return invalid('There is no conversation with this person');
  if (action.endsWith('REACT')) {
    const on = reactedTo(call, conversation);
    react(call, conversation, on, action === 'REACT');
  } else {
    if (params['payload'] !== undefined) return invalid('A sender_action comes alone');
    if (action === 'MARK_SEEN') conversation.seenAt = world.now();
    const content = { recipientId: contact.id, action: action.toLowerCase() };
    recordEffect(world, 'sender_action', conversation.id, conversation.id, content);
  }
  return { recipient_id: contact.id };
}

function reactedTo({ world, params }: Call, conversation: ConversationNode): MessageNode {
  const on = find(world, 'message', textIn(objectIn(params, 'payload'), 'message_id'));
  return on?.conversationId === conversation.id ? on : invalid('The message to react to does not exist');
}

function react({ world, params }: Call, { ownerId }: ConversationNode, on: MessageNode, adds: boolean): void {
  const reaction = adds ? textIn(objectIn(params, 'payload'), 'reaction') : undefined;
  setReaction(on, { id: ownerId }, reaction);
  recordEffect(world, 'reaction', on.id, on.conversationId, { reaction: reaction ?? null });
}

interface Reaction {
  readonly reaction: string;
  readonly users: readonly { readonly id: string }[];
}

/** Sets a person's reaction to a message, replacing an earlier one. */
export function setReaction(
  on: MessageNode,
  person: { readonly id: string; readonly username?: string | undefined },
  reaction: string | undefined,
): void {
  const { data = [] } = (on.extra['reactions'] ?? {}) as { readonly data?: readonly Reaction[] };
  const others = data
    .map((one) => ({ ...one, users: one.users.filter(({ id }) => id !== person.id) }))
    .filter(({ users }) => users.length > 0);
  const all = reaction === undefined ? others : [...others, { reaction, users: [person] }];
  const { reactions: _, ...rest } = on.extra;
  on.extra = all.length === 0 ? rest : { ...rest, reactions: { data: all } };
}
