import { invalid } from '../errors.ts';
import { parseFields } from '../fields.ts';
import { oneOf } from '../page/values.ts';
import { link, list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { answer } from '../select.ts';
import { both, needs } from './access.ts';
import { detailed, messageShape, messagesOf } from './messageShape.ts';
import type { PicsConversationNode, PicsMessageNode } from './nodes.ts';

export const messageRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'GET',
    on: 'picsConversation',
    edge: 'messages',
    scopes: needs(['manage_messages']),
    params: ['source'],
    run: read,
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'picsMessage',
    scopes: needs(['manage_messages']),
    run: (call, message) => {
      const newest = messagesOf(call.world, message.conversationId).slice(0, detailed);
      return newest.includes(message) || !wantsDetails(call)
        ? answer(call, messageShape, message)
        : deleted();
    },
  }),
];

/** Ids and times of all messages can be walked; a walk that asks for more ends with an error behind the newest 20. */
function read(call: Call, conversation: PicsConversationNode): unknown {
  void oneOf(call.params, 'source', ['ALL', 'PARTICIPANTS']);
  const all = messagesOf(call.world, conversation.id);
  if (!wantsDetails(call) || all.length <= detailed) return list(call, messageShape, all);
  const newest = all.slice(0, detailed);
  if (after(call, all, newest)) return deleted();
  const page = list(call, messageShape, newest);
  if (page.paging?.['next'] !== undefined) return page;
  if (page.data.length === 0) return deleted();
  const cursors = page.paging?.['cursors'] as { readonly after: string };
  return { ...page, paging: { ...page.paging, next: link(call, { after: cursors.after }) } };
}

/** Whether the walk came past the newest ones: by a cursor that only the whole list knows. */
function after(call: Call, all: readonly PicsMessageNode[], newest: readonly PicsMessageNode[]): boolean {
  const cursor = call.params['after'];
  if (cursor === undefined || cursor === '') return false;
  const bare: Call = { ...call, params: { after: cursor, limit: '1', fields: 'id' } };
  const [next] = list(bare, messageShape, all).data as { readonly id: string }[];
  return next !== undefined && !newest.some((one) => one.id === next.id);
}

function wantsDetails(call: Call): boolean {
  const names = parseFields(call.params['fields'])?.map((field) => field.name) ?? [];
  return names.some((name) => name !== 'id' && name !== 'created_time');
}

function deleted(): never {
  return invalid('The message was deleted: only the 20 most recent messages of a conversation can be read');
}
