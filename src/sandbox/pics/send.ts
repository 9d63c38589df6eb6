import { invalid, refuse } from '../errors.ts';
import { oneOf } from '../page/values.ts';
import { randomText } from '../random.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { add, find, recordEffect } from '../world.ts';
import { loginOnly, needs, pageOnly } from './access.ts';
import { loginMessageParams, pageMessageParams } from './knownNames.ts';
import type { PicsConversationNode, PicsMessageNode } from './nodes.ts';
import { isOpen } from './window.ts';

const common = {
  method: 'POST',
  edge: 'messages',
  scopes: needs(['manage_messages']),
  required: ['recipient', 'message'],
} as const;

export const sendRoutes: readonly Route[] = [
  onNode({
    ...loginOnly,
    ...common,
    on: 'picsAccount',
    params: loginMessageParams,
    run: (call, account) => send(call, account.id),
  }),
  onNode({
    ...pageOnly,
    ...common,
    on: 'page',
    params: pageMessageParams,
    run: (call, page) => send(call, page.picsId),
  }),
];

function send(call: Call, accountId: string | undefined): unknown {
  const { world, params } = call;
  const recipientId = member(call, 'recipient', 'id');
  const text = member(call, 'message', 'text');
  const type = oneOf(params, 'messaging_type', ['MESSAGE_TAG', 'RESPONSE', 'UPDATE', 'UTILITY']);
  if (text === '') return invalid('Param message[text] must be a non-empty string');
  if (new TextEncoder().encode(text).length > 1000)
    return invalid('Length of param message[text] must be less than or equal to 1000');
  const contact = find(world, 'picsContact', recipientId);
  if (accountId === undefined || contact?.owners.includes(accountId) !== true || contact.gone) {
    return invalid('No matching user found', 2_534_014);
  }
  const conversation = [...world.nodes.values()]
    .filter((node): node is PicsConversationNode => node.kind === 'picsConversation')
    .find((node) => node.accountId === accountId && node.contactId === recipientId);
  const tag = type === 'MESSAGE_TAG' ? params['tag'] : undefined;
  if (conversation === undefined || !isOpen(world, conversation, tag)) {
    return refuse({
      code: 10,
      error_subcode: 2_534_022,
      message: '(#10) This message is sent outside of allowed window.',
    });
  }
  const made = add<PicsMessageNode>(world, {
    kind: 'picsMessage',
    id: messageId(call),
    owners: conversation.owners,
    createdAt: world.now(),
    conversationId: conversation.id,
    inbound: false,
    text,
    extra: {},
  });
  recordEffect(world, 'message', made.id, conversation.id, { recipientId, text });
  return { recipient_id: recipientId, message_id: made.id };
}

function messageId({ world }: Call): string {
  return `aWdf${randomText(world.random, 60)}`;
}

/** A text inside a parameter that is an object, such as `recipient` or `message`. */
function member({ params }: Call, name: string, key: string): string {
  const value = parsed(params[name] ?? '');
  const found = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const text = found.find(([one]) => one === key)?.[1] as unknown;
  return typeof text === 'string' ? text : invalid(`Param ${name}[${key}] must be a string`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return invalid('Param must be an object');
  }
}
