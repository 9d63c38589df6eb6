import type { Node } from '../nodes.ts';
import * as route from '../route.ts';
import { type Call, on, type Route } from '../route.ts';
import { day } from '../tokens.ts';
import * as v from '../values.ts';
import { find, make, recordEffect, type World } from '../world.ts';
import * as inbox from './inbox.ts';
import { checkPersona, filledTemplate } from './messageTemplates.ts';
import { appOf, controllerOf } from './threadControl.ts';

/** A message as the conversation keeps it. */
interface Content {
  readonly text: string;
  readonly extra: v.Fields;
  readonly quickReplies?: unknown;
  /** What the app gets back in the echo. */
  readonly metadata?: string | undefined;
}

/** The sender of a message. */
interface Sender {
  readonly world: World;
  /** The account or the Page. */
  readonly ownerId: string;
  readonly isPage: boolean;
}

const kinds = ['text', 'attachment', 'attachments', 'template'];
const attachmentTypes: readonly string[] = ['image', 'video', 'audio', 'file'];

/** Reads the `message` of a request, or refuses it. */
function contentOf(sender: Sender, message: v.Fields): Content {
  const given = kinds.filter((kind) => message[kind] !== undefined);
  if (given.length !== 1) return v.invalid(`Param message needs one of ${kinds.join(', ')}`);
  if (message['quick_replies'] !== undefined) checkQuickReplies(message);
  if (message['text'] !== undefined)
    return { text: readText(sender, message['text']), extra: {}, quickReplies: message['quick_replies'] };
  if (message['attachments'] !== undefined) {
    return withFiles(v.listIn(message, 'attachments', 1, 10).map((one) => readFile(sender, one, ['image'])));
  }
  if (message['template'] !== undefined)
    return readTemplate(sender, v.objectOf(message['template'], 'template'));
  return readAttachment(sender, v.objectOf(message['attachment'], 'message[attachment]'));
}

function readText({ isPage }: Sender, text: unknown): string {
  if (typeof text !== 'string') return v.invalid('Param message[text] must be a string');
  if (text === '') return v.invalid('Param message[text] must be a non-empty string');
  const most = isPage ? 2000 : 1000;
  const { length } = isPage ? Array.from(text) : new TextEncoder().encode(text);
  if (length <= most) return text;
  return v.invalid(`Length of param message[text] must be less than or equal to ${most}`);
}

/** A message by a template of the Page: a text, or with buttons a template. */
function readTemplate({ world, ownerId, isPage }: Sender, template: v.Fields): Content {
  if (!isPage) return v.invalid('Only Pages have message templates');
  const { text, hasButtons } = filledTemplate(world, ownerId, template);
  if (!hasButtons) return { text, extra: {} };
  return withFiles([{ id: world.newId(), generic_template: { title: text } }]);
}

function withFiles(data: readonly object[]): Content {
  return { text: '', extra: { attachments: { data } } };
}

function checkQuickReplies(message: v.Fields): void {
  if (message['text'] === undefined) v.invalid('Quick replies need a text');
  for (const reply of v.listIn(message, 'quick_replies', 1, 13)) {
    if (v.textIn(reply, 'content_type') !== 'text') v.invalid('Param content_type must be text');
    v.textIn(reply, 'title');
    if (v.textIn(reply, 'payload').length > 1000) v.invalid('Param payload is too long');
  }
}

function readAttachment(sender: Sender, attachment: v.Fields): Content {
  const { world, ownerId, isPage } = sender;
  const type = v.textIn(attachment, 'type');
  if (type === 'template') {
    const template = checkTemplate(v.objectOf(attachment['payload'], 'payload'), isPage);
    return withFiles([{ id: world.newId(), ...template }]);
  }
  if (type === 'like_heart' && !isPage) {
    return { text: '', extra: { sticker: 'https://cdn.sandbox.test/stickers/heart.png' } };
  }
  if (type === 'MEDIA_SHARE' && !isPage) {
    const id = v.textIn(v.objectOf(attachment['payload'], 'payload'), 'id');
    const media = find(world, 'picsMedia', id);
    if (media?.accountId !== ownerId) return v.invalid('The media is not one of the account');
    return { text: '', extra: { shares: { data: [{ id, link: media.url }] } } };
  }
  return withFiles([readFile(sender, attachment, attachmentTypes)]);
}

/** A file as the conversation shows it, from its address or its id. */
function readFile({ world, ownerId }: Sender, attachment: v.Fields, types: readonly string[]): object {
  const type = typeOf(attachment, types);
  const payload = v.objectOf(attachment['payload'], 'payload');
  const id = payload['attachment_id'];
  if (id === undefined) return shown(world.newId(), type, v.fileIn(payload, 'url'));
  const uploaded = find(world, 'attachment', v.textIn(payload, 'attachment_id'));
  const isUsable =
    uploaded?.ownerId === ownerId && uploaded.type === type && world.now() - uploaded.createdAt <= 90 * day;
  return isUsable
    ? shown(uploaded.id, type, uploaded.url)
    : v.invalid('Invalid attachment_id: it does not exist or has expired');
}

function typeOf(attachment: v.Fields, types: readonly string[]): string {
  const type = v.textIn(attachment, 'type');
  return types.includes(type) ? type : v.invalid(`Param type must be one of {${types.join(', ')}}`);
}

/** A file as the conversation shows it. */
export function shown(id: string, type: string, url: string): object {
  const size = { width: 800, height: 600 };
  const named = { id, name: `${type}-${id}` };
  if (type === 'image') return { ...named, mime_type: 'image/jpeg', image_data: { url, ...size } };
  if (type === 'video') return { ...named, mime_type: 'video/mp4', video_data: { url, ...size } };
  return { ...named, mime_type: type === 'audio' ? 'audio/mpeg' : 'application/pdf', file_url: url };
}

const more = ['subtitle', 'image_url', 'default_action', 'buttons'];

/** A template as the conversation shows it. */
function checkTemplate(payload: v.Fields, isPage: boolean): object {
  const kind = v.textIn(payload, 'template_type');
  if (kind === 'button') {
    const text = v.textIn(payload, 'text');
    if (Array.from(text).length > 640)
      return v.invalid('Length of param text must be less than or equal to 640');
    const buttons = v.listIn(payload, 'buttons', 1, 3);
    for (const button of buttons) checkButton(button, isPage);
    return { button_template: { text, buttons } };
  }
  if (kind !== 'generic') return v.invalid(`Param template_type has an unknown value: ${kind}`);
  const elements = v.listIn(payload, 'elements', 1, 10);
  for (const element of elements) checkElement(element, isPage);
  const [first] = elements;
  return { generic_template: { title: first?.['title'], subtitle: first?.['subtitle'] } };
}

function checkElement(element: v.Fields, isPage: boolean): void {
  v.textIn(element, 'title');
  if (!more.some((name) => element[name] !== undefined))
    v.invalid('An element needs a property beside its title');
  if (element['buttons'] === undefined) return;
  for (const button of v.listIn(element, 'buttons', 1, 3)) checkButton(button, isPage);
}

function checkButton(button: v.Fields, isPage: boolean): void {
  const type = v.textIn(button, 'type');
  if (type === 'web_url' || (isPage && type === 'account_link')) v.addressIn(button, 'url');
  else if (type === 'postback' || (isPage && type === 'phone_number')) v.textIn(button, 'payload');
  else if (!isPage || type !== 'game_play') v.invalid(`Buttons of type ${type} are not supported`);
  if (type !== 'account_link') v.textIn(button, 'title');
}

/** The person who wrote a comment or a post, which can be replied to in private once, within 7 days. */
function commentatorOf(
  call: Call,
  { world, ownerId, isPage }: Sender,
  recipient: v.Fields,
): { readonly contact: Node<'contact'>; readonly on: string } {
  const isPost = recipient['comment_id'] === undefined;
  const on = v.textIn(recipient, isPost ? 'post_id' : 'comment_id');
  const found = isPost
    ? find(world, 'post', on)
    : (find(world, 'comment', on) ?? find(world, 'picsComment', on));
  if (found?.owners.includes(ownerId) !== true) return v.missing(on, call.method);
  if (found.from.id === ownerId) return v.invalid('There is no private reply to oneself');
  if (world.effects.some(({ kind, parentId }) => kind === 'private_reply' && parentId === on)) {
    return isPage
      ? v.refuse(10_900, '(#10900) Activity already replied to')
      : v.invalid('This comment has already been replied to in private', 2_534_025);
  }
  if (world.now() - found.createdAt > 7 * day) {
    return isPage
      ? v.refuse(10_902, '(#10902) This is not a replyable activity')
      : v.refuse(10, '(#10) The comment is older than 7 days', { error_subcode: 2_534_022 });
  }
  return { contact: contactOf(world, ownerId, found.from), on };
}

/** The person under the id that the account or the Page knows. */
function contactOf(
  world: World,
  ownerId: string,
  { id: personId, name = null, username }: { id: string; name?: string | null; username?: string },
): Node<'contact'> {
  const known = [...world.nodes.ofKind('contact')].find(
    (one) => one.ownerId === ownerId && (one.id === personId || one.personId === personId),
  );
  const owners = find(world, 'picsAccount', ownerId)?.owners ?? [ownerId];
  // A person who only commented has not consented.
  return known ?? inbox.addContact(world, ownerId, owners, { personId, username, name, consent: false });
}

const actions = ['TYPING_ON', 'TYPING_OFF', 'MARK_SEEN', 'REACT', 'UNREACT'];

/** Shows that the account or the Page is typing, or has seen the messages; or reacts to a message. */
function act(call: Call, contact: Node<'contact'>, conversation: Node<'conversation'> | undefined): unknown {
  const { world, params } = call;
  const action = params['sender_action']?.toUpperCase() ?? '';
  if (!actions.includes(action))
    return v.invalid(`Param sender_action must be one of {${actions.join(', ')}}`);
  if (params['message'] !== undefined) return v.invalid('A sender_action comes alone');
  if (conversation === undefined) return v.invalid('There is no conversation with this person');
  if (action.endsWith('REACT')) {
    const on = reactedTo(call, conversation);
    react(call, conversation, on, action === 'REACT');
  } else {
    if (params['payload'] !== undefined) return v.invalid('A sender_action comes alone');
    if (action === 'MARK_SEEN') conversation.seenAt = world.now();
    const content = { recipientId: contact.id, action: action.toLowerCase() };
    recordEffect(world, 'sender_action', conversation.id, conversation.id, content);
  }
  return { recipient_id: contact.id };
}

function reactedTo({ world, params }: Call, conversation: Node<'conversation'>): Node<'message'> {
  const on = find(world, 'message', v.textIn(v.objectIn(params, 'payload'), 'message_id'));
  return on?.conversationId === conversation.id ? on : v.invalid('The message to react to does not exist');
}

function react(
  { world, params }: Call,
  { ownerId }: Node<'conversation'>,
  on: Node<'message'>,
  adds: boolean,
): void {
  const reaction = adds ? v.textIn(v.objectIn(params, 'payload'), 'reaction') : undefined;
  setReaction(on, { id: ownerId }, reaction);
  recordEffect(world, 'reaction', on.id, on.conversationId, { reaction: reaction ?? null });
}

interface Reaction {
  readonly reaction: string;
  readonly users: readonly { readonly id: string }[];
}

/** Sets a person's reaction to a message, replacing an earlier one. */
export function setReaction(
  on: Node<'message'>,
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

const replying = route.needs(['manage_comments', 'manage_messages']);

/** Whether a recipient belongs to the Page, not to its account: a person, or the author of a comment or a post. */
function isOfPage({ world }: Call, pageId: string, recipient: v.Fields): boolean {
  const { id, comment_id, post_id, user_ref } = recipient;
  if ((post_id ?? user_ref) !== undefined || find(world, 'comment', String(comment_id)) !== undefined)
    return true;
  // Ids of its contacts have another prefix than those of its account's contacts.
  return find(world, 'contact', String(id))?.ownerId === pageId || String(id).startsWith('24');
}

function send(call: Call, ownerId: string | undefined, recipient: v.Fields): unknown {
  const { world, params } = call;
  if (ownerId === undefined) return inbox.unknownRecipient(false);
  const isPage = find(world, 'page', ownerId) !== undefined;
  const sender = { world, ownerId, isPage };
  if (recipient['comment_id'] !== undefined || recipient['post_id'] !== undefined) {
    return replyPrivately(call, sender, recipient);
  }
  const ref = recipient['user_ref'] === undefined ? undefined : v.textIn(recipient, 'user_ref');
  if (ref !== undefined && !(isPage && recipient['id'] === undefined))
    return v.invalid('A user_ref is the only recipient, of a Page');
  const contact =
    ref === undefined ? find(world, 'contact', v.textIn(recipient, 'id')) : agreed(world, ownerId, ref);
  if (contact?.ownerId !== ownerId || contact.gone) return inbox.unknownRecipient(isPage);
  const conversation =
    ref === undefined
      ? inbox.conversationWith(world, contact.id)
      : inbox.conversationWith(world, contact.id, true);
  if (params['sender_action'] !== undefined) return act(call, contact, conversation);
  const content = read(call, sender);
  const type = v.oneOf(params, 'messaging_type', ['MESSAGE_TAG', 'RESPONSE', 'UPDATE', 'UTILITY']);
  const tag = type === 'MESSAGE_TAG' ? v.oneOf(params, 'tag', ['HUMAN_AGENT']) : undefined;
  const isUtility = v.objectIn(params, 'message')['template'] !== undefined;
  if ((type === 'UTILITY') !== isUtility)
    return v.invalid('Messages of type UTILITY have a template, no others');
  if (isUtility) route.checkScopes(call, ['pages_utility_messaging']);
  checkPersona(world, ownerId, params['persona_id']);
  v.oneOf(params, 'notification_type', ['NO_PUSH', 'REGULAR', 'SILENT_PUSH']);
  if (
    conversation === undefined ||
    !(isUtility || ref !== undefined || inbox.isOpen(world, conversation, tag))
  ) {
    return v.refuse(10, '(#10) This message is sent outside of allowed window.', {
      error_subcode: isPage ? 2_018_278 : 2_534_022,
    });
  }
  const caller = appOf(world, conversation);
  const controller = controllerOf(world, conversation) ?? caller;
  if (controller !== caller) {
    if (!isPage) return v.invalid('The app is not the thread owner', 2_534_037);
    const message = '(#10) Message failed to send because another app is controlling this thread now.';
    return v.refuse(10, message, { error_subcode: 2_018_300, status: 400 });
  }
  // Whoever writes while no app has control takes it.
  conversation.controller = caller;
  const sent = deliver(sender, contact, conversation, content, replyOf(call, conversation));
  // Whose reference it is, the platform does not say.
  return ref === undefined ? sent : { message_id: sent.message_id };
}

/** The person of a reference. In the sandbox, whoever is written to by one has agreed in the checkbox plugin. */
function agreed(world: World, ownerId: string, ref: string): Node<'contact'> {
  const name = `The person of ${ref}`;
  const known = [...world.nodes.ofKind('contact')].find(
    (one) => one.ownerId === ownerId && one.name === name,
  );
  return known ?? inbox.addContact(world, ownerId, [ownerId], { name });
}

function replyPrivately(call: Call, sender: Sender, recipient: v.Fields): unknown {
  if (v.objectIn(call.params, 'message')['template'] !== undefined)
    return v.invalid('A private reply has no template');
  const content = read(call, sender);
  const { contact, on } = commentatorOf(call, sender, recipient);
  const conversation = inbox.conversationWith(sender.world, contact.id, true);
  const sent = deliver(sender, contact, conversation, content, {});
  recordEffect(sender.world, 'private_reply', sent.message_id, on, { recipientId: contact.id });
  return sent;
}

function read({ params }: Call, sender: Sender): Content {
  if (params['message'] === undefined) return v.invalid('The parameter message is required');
  const message = v.objectIn(params, 'message');
  const content = contentOf(sender, message);
  if (message['metadata'] === undefined) return content;
  const metadata = v.textIn(message, 'metadata');
  return Array.from(metadata).length > 1000
    ? v.invalid('Param metadata is too long')
    : { ...content, metadata };
}

/** The message that this one replies to. */
function replyOf({ world, params }: Call, conversation: Node<'conversation'>): v.Fields {
  if (params['reply_to'] === undefined) return {};
  const mid = v.textIn(v.objectIn(params, 'reply_to'), 'mid');
  const on = find(world, 'message', mid);
  if (on?.conversationId !== conversation.id) return v.invalid('The message to reply to does not exist');
  return { reply_to: { mid, is_self_reply: !on.inbound } };
}

function deliver(
  { world }: Sender,
  contact: Node<'contact'>,
  conversation: Node<'conversation'>,
  { text, extra, quickReplies: quick_replies, metadata }: Content,
  reply: v.Fields,
): { readonly recipient_id: string; readonly message_id: string } {
  const made: Node<'message'> = inbox.addMessage(world, conversation, false, text, { ...extra, ...reply });
  made.metadata = metadata;
  const content = text === '' ? extra : { text };
  const effect = {
    recipientId: contact.id,
    ...content,
    ...(quick_replies !== undefined && { quick_replies }),
    ...reply,
  };
  recordEffect(world, 'message', made.id, conversation.id, effect);
  return { recipient_id: contact.id, message_id: made.id };
}

function upload({ world, params }: Call, ownerId: string): unknown {
  const attachment = v.objectOf(v.objectIn(params, 'message')['attachment'], 'message[attachment]');
  const type = typeOf(attachment, attachmentTypes);
  const payload = attachment['payload'] === undefined ? {} : v.objectOf(attachment['payload'], 'payload');
  const { filedata } = params;
  if ((filedata === undefined) === (payload['url'] === undefined)) return v.invalid('Give a url or a file');
  const id = world.newId();
  const url = filedata === undefined ? v.fileIn(payload, 'url') : `https://cdn.sandbox.test/files/${id}`;
  make(world, 'attachment', [ownerId], { id, ownerId, type, url });
  const content = { type, ...(filedata === undefined ? { url } : { filedata }) };
  recordEffect(world, 'attachment', id, ownerId, content);
  return { attachment_id: id };
}

function sendAsAccount(call: Call, { id }: Node<'picsAccount'>): unknown {
  const recipient = v.objectIn(call.params, 'recipient');
  route.checkScopes(call, recipient['comment_id'] === undefined ? [] : replying(call));
  return send(call, id, recipient);
}

/** One path serves the Page and its account: who may write to whom depends on the recipient. */
function sendAsPage(call: Call, { id }: Node<'page'>): unknown {
  const recipient = v.objectIn(call.params, 'recipient');
  const isOwn = isOfPage(call, id, recipient);
  const ofAccount =
    recipient['comment_id'] === undefined ? inbox.ofPics(call) : [...replying(call), 'pages_messaging'];
  route.checkScopes(call, isOwn ? inbox.ofMessenger : ofAccount);
  route.checkTasks(call, inbox.messaging);
  return send(call, isOwn ? id : route.linkedTo(call.world, call.token, id), recipient);
}

const sendParams = `
  folder message messaging_type payload recipient! reply_to sender_action tag thread_control
`;
const pageParams = `${sendParams} persona_id notification_type`;

/** Messages, actions and private replies, and files to send. */
export const sendRoutes: readonly Route[] = [
  on('POST', 'picsAccount', 'messages', inbox.accountInbox, sendAsAccount, sendParams),
  on('POST', 'page', 'messages', inbox.asPage, sendAsPage, pageParams),
  ...inbox.ofBoth('POST', 'message_attachments', upload, 'message!', ' platform filedata'),
];
