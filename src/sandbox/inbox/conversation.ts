import { invalid } from '../errors.ts';
import { conversationFields } from '../knownNames.ts';
import { isoTime } from '../page/values.ts';
import { list, nested } from '../paging.ts';
import { loginOnly } from '../pics/access.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode, type Shape } from '../select.ts';
import { listed, type World } from '../world.ts';
import { detailed, messageShape, messagesOf, business, customer, people } from './messageShape.ts';
import type { ConversationNode } from './nodes.ts';
import {
  both,
  inboxScopes,
  inboxTasks,
  namesAccount,
  ofPics,
  ownerOf,
  pageOnly,
  readingScopes,
  readingTasks,
} from './owner.ts';
import { isOpen } from './talk.ts';

const conversationShape: Shape<ConversationNode> = {
  type: 'UnifiedThread',
  fields: conversationFields,
  defaults: ['updated_time'],
  read: (conversation, { world }) => {
    const messages = messagesOf(world, conversation.id);
    return {
      id: conversation.id,
      updated_time: isoTime(updatedAt(world, conversation)),
      message_count: messages.length,
      unread_count: messages.filter((one) => one.inbound && one.createdAt > conversation.seenAt).length,
      snippet: messages[0]?.text,
      can_reply: isOpen(world, conversation, undefined),
      folder: 'inbox',
      is_owner: true,
      is_subscribed: true,
    };
  },
  expand: {
    participants: (call, conversation, selection) =>
      people([business(call, conversation), customer(call, conversation)], selection),
    senders: (call, conversation, selection) =>
      people([business(call, conversation), customer(call, conversation)], selection),
    former_participants: () => ({ data: [] }),
    messages: (call, conversation, selection) => {
      const newest = messagesOf(call.world, conversation.id).slice(0, detailed);
      return nested(call, messageShape, newest, selection, `/${conversation.id}/messages`);
    },
  },
};

const params = ['folder', 'platform', 'tags', 'user_id'];

export const conversationRoutes: readonly Route[] = [
  onNode({
    ...loginOnly,
    method: 'GET',
    on: 'picsAccount',
    edge: 'conversations',
    scopes: ofPics,
    params,
    run: (call, account) => read(call, namesAccount(call) ? account.id : undefined),
  }),
  onNode({
    ...pageOnly,
    method: 'GET',
    on: 'page',
    edge: 'conversations',
    scopes: inboxScopes,
    tasks: inboxTasks,
    params,
    run: (call, page) => read(call, ownerOf(call, page) ?? invalid('The Page has no account')),
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'conversation',
    scopes: readingScopes,
    tasks: readingTasks,
    run: (call, conversation) => readNode(call, conversationShape, conversation),
  }),
];

function read(call: Call, ownerId: string | undefined): unknown {
  const { world } = call;
  const userId = call.params['user_id'];
  const found = listed(
    world,
    'conversation',
    (one) => one.ownerId === ownerId && (userId === undefined || one.contactId === userId),
  );
  const newest = found.toSorted((a, b) => updatedAt(world, b) - updatedAt(world, a));
  return list(call, conversationShape, newest);
}

function updatedAt(world: World, conversation: ConversationNode): number {
  return messagesOf(world, conversation.id)[0]?.createdAt ?? conversation.createdAt;
}
