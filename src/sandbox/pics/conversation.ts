import { livePlatform } from '../../core/platform.ts';
import { invalid } from '../errors.ts';
import { isoTime } from '../page/values.ts';
import { list, nested } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode, type Shape } from '../select.ts';
import { listed, type World } from '../world.ts';
import { both, loginOnly, needs, pageOnly } from './access.ts';
import { conversationFields } from './knownNames.ts';
import { detailed, messageShape, messagesOf } from './messageShape.ts';
import type { PicsConversationNode } from './nodes.ts';
import { business, customer, people } from './people.ts';
import { isOpen } from './window.ts';

const conversationShape: Shape<PicsConversationNode> = {
  type: 'UnifiedThread',
  fields: conversationFields,
  defaults: ['updated_time'],
  read: (conversation, { world }) => {
    const messages = messagesOf(world, conversation.id);
    return {
      id: conversation.id,
      updated_time: isoTime(updatedAt(world, conversation)),
      message_count: messages.length,
      unread_count: 0,
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
    scopes: needs(['manage_messages']),
    params,
    run: (call, account) => {
      isOurs(call.params['platform']);
      return read(call, account.id);
    },
  }),
  onNode({
    ...pageOnly,
    method: 'GET',
    on: 'page',
    edge: 'conversations',
    scopes: needs(['manage_messages']),
    params,
    // Without `platform` these are the conversations of the Page itself: the sandbox has none.
    run: (call, page) => read(call, isOurs(call.params['platform']) ? page.picsId : undefined),
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'picsConversation',
    scopes: needs(['manage_messages']),
    run: (call, conversation) => readNode(call, conversationShape, conversation),
  }),
];

function read(call: Call, accountId: string | undefined): unknown {
  const { world } = call;
  const userId = call.params['user_id'];
  const found = listed(
    world,
    'picsConversation',
    (one) => one.accountId === accountId && (userId === undefined || one.contactId === userId),
  );
  const newest = found.toSorted((a, b) => updatedAt(world, b) - updatedAt(world, a));
  return list(call, conversationShape, newest);
}

function isOurs(platform: string | undefined): boolean {
  if (platform === undefined) return false;
  if (platform.toLowerCase() === livePlatform.words.picsPlatform) return true;
  return invalid(`Param platform has an unknown value: ${platform}`);
}

function updatedAt(world: World, conversation: PicsConversationNode): number {
  return messagesOf(world, conversation.id)[0]?.createdAt ?? conversation.createdAt;
}
