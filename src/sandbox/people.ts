import { fromCaller } from '../core/options/given.ts';
import { badOption, checked, checkName, checksOf } from './members.ts';
import { addContact, addMessage, conversationWith, isOfPage } from './messaging/inbox.ts';
import { setReaction, shown } from './messaging/send.ts';
import { defaultApps } from './messaging/threadControl.ts';
import type { Node, NodeKind } from './nodes.ts';
import { addComment } from './page/comments.ts';
import { addPost } from './page/posts.ts';
import { addPicsComment } from './pics/comments.ts';
import { invited, makeMedia } from './pics/media.ts';
import * as seed from './seed.ts';
import { lookUpToken, pageTokenFor } from './tokens.ts';
import type * as t from './types.ts';
import { digits } from './values.ts';
import * as webhooks from './webhooks.ts';
import { find, isPublished, make, type World } from './world.ts';

// What other people create, without causing an event.

/** A post on a Page, or a post elsewhere that tags the Page. */
function makePost(
  world: World,
  { pageId, message, by, tagged = false }: Pick<t.AddPostOptions, 'pageId' | 'message' | 'by' | 'tagged'>,
): Node<'post'> {
  const page = demand(world, 'page', pageId);
  const author = by ?? (tagged ? 'Wim Prins' : undefined);
  const from = author === undefined ? { id: page.id, name: page.name } : { id: world.newId(), name: author };
  return addPost(world, page, { message, from, elsewhere: tagged });
}

/** A comment on a post or a video, on a comment of either, on media, or on a comment of media. */
function makeComment(
  world: World,
  on: string,
  text: string,
  by: string | undefined,
): Node<'comment' | 'picsComment'> {
  const picsParent = find(world, 'picsComment', on);
  const media = find(world, 'picsMedia', picsParent?.mediaId ?? on);
  if (media !== undefined) {
    const from = { id: world.newId('68'), username: by ?? 'wim' };
    return addPicsComment(world, media, { from, text, parentId: picsParent?.parentId ?? picsParent?.id });
  }
  const parent = find(world, 'comment', on);
  const object = find(world, 'video', parent?.postId ?? on) ?? demand(world, 'post', parent?.postId ?? on);
  if (!isPublished(world, object)) throw new Error(`nobody can comment on ${object.id}: it is not published`);
  const { id: postId, pageId } = object;
  const from = { id: world.newId(), name: by ?? 'Wim Prins' };
  return addComment(world, { pageId, postId, parent }, { from, message: text });
}

/** An image of an account of the sandbox, or of another person, whose media no token can access. */
function makeImage(
  world: World,
  { by = 'wim', caption, tags = [], invites = [], likes = 0 }: Omit<t.AddMediaOptions, 'at'>,
): Node<'picsMedia'> {
  const account = [...world.nodes.ofKind('picsAccount')].find(({ username }) => username === by);
  return makeMedia(world, {
    owners: account?.owners ?? [],
    accountId: account?.id ?? world.newId('1784'),
    author: by,
    type: 'IMAGE',
    product: 'FEED',
    caption,
    url: `https://cdn.sandbox.test/${by}/${world.newId()}.jpg`,
    likes,
    tagged: tags,
    collaborators: invited(world, invites),
  });
}

function makeLead(
  world: World,
  formId: string,
  answers: Readonly<Record<string, string>> = { full_name: 'Wim Prins', email: 'wim@sandbox.test' },
): Node<'lead'> {
  const form = demand(world, 'form', formId);
  return make(world, 'lead', form.owners, {
    formId,
    fieldData: Object.entries(answers).map(([name, value]) => ({ name, values: [value] })),
    ad: {},
  });
}

function demand<K extends NodeKind>(world: World, kind: K, id: string): Node<K> {
  const node = find(world, kind, id);
  if (node === undefined) throw new Error(`the sandbox has no ${kind} ${id}`);
  return node;
}

type Additions = Pick<
  t.Sandbox,
  'addUser' | 'addPage' | 'addAccount' | 'addPost' | 'addComment' | 'addMedia' | 'addLead'
>;

/** What a test adds to the seeded world. It causes no effect and no event. */
export function createAdditions(world: World, { user: seeded, account }: seed.Seeded): Additions {
  const userTokens = new Map([[seeded.id, seeded.token]]);
  const add = (kind: t.SandboxAct['kind'], one: { readonly at?: number }, make: () => Node): string => {
    checked(`the ${kind} to add`, one, checksOf(`${members[kind]} at:number`));
    return world.at(one.at ?? world.now(), make).id;
  };
  return {
    addUser: (options = {}) => {
      const { name = `Person ${userTokens.size + 1}` } = checked('addUser', options, checksOf('name'));
      const { user, token } = seed.seedUser(world, name, world.now());
      userTokens.set(user.id, token.value);
      return { id: user.id, name, token: token.value };
    },
    addPage: (options = {}) => {
      const { userId = seeded.id } = checked('addPage', options, checksOf('userId name'));
      return newPage(world, demand(world, 'user', userId).id, userTokens.get(userId) ?? '', options);
    },
    addAccount: (options) =>
      addAccount(world, seeded.id, checked('addAccount', options, checksOf('pageId! username'))),
    addPost: (one) => add('post', one, () => makePost(world, one)),
    addComment: (one) => add('comment', one, () => makeComment(world, one.on, one.message, one.by)),
    addMedia: (one = {}) =>
      add('media', one, () => makeImage(world, { ...one, by: one.by ?? account.username })),
    addLead: (one) => add('lead', one, () => makeLead(world, one.formId, one.answers)),
  };
}

function newPage(world: World, userId: string, userToken: string, options: t.AddPageOptions): t.SandboxPage {
  const known = [...world.nodes.ofKind('page')].length;
  const page = seed.addPage(world, [userId], { name: options.name ?? `Page ${known + 1}` });
  const { id } = page;
  const token = lookUpToken(world, userToken, 'graph');
  if ('code' in token) throw new Error(`the token of the user ${userId} is dead`);
  return {
    id,
    name: page.name,
    token: pageTokenFor(world, token, id).value,
    ...seed.noContent,
    ...seed.noInbox,
    formIds: [seed.seedForm(world, page, 'Newsletter', 'en_US').id],
  };
}

function addAccount(world: World, userId: string, { pageId, username }: t.AddAccountOptions): t.AddedAccount {
  const page = demand(world, 'page', pageId);
  if (page.picsId !== undefined) throw new Error(`the Page ${pageId} has an account`);
  const known = new Set(world.nodes.ofKind('picsAccount')).size;
  const account = seed.seedAccount(world, pageId, userId, username ?? `account${known + 1}`);
  page.picsId = account.id;
  return seed.connect(world, account, userId);
}

/** Lets a person act, and returns the id of the result. Throws if the target does not exist. */
export function happen(world: World, act: t.SandboxAct): string {
  if (typeof act !== 'object' || act === null) throw badOption('act', 'act must be an object');
  fromCaller('act', () => checkName('kind', 'act', act.kind, Object.keys(acts)));
  checked('the act', act, checksOf(`kind ${members[act.kind]}`));
  for (const [at, one] of (act.kind === 'message' ? (act.attachments ?? []) : []).entries())
    checked('an attachment', one, checksOf('type! url'), `attachments[${at}].`);
  // The act of a kind goes to the function of this kind.
  const run = acts[act.kind] as (world: World, act: t.SandboxAct) => string;
  return run(world, act);
}

type Act<TKind extends t.SandboxAct['kind']> = Extract<t.SandboxAct, { readonly kind: TKind }>;

/** What each act has besides its kind. */
const members: Readonly<Record<t.SandboxAct['kind'], string>> = {
  post: 'pageId! message! by tagged:flag',
  comment: 'on! message! by',
  lead: 'formId! answers:named',
  leadUpdate: 'leadId! area event updatedFields:texts',
  message: 'contactId to by text attachments:objects quickReply replyTo',
  postback: 'contactId! payload! title',
  reaction: 'messageId! undo:flag',
  read: 'messageId!',
  collaboration: 'on! by! accept:flag',
  media: 'by caption tags:texts invites:texts likes:count',
  aiAnswer: 'contactId! text!',
  integrity: 'pageId! status! violations:objects restrictions:objects action_events:objects',
  agent: 'on! field! value!:object',
};

/** What a message that comes in has. */
export const messageChecks = checksOf(members.message);

const acts: { readonly [TKind in t.SandboxAct['kind']]: (world: World, act: Act<TKind>) => string } = {
  post,
  comment,
  lead,
  message: receiveMessage,
  postback: tap,
  reaction: react,
  read,
  collaboration: collaborate,
  media,
  aiAnswer: answerByAi,
  integrity: (world, act) => {
    webhooks.announceIntegrity(world, act);
    return act.pageId;
  },
  agent: (world, act) => {
    webhooks.announceAgent(world, act);
    return act.on;
  },
  leadUpdate: (world, act) => {
    webhooks.announceLeadUpdate(world, act);
    return act.leadId;
  },
};

/** Of a post elsewhere that tags a Page, the platform's documents promise no event. */
function post(world: World, { by = 'Wim Prins', ...act }: Act<'post'>): string {
  const made = makePost(world, { ...act, by });
  if (act.tagged !== true) webhooks.announcePost(world, made);
  return made.id;
}

function comment(world: World, { on, message, by }: Act<'comment'>): string {
  const made = makeComment(world, on, message, by);
  if (made.kind === 'picsComment') webhooks.announcePicsComment(world, made);
  else webhooks.announceComment(world, made);
  return made.id;
}

function media(world: World, act: Act<'media'>): string {
  const made = makeImage(world, act);
  webhooks.announceMentions(world, made.caption, made);
  return made.id;
}

function lead(world: World, { formId, answers }: Act<'lead'>): string {
  const { id } = makeLead(world, formId, answers);
  webhooks.announceLead(world, id);
  return id;
}

/** Lets a person write, and returns the id of the message. */
function receiveMessage(
  world: World,
  { text = '', attachments = [], quickReply, replyTo, ...person }: t.ReceivedMessage,
): string {
  const { id } =
    'contactId' in person ? demand(world, 'contact', person.contactId) : newContact(world, person);
  const conversation = conversationWith(world, id, true);
  const on = replyTo === undefined ? undefined : demand(world, 'message', replyTo);
  const made = addMessage(world, conversation, true, text, {
    ...shownAttachments(world, attachments),
    ...(on && { reply_to: { mid: on.id, is_self_reply: on.inbound } }),
  });
  webhooks.announceMessage(
    world,
    made,
    quickReply === undefined ? {} : { quick_reply: { payload: quickReply } },
  );
  return made.id;
}

/** Attachments as the conversation shows them. */
function shownAttachments(world: World, all: NonNullable<t.ReceivedMessage['attachments']>): object {
  const files: object[] = [];
  const shares: object[] = [];
  let story: object | undefined;
  for (const one of all) {
    const id = world.newId();
    if (one.type === 'appointment_booking') {
      const start = Math.floor(world.now() / 1000) + 86_400;
      const times = { start, end: start + 3600, timezone: 'Europe/Berlin' };
      const appointment_booking = { status: 'CONFIRMED', ...times };
      files.push({ id, name: `appointment-${id}`, appointment_booking });
    } else if (one.type === 'ig_story') shares.push({ id, link: one.url, kind: one.type });
    else if (one.type === 'story_mention') story = { mention: { id, link: one.url } };
    else files.push(shown(id, one.type, one.url));
  }
  return {
    ...(files.length > 0 && { attachments: { data: files } }),
    ...(shares.length > 0 && { shares: { data: shares } }),
    ...(story && { story }),
  };
}

function newContact(
  world: World,
  { to, by }: { readonly to: string; readonly by?: string },
): Node<'contact'> {
  const account = find(world, 'picsAccount', to);
  if (account !== undefined) {
    return addContact(world, account.id, account.owners, { username: by ?? 'wim' });
  }
  const page = demand(world, 'page', to);
  return addContact(world, page.id, [page.id], { name: by ?? 'Wim Prins' });
}

/** A tap adds the button's title to the conversation, and opens the window like any message. */
function tap(world: World, { contactId, payload, title = payload }: Act<'postback'>): string {
  demand(world, 'contact', contactId);
  const conversation = conversationWith(world, contactId, true);
  const { id: mid, createdAt } = addMessage(world, conversation, true, title);
  webhooks.announceInConversation(world, conversation, 'messaging_postbacks', createdAt, {
    postback: { mid, title, payload },
  });
  return mid;
}

/** The platform's AI answers through the inbox where people answer, and takes control of the conversation. */
function answerByAi(world: World, { contactId, text }: Act<'aiAnswer'>): string {
  demand(world, 'contact', contactId);
  const conversation = conversationWith(world, contactId, true);
  const app = defaultApps[isOfPage(world, conversation) ? 'page' : 'account'];
  conversation.controller = app;
  const made = addMessage(world, conversation, false, text);
  webhooks.announceMessage(world, made, {
    app_id: digits(app),
    metadata: '{"source":"axon"}',
    ai_generated: true,
  });
  return made.id;
}

function react(world: World, { messageId, undo = false }: Act<'reaction'>): string {
  const { on, conversation, contact } = place(world, messageId);
  const person = { id: contact.id, username: contact.username };
  setReaction(on, person, undo ? undefined : 'love');
  const reaction = undo ? { action: 'unreact' } : { action: 'react', reaction: 'love', emoji: '\u{2764}' };
  webhooks.announceInConversation(world, conversation, 'message_reactions', world.now(), {
    reaction: { mid: on.id, ...reaction },
  });
  return on.id;
}

/** A Page learns up to which time its messages were read, an account up to which message. */
function read(world: World, { messageId }: Act<'read'>): string {
  const { on, conversation } = place(world, messageId);
  webhooks.announceInConversation(world, conversation, 'message_reads', world.now(), {
    read: isOfPage(world, conversation) ? { watermark: on.createdAt } : { mid: on.id },
  });
  return on.id;
}

function collaborate(world: World, { on, by, accept }: Act<'collaboration'>): string {
  const media = find(world, 'picsMedia', on);
  const invited =
    media === undefined
      ? demand(world, 'video', on).collaborators?.get(by)
      : media.collaborators?.find(({ username }) => username === by);
  if (invited === undefined) throw new Error(`nobody invited ${by} to ${on}`);
  invited.status = accept ? 'Accepted' : 'Declined';
  return on;
}

/** A message, and where and with whom it was written. */
function place(world: World, messageId: string) {
  const on = demand(world, 'message', messageId);
  const conversation = demand(world, 'conversation', on.conversationId);
  return { on, conversation, contact: demand(world, 'contact', conversation.contactId) };
}
