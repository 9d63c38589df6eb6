import { invalid } from '../errors.ts';
import { parseFields } from '../fields.ts';
import { oneOf } from '../page/values.ts';
import { link, list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode } from '../select.ts';
import { conversationOf, detailed, messageShape, messagesOf } from './messageShape.ts';
import type { ConversationNode } from './nodes.ts';
import { both, readingScopes, readingTasks } from './owner.ts';

export const messageRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'GET',
    on: 'conversation',
    edge: 'messages',
    scopes: readingScopes,
    tasks: readingTasks,
    params: ['source'],
    run: read,
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'message',
    scopes: (call, message) => readingScopes(call, conversationOf(call, message)),
    tasks: (call, message) => readingTasks(call, conversationOf(call, message)),
    run: (call, message) => {
      const newest = messagesOf(call.world, message.conversationId).slice(0, detailed);
      return newest.includes(message) || !wantsDetails(call)
        ? readNode(call, messageShape, message)
        : deleted();
    },
  }),
];

/** All messages can be listed with their ids and times. A list with further fields fails after the newest 20. */
function read(call: Call, conversation: ConversationNode): unknown {
  oneOf(call.params, 'source', ['ALL', 'PARTICIPANTS']);
  const all = messagesOf(call.world, conversation.id);
  if (!wantsDetails(call) || all.length <= detailed) return list(call, messageShape, all);
  const page = list(call, messageShape, all.slice(0, detailed));
  if (page.paging?.['next'] !== undefined) return page;
  if (page.data.length === 0) return deleted();
  const cursors = page.paging?.['cursors'] as { readonly after: string };
  return { ...page, paging: { ...page.paging, next: link(call, { after: cursors.after }) } };
}

function wantsDetails(call: Call): boolean {
  const names = parseFields(call.params['fields'])?.map((field) => field.name) ?? [];
  return names.some((name) => name !== 'id' && name !== 'created_time');
}

function deleted(): never {
  return invalid('The message was deleted: only the 20 most recent messages of a conversation can be read');
}
