import { missing } from '../errors.ts';
import { isoTime } from '../page/values.ts';
import type { Call } from '../route.ts';
import type { Shape } from '../select.ts';
import { find, listed, type World } from '../world.ts';
import { messageFields } from './knownNames.ts';
import type { ConversationNode, MessageNode } from './nodes.ts';
import { business, customer, people } from './people.ts';

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
