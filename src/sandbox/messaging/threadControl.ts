import type { Node } from '../nodes.ts';
import { type Call, checkScopes, checkTasks, linkedTo, on, type Route } from '../route.ts';
import { day } from '../tokens.ts';
import { type Fields, invalid, objectIn, refuse, textIn } from '../values.ts';
import { find, succeed, type World } from '../world.ts';
import * as inbox from './inbox.ts';

/** The inboxes of the platform itself, the default apps of Pages and of accounts. */
export const defaultApps = { page: '263902037430900', account: '1217981644879628' };

/** The app that controls a conversation; its control ends a day after the person's last message. */
export function controllerOf(world: World, conversation: Node<'conversation'>): string | undefined {
  return inbox.isOpen(world, conversation, undefined) ? conversation.controller : undefined;
}

/** The app of the calls for an inbox. */
export function appOf(world: World, conversation: Node<'conversation'>): string {
  return (inbox.isOfPage(world, conversation) ? world.app : world.picsApp).id;
}

/** The conversation of a Page or of its account with the recipient, who decides which of the two it is. */
function threadOfPage(call: Call, page: Node<'page'>, recipientId: string): Node<'conversation'> {
  const isOwn = find(call.world, 'contact', recipientId)?.ownerId === page.id || recipientId.startsWith('24');
  checkScopes(call, isOwn ? inbox.ofMessenger : inbox.ofPics(call));
  checkTasks(call, inbox.messaging);
  return threadWith(call.world, isOwn ? page.id : linkedTo(call.world, call.token, page.id), recipientId);
}

function threadWith(world: World, ownerId: string | undefined, recipientId: string): Node<'conversation'> {
  const contact = find(world, 'contact', recipientId);
  if (ownerId === undefined || contact?.ownerId !== ownerId) {
    const isPage = ownerId !== undefined && find(world, 'page', ownerId) !== undefined;
    return inbox.unknownRecipient(isPage);
  }
  return inbox.conversationWith(world, contact.id) ?? invalid('There is no conversation with this person');
}

function recipientOf({ params }: Call): string {
  return textIn(objectIn(params, 'recipient'), 'id');
}

type Change = 'take' | 'pass' | 'request' | 'release';

function change(call: Call, conversation: Node<'conversation'>, how: Change): unknown {
  const { world, params } = call;
  const caller = appOf(world, conversation);
  const controller = controllerOf(world, conversation);
  const { routing } = world.tuning.threads;
  const content: Record<string, unknown> = { change: how };
  if (params['metadata'] !== undefined) content['metadata'] = params['metadata'];
  if (how === 'take') {
    const message = '(#27) Take thread control is not supported when Conversation Routing is not enabled.';
    if (!routing) return refuse(27, message, { status: 400 });
    conversation.controller = caller;
  } else if (how === 'pass') {
    if (controller !== undefined && controller !== caller)
      return invalid('The calling app is not the thread owner');
    const target =
      params['target_app_id'] ?? defaultApps[inbox.isOfPage(world, conversation) ? 'page' : 'account'];
    conversation.controller = target;
    content['targetAppId'] = target;
  } else if (how === 'release') {
    if (controller !== caller) return invalid('Only the current thread owner can release');
    conversation.controller = undefined;
  } else if (routing) {
    return invalid('Request thread control is not supported when Conversation Routing is enabled');
  }
  return succeed(world, 'thread_control', conversation.id, conversation.ownerId, content);
}

/** Names the app only to itself: the sandbox's app is not the default one. */
function threadOwner(call: Call, page: Node<'page'>): unknown {
  const { world, params } = call;
  const conversation = threadOfPage(call, page, params['recipient'] ?? '');
  const controller = controllerOf(world, conversation);
  if (controller === undefined) return { data: [] };
  const owner: Fields = {
    ...(controller === appOf(world, conversation) && { app_id: controller }),
    expiration: Math.floor((inbox.lastInbound(world, conversation) + day) / 1000),
  };
  return { data: [{ thread_owner: owner }] };
}

function ofPageInbox(how: Change, params = 'recipient! metadata'): Route {
  const run = (call: Call, page: Node<'page'>): unknown =>
    change(call, threadOfPage(call, page, recipientOf(call)), how);
  return on('POST', 'page', `${how}_thread_control`, inbox.asPage, run, params);
}

function ofAccountInbox(how: Change, params = 'recipient! metadata'): Route {
  const run = (call: Call, { id }: Node<'picsAccount'>): unknown =>
    change(call, threadWith(call.world, id, recipientOf(call)), how);
  return on('POST', 'picsAccount', `${how}_thread_control`, inbox.accountInbox, run, params);
}

const passParams = 'recipient! metadata target_app_id';

/** Which app controls a conversation. Accounts in login mode can only pass and release. */
export const threadControlRoutes: readonly Route[] = [
  on('GET', 'page', 'thread_owner', inbox.asPage, threadOwner, 'recipient!'),
  ofPageInbox('take'),
  ofPageInbox('pass', passParams),
  ofPageInbox('request'),
  ofPageInbox('release'),
  ofAccountInbox('pass', passParams),
  ofAccountInbox('release'),
];
