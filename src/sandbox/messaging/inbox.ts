import { livePlatform, pagePlatform } from '../../core/platform.ts';
import type { Node } from '../nodes.ts';
import * as route from '../route.ts';
import { type Access, type Call, type Method, on, type OpenCall, type Route, type Task } from '../route.ts';
import * as s from '../shapes.ts';
import { day } from '../tokens.ts';
import { invalid, isoTime, missing, oneOf, refuse } from '../values.ts';
import { find, listed, make, randomText, type World } from '../world.ts';

/** The permissions that the inbox of an account needs. */
export const ofPics = route.needs(['manage_messages'], ['pages_manage_metadata']);

/** The permissions that a Page's own inbox needs. */
export const ofMessenger: readonly string[] = ['pages_messaging', 'pages_read_engagement'];

/** Whether something is in the inbox of a Page, not of an account. */
export function isOfPage(world: World, { ownerId }: { readonly ownerId: string }): boolean {
  return find(world, 'page', ownerId) !== undefined;
}

/** The permissions for reading something in an inbox. */
function readingScopes(call: Call, of: { readonly ownerId: string }): readonly string[] {
  return isOfPage(call.world, of) ? ofMessenger : ofPics(call);
}

/** Both inboxes of a Page, its own and that of its account, need this task. */
export const messaging: readonly Task[] = ['MESSAGING'];

/** Reads something in an inbox, with the token of the account or the Page, not that of a person. */
const readingInbox: Access<{ readonly ownerId: string }> = {
  hosts: ['graph', 'picsGraph'],
  tokens: ['page', 'pics'],
  scopes: readingScopes,
  tasks: messaging,
};

/** The inbox of an account, in login mode. */
export const accountInbox: Access<unknown> = { hosts: ['picsGraph'], tokens: ['pics'], scopes: ofPics };

/** The inbox of a Page, or that of its account in page mode. */
const pageInbox: Access<unknown> = {
  hosts: ['graph'],
  tokens: ['page'],
  scopes: (call) => (namesAccount(call) ? ofPics(call) : ofMessenger),
  tasks: messaging,
};

/** The token of a Page, whose permissions depend on what is called. */
export const asPage: Access<unknown> = { hosts: ['graph'], tokens: ['page'], scopes: [] };

/** An endpoint of both inboxes: of a Page, or in page mode of its account, and of an account in login mode. */
export function ofBoth(
  method: Method,
  edge: string,
  run: (call: Call, ownerId: string) => unknown,
  params: string,
  paramsOfPage = '',
): Route[] {
  const ofPageToo = params + paramsOfPage;
  return [
    on(method, 'picsAccount', edge, accountInbox, (call, { id }) => run(call, id), params),
    on(method, 'page', edge, pageInbox, (call, page) => run(call, ownerOf(call, page)), ofPageToo),
  ];
}

/** The inbox that a call selects by its `platform`: that of the Page's account, or the Page's own. */
function ownerOf(call: Call, page: Node<'page'>): string {
  if (!namesAccount(call)) return page.id;
  return route.linkedTo(call.world, call.token, page.id) ?? invalid('The Page has no account');
}

function namesAccount(call: OpenCall): boolean {
  const platform =
    call.params['platform']?.toLowerCase() ?? (route.loginMode(call) ? undefined : pagePlatform);
  if (platform === undefined || platform === livePlatform.words.picsPlatform) return true;
  return platform !== pagePlatform && invalid(`Param platform has an unknown value: ${platform}`);
}

/** Adds a contact, who has a `username` for an account, and a `name` for a Page. */
export function addContact(
  world: World,
  ownerId: string,
  owners: readonly string[],
  wanted: Partial<Node<'contact'>>,
): Node<'contact'> {
  const { username } = wanted;
  const called = username ?? wanted.name?.split(' ')[0]?.toLowerCase();
  return make(world, 'contact', owners, {
    id: world.newId(find(world, 'page', ownerId) === undefined ? '68' : '24'),
    createdAt: world.now() - 90 * day,
    ownerId,
    personId: undefined,
    username: undefined,
    name: `${username} doe`,
    picture: `https://cdn.sandbox.test/people/${called}.jpg`,
    followers: 250,
    consent: true,
    gone: false,
    ...wanted,
  });
}

/** The conversation with a person; with `begin`, a new one if there is none. */
export function conversationWith(world: World, contactId: string, begin: true): Node<'conversation'>;
export function conversationWith(world: World, contactId: string): Node<'conversation'> | undefined;
export function conversationWith(
  world: World,
  contactId: string,
  begin?: true,
): Node<'conversation'> | undefined {
  const known = [...world.nodes.ofKind('conversation')].find((one) => one.contactId === contactId);
  if (known !== undefined || begin === undefined) return known;
  const contact = find(world, 'contact', contactId);
  if (contact === undefined) throw new Error(`the sandbox has no contact ${contactId}`);
  return beginConversation(world, contact.ownerId, contactId, contact.owners, world.now());
}

export function beginConversation(
  world: World,
  ownerId: string,
  contactId: string,
  owners: readonly string[],
  createdAt: number,
): Node<'conversation'> {
  const id = newId(world, ownerId, 't_');
  return make(world, 'conversation', owners, { id, createdAt, ownerId, contactId, seenAt: world.now() });
}

export function addMessage(
  world: World,
  conversation: Node<'conversation'>,
  inbound: boolean,
  text: string,
  extra: Readonly<Record<string, unknown>> = {},
  createdAt = world.now(),
): Node<'message'> {
  const { id: conversationId, ownerId, owners } = conversation;
  const id = newId(world, ownerId, 'm_');
  return make(world, 'message', owners, { id, createdAt, conversationId, inbound, text, extra });
}

/** Ids of the photo-sharing platform are long strings; those of Pages have a prefix. */
function newId(world: World, ownerId: string, prefix: string): string {
  return (find(world, 'page', ownerId) === undefined ? 'aWdf' : prefix) + randomText(world.random, 60);
}

export function unknownRecipient(isPage: boolean): never {
  return invalid('No matching user found', isPage ? 2_018_001 : 2_534_014);
}

/** Whether the account or the Page may write: for 24 hours after the contact's newest message, for 7 days as a human agent. */
export function isOpen(world: World, conversation: Node<'conversation'>, tag: string | undefined): boolean {
  return world.now() - lastInbound(world, conversation) <= (tag === 'HUMAN_AGENT' ? 7 * day : day);
}

/** When the person wrote last. */
export function lastInbound(world: World, conversation: Node<'conversation'>): number {
  const received = [...world.nodes.ofKind('message')].filter(
    (one) => one.conversationId === conversation.id && one.inbound,
  );
  return Math.max(...received.map(({ createdAt }) => createdAt));
}

/** How many messages of a conversation have details: the newest ones. */
const detailed = 20;

/** What a message may hold besides its text. */
const extras = ['attachments', 'is_unsupported', 'reactions', 'reply_to', 'shares', 'sticker', 'story'];

const messageShape: s.Shape<Node<'message'>> = {
  type: 'Message',
  defaults: ['created_time'],
  fields: {
    id: (message) => message.id,
    created_time: (message) => isoTime(message.createdAt),
    from: (message, call) => (message.inbound ? customer : business)(call, conversationOf(call, message)),
    message: (message) => message.text,
    tags: ({ inbound }) => ({ data: [{ name: inbound ? 'inbox' : 'sent' }] }),
    ...Object.fromEntries(extras.map((name) => [name, ({ extra }: Node<'message'>) => extra[name]])),
  },
  expand: {
    to: (call, message, selection) => {
      const conversation = conversationOf(call, message);
      return people([(message.inbound ? business : customer)(call, conversation)], selection);
    },
  },
};

function conversationOf(
  { world, method }: Pick<Call, 'world' | 'method'>,
  { conversationId }: Node<'message'>,
): Node<'conversation'> {
  return find(world, 'conversation', conversationId) ?? missing(conversationId, method);
}

/** Messages of a conversation, newest first. */
function messagesOf(world: World, conversationId: string): Node<'message'>[] {
  return listed(world, 'message', (one) => one.conversationId === conversationId);
}

interface Person {
  readonly username?: string | undefined;
  readonly name?: string | undefined;
  readonly id: string;
}

/** The account or the Page as a participant of a conversation. */
function business(call: Call, conversation: Node<'conversation'>): Person {
  const page = find(call.world, 'page', conversation.ownerId);
  if (page !== undefined) return { name: page.name, id: page.id };
  const account = find(call.world, 'picsAccount', conversation.ownerId);
  const scoped = route.loginMode(call) && call.world.tuning.pics.scopedParticipants;
  return { username: account?.username, id: scoped ? (account?.scopedId ?? '') : conversation.ownerId };
}

function customer(call: Call, conversation: Node<'conversation'>): Person {
  const contact = find(call.world, 'contact', conversation.contactId);
  const { contactId: id } = conversation;
  return contact?.username === undefined
    ? { name: contact?.name ?? undefined, id }
    : { username: contact.username, id };
}

/** People of a conversation, with the fields in braces: `participants{id}`. */
function people(all: readonly Person[], { fields }: s.Selection): { readonly data: readonly Person[] } {
  const wanted = fields?.map((field) => field.name);
  const named = wanted === undefined || wanted.includes('username') || wanted.includes('name');
  return { data: named ? all : all.map(({ id }) => ({ id })) };
}

function bothPeople(call: Call, conversation: Node<'conversation'>, selection: s.Selection): unknown {
  return people([business(call, conversation), customer(call, conversation)], selection);
}

const conversationShape: s.Shape<Node<'conversation'>> = {
  type: 'UnifiedThread',
  // Those of a group, and of a person who chose them.
  blank: 'linked_group name wallpaper',
  defaults: ['updated_time'],
  fields: {
    id: ({ id }) => id,
    updated_time: (conversation, { world }) => isoTime(updatedAt(world, conversation)),
    message_count: ({ id }, { world }) => messagesOf(world, id).length,
    unread_count: ({ id, seenAt }, { world }) =>
      messagesOf(world, id).filter((one) => one.inbound && one.createdAt > seenAt).length,
    snippet: ({ id }, { world }) => messagesOf(world, id)[0]?.text,
    can_reply: (conversation, { world }) => isOpen(world, conversation, undefined),
    ...s.always(true, 'is_owner is_subscribed'),
    folder: () => 'inbox',
    link: ({ id, ownerId }) => `/${ownerId}/inbox/${id}/`,
    scoped_thread_key: ({ id }) => id,
  },
  expand: {
    participants: bothPeople,
    senders: bothPeople,
    // Those who left: nobody does.
    former_participants: () => undefined,
    messages: s.listsWithin(messageShape, ({ world }, { id }) => messagesOf(world, id), { max: detailed }),
  },
};

function listConversations(call: Call, ownerId: string | undefined): unknown {
  const { world } = call;
  const userId = call.params['user_id'];
  const found = listed(
    world,
    'conversation',
    (one) => one.ownerId === ownerId && (userId === undefined || one.contactId === userId),
  );
  const newest = found.toSorted((a, b) => updatedAt(world, b) - updatedAt(world, a));
  return s.list(call, conversationShape, newest);
}

function updatedAt(world: World, conversation: Node<'conversation'>): number {
  return messagesOf(world, conversation.id)[0]?.createdAt ?? conversation.createdAt;
}

/** All messages can be listed with their ids and times. A list with further fields fails after the newest 20. */
function listMessages(call: Call, conversation: Node<'conversation'>): unknown {
  oneOf(call.params, 'source', ['ALL', 'PARTICIPANTS']);
  const all = messagesOf(call.world, conversation.id);
  if (!wantsDetails(call) || all.length <= detailed) return s.list(call, messageShape, all);
  const page = s.list(call, messageShape, all.slice(0, detailed));
  if (page.paging?.['next'] !== undefined) return page;
  if (page.data.length === 0) return deleted();
  const cursors = page.paging?.['cursors'] as { readonly after: string };
  return { ...page, paging: { ...page.paging, next: s.link(call, { after: cursors.after }) } };
}

function wantsDetails(call: Call): boolean {
  const names = s.parseFields(call.params['fields'])?.map((field) => field.name) ?? [];
  return names.some((name) => name !== 'id' && name !== 'created_time');
}

function deleted(): never {
  return invalid('The message was deleted: only the 20 most recent messages of a conversation can be read');
}

const picsShape: s.Shape<Node<'contact'>> = {
  type: 'IGBusinessScopedUser',
  defaults: ['name', 'username', 'profile_pic'],
  fields: {
    ...s.members<Node<'contact'>>('id', 'name', 'username'),
    ...s.always(false, 'is_business_follow_user is_verified_user'),
    profile_pic: ({ picture }) => picture,
    follower_count: ({ followers }) => followers,
    is_user_follow_business: ({ followers }) => followers > 100,
  },
};

const pageShape: s.Shape<Node<'contact'>> = {
  type: 'PageScopedUser',
  blank: 'gender locale timezone',
  defaults: ['first_name', 'last_name', 'profile_pic'],
  fields: {
    ...s.members<Node<'contact'>>('id', 'name'),
    first_name: ({ name }) => name?.split(' ')[0],
    last_name: ({ name }) => name?.split(' ').slice(1).join(' ') || undefined,
    profile_pic: ({ picture }) => picture,
  },
};

function details(call: Call, message: Node<'message'>): unknown {
  const newest = messagesOf(call.world, message.conversationId).slice(0, detailed);
  return newest.includes(message) || !wantsDetails(call)
    ? s.readNode(call, messageShape, message)
    : deleted();
}

/** The profile of a person who wrote to the account or the Page. An unknown id is refused like that of any other node. */
function profile(call: Call, contact: Node<'contact'>): unknown {
  if (contact.gone) return refuse(9010, '(#9010) No matching user found', { status: 400 });
  if (!contact.consent) return refuse(230, '(#230) User consent is required to access user profile');
  return s.readNode(call, isOfPage(call.world, contact) ? pageShape : picsShape, contact);
}

function ofAccount(call: Call, { id }: Node<'picsAccount'>): unknown {
  return listConversations(call, namesAccount(call) ? id : undefined);
}

function ofPage(call: Call, page: Node<'page'>): unknown {
  return listConversations(call, ownerOf(call, page));
}

const listParams = 'folder platform tags user_id';
const readingMessage: Access<Node<'message'>> = {
  ...readingInbox,
  scopes: (call, message) => readingScopes(call, conversationOf(call, message)),
  tasks: messaging,
};

export const inboxRoutes: readonly Route[] = [
  on('GET', 'picsAccount', 'conversations', accountInbox, ofAccount, listParams),
  on('GET', 'page', 'conversations', pageInbox, ofPage, listParams),
  on('GET', 'conversation', '', readingInbox, s.reads(conversationShape)),
  on('GET', 'conversation', 'messages', readingInbox, listMessages, 'source'),
  on('GET', 'message', '', readingMessage, details),
  on('GET', 'contact', '', readingInbox, profile),
];
