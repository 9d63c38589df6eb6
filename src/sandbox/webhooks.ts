import { checkName } from './members.ts';
import { isOfPage } from './messaging/inbox.ts';
import type { Node } from './nodes.ts';
import { copyOf } from './page/posts.ts';
import { mentionsIn } from './pics/media.ts';
import { hmacHex, tokensOf } from './tokens.ts';
import type * as t from './types.ts';
import { digits, toJson } from './values.ts';
import { find, type Happening, isPublished, type World } from './world.ts';

/** Queues the event of a write by the app: the platform also reports the app's own actions. */
export function announceEffect(world: World, effect: t.Effect): void {
  const { kind, id, content, at } = effect;
  const message = find(world, 'message', id);
  const comment = find(world, 'comment', id);
  const picsComment = find(world, 'picsComment', id);
  const post = find(world, 'post', id);
  if (message !== undefined) {
    // The app's own reactions cause no event, and a private reply is announced as a message.
    if (kind === 'message') announceMessage(world, message);
  } else if (kind === 'delete') announceDelete(world, effect);
  else if (post !== undefined) {
    if (kind === 'post') announcePost(world, post);
    if (kind === 'post_update' && content['message'] !== undefined) announcePost(world, post, 'edited', at);
  } else if (kind === 'photo' || kind === 'video' || kind === 'reel') announceMedia(world, effect);
  else if (kind === 'comment_hide' && comment !== undefined) {
    announceComment(world, comment, content['hidden'] === true ? 'hide' : 'unhide', at);
  } else if (picsComment !== undefined && (kind === 'reply' || kind === 'comment')) {
    announcePicsComment(world, picsComment);
  } else if (comment !== undefined && (kind === 'reply' || kind === 'comment'))
    announceComment(world, comment);
  else if (kind === 'template') announceTemplate(world, id);
  else if (kind === 'media') announceMentions(world, find(world, 'picsMedia', id)?.caption, { id });
}

export function announcePost(world: World, post: Node<'post'>, verb = 'add', at = post.createdAt): void {
  const { id, pageId, from, message, link } = post;
  queueChange(world, pageId, 'feed', {
    ...shownBy(world, post),
    verb,
    from,
    post_id: id,
    message,
    ...(link !== undefined && { link }),
    published: isPublished(world, post) ? 1 : 0,
    created_time: seconds(at),
  });
}

/** Which kind of item a post is to its Page, and what it shows: one photo, a video, several photos, or none. */
function shownBy(world: World, { pageId, from, media = [] }: Node<'post'>): object {
  const [first] = media;
  if (first === undefined) return { item: from.id === pageId ? 'status' : 'post' };
  const isVideo = find(world, 'video', first) !== undefined;
  if (isVideo)
    return { item: 'video', video_id: digits(first), link: `https://cdn.sandbox.test/${first}/source.mp4` };
  const photos = media.map((id) => copyOf(id, 720));
  if (media.length > 1) return { item: 'status', photos };
  return { item: 'photo', photo_id: digits(first), link: photos[0] };
}

/** Tells of a photo, a video or a Reel with its post; of one that is kept unpublished, nothing. */
function announceMedia(world: World, { id, content: { description: message }, at }: t.Effect): void {
  const shown = find(world, 'photo', id) ?? find(world, 'video', id);
  const { pageId = '', postId = '' } = shown ?? {};
  const post = find(world, 'post', postId);
  if (post !== undefined) return announcePost(world, post);
  const reel = reelIn(world, shown);
  if (reel === undefined) return;
  const from = { id: pageId, name: find(world, 'page', pageId)?.name };
  const item = { ...reel, verb: 'add', from, message };
  queueChange(world, pageId, 'feed', { ...item, published: 1, created_time: seconds(at) });
}

/** What events say of a Reel that is published, whose post is none of the list; `undefined` for anything else. */
function reelIn(world: World, shown: Node | undefined): object | undefined {
  if (shown?.kind !== 'video' || !isPublished(world, shown)) return undefined;
  return { item: 'video', post_id: shown.postId, video_id: digits(shown.id) };
}

export function announceComment(
  world: World,
  comment: Node<'comment'>,
  verb = 'add',
  at = comment.createdAt,
): void {
  const { id, pageId, postId, parentId, from, message } = comment;
  queueChange(world, pageId, 'feed', {
    item: 'comment',
    verb,
    from,
    post_id: postId,
    comment_id: id,
    parent_id: parentId ?? postId,
    message,
    created_time: seconds(at),
  });
}

export function announceLead(world: World, leadId: string): void {
  const lead = find(world, 'lead', leadId);
  const form = lead && find(world, 'form', lead.formId);
  if (lead === undefined || form === undefined) return;
  // The ids of a lead are bare numbers on the wire. Leads of the sandbox's people have no ad.
  queueChange(world, form.pageId, 'leadgen', {
    leadgen_id: digits(lead.id),
    page_id: digits(form.pageId),
    form_id: digits(form.id),
    adgroup_id: 0,
    ad_id: 0,
    created_time: seconds(lead.createdAt),
  });
}

/** Tells that the platform's own agent changed what is known of a lead, as the dashboard's sample does. */
export function announceLeadUpdate(world: World, { leadId, ...act }: LeadUpdateAct): void {
  const lead = find(world, 'lead', leadId);
  const form = lead && find(world, 'form', lead.formId);
  if (lead === undefined || form === undefined) throw new Error(`the sandbox has no lead ${leadId}`);
  const { area = 'ai_agent_updates', event = 'qualification_status_change' } = act;
  queueChange(world, form.pageId, 'leadgen_update', {
    leadgen_id: digits(lead.id),
    page_id: digits(form.pageId),
    form_id: digits(form.id),
    adgroup_id: 0,
    ad_id: 0,
    updated_time: String(seconds(world.now())),
    area,
    event,
    updated_fields: act.updatedFields ?? ['qualification_details', 'qualification_status'],
  });
}

type LeadUpdateAct = Extract<t.SandboxAct, { readonly kind: 'leadUpdate' }>;

export function announcePicsComment(world: World, comment: Node<'picsComment'>): void {
  const { id, accountId, mediaId, parentId, from, text } = comment;
  announceMentions(world, text, { id: mediaId }, id);
  const media = { id: mediaId, media_product_type: find(world, 'picsMedia', mediaId)?.product };
  queueChange(world, accountId, 'comments', { id, text, from, media, parent_id: parentId }, 'instagram');
}

/** Announces mentions of accounts on media that are not theirs: in the caption or in a comment. */
export function announceMentions(
  world: World,
  text: string | undefined,
  { id: mediaId }: { readonly id: string },
  commentId?: string,
): void {
  const names = mentionsIn(text ?? '');
  const ownerId = find(world, 'picsMedia', mediaId)?.accountId;
  for (const { id: accountId, username } of new Set(world.nodes.ofKind('picsAccount'))) {
    if (!names.includes(username) || accountId === ownerId) continue;
    const item = { media_id: mediaId, comment_id: commentId };
    queueChange(world, accountId, 'mentions', item, 'instagram');
  }
}

/** On the photo-sharing platform, a deletion causes no event, and neither has one of what no post shows. */
function announceDelete(world: World, { id, at }: t.Effect): void {
  const comment = find(world, 'comment', id);
  const shown = find(world, 'photo', id) ?? find(world, 'video', id);
  const post = find(world, 'post', shown?.postId ?? id);
  const pageId = (comment ?? post ?? shown)?.pageId ?? '';
  const more = { verb: 'remove', from: { id: pageId }, created_time: seconds(at) };
  if (comment !== undefined)
    queueChange(world, pageId, 'feed', { item: 'comment', comment_id: id, post_id: comment.postId, ...more });
  else if (post !== undefined)
    queueChange(world, pageId, 'feed', { ...shownBy(world, post), post_id: post.id, ...more });
  else {
    const reel = reelIn(world, shown);
    if (reel !== undefined) queueChange(world, pageId, 'feed', { ...reel, ...more });
  }
}

/** Tells what the platform decided about a message template. */
function announceTemplate(world: World, id: string): void {
  const template = find(world, 'template', id);
  if (template === undefined || template.status === 'PENDING') return;
  queueChange(world, template.pageId, 'message_template_status_update', {
    event: template.status,
    message_template_id: digits(id),
    message_template_name: template.name,
    message_template_language: template.language,
    reason: template.status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE',
  });
}

/** Tells that the platform judged a Page: an item of its conversations that has no sender. */
export function announceIntegrity(world: World, act: IntegrityAct): void {
  const { pageId: accountId, status, violations, restrictions, action_events } = act;
  const item = { timestamp: seconds(world.now()), status, violations, restrictions, action_events };
  world.happenings.push({ object: 'page', accountId, field: 'business_integrity', isChange: false, item });
}

/** Tells what the platform's own agent did, on a Page or an account. */
export function announceAgent(world: World, { on, field, value }: AgentAct): void {
  const isPage = find(world, 'page', on) !== undefined;
  const known = isPage
    ? ['agent_messages', 'agent_questions']
    : find(world, 'picsAccount', on) === undefined
      ? []
      : ['agent_messages'];
  checkName('field', `event of ${on}`, field, known);
  queueChange(world, on, field, value, isPage ? 'page' : 'instagram');
}

type AgentAct = Extract<t.SandboxAct, { readonly kind: 'agent' }>;
type IntegrityAct = Extract<t.SandboxAct, { readonly kind: 'integrity' }>;

/** Queues the change of a field of a Page, or of an account. */
function queueChange(
  world: World,
  accountId: string,
  field: Happening['field'],
  item: object,
  object: Happening['object'] = 'page',
): void {
  world.happenings.push({ object, accountId, field, isChange: true, item });
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Announces a person's message, or the echo of one that the account or the Page sent. */
export function announceMessage(world: World, on: Node<'message'>, more: object = {}): void {
  const conversation = find(world, 'conversation', on.conversationId);
  if (conversation === undefined) return;
  const app = appOf(world, conversation.ownerId);
  const echo = on.inbound ? {} : { is_echo: true, app_id: digits(app.id), metadata: on.metadata };
  const { reply_to } = on.extra as { readonly reply_to?: { readonly mid: string } };
  announceInConversation(world, conversation, on.inbound ? 'messages' : 'message_echoes', on.createdAt, {
    message: {
      mid: on.id,
      text: on.text === '' ? undefined : on.text,
      attachments: attachmentsOf(on),
      reply_to: reply_to && { mid: reply_to.mid },
      ...echo,
      ...more,
    },
  });
}

export function announceInConversation(
  world: World,
  conversation: Node<'conversation'>,
  field: Happening['field'],
  timestamp: number,
  contents: object,
): void {
  const { ownerId, contactId } = conversation;
  const [owner, contact] = [{ id: ownerId }, { id: contactId }];
  const [sender, recipient] = field === 'message_echoes' ? [owner, contact] : [contact, owner];
  const object = isOfPage(world, conversation) ? 'page' : 'instagram';
  const item = { sender, recipient, timestamp, ...contents };
  world.happenings.push({ object, accountId: ownerId, field, isChange: false, item });
}

interface Shown {
  readonly image_data?: { readonly url: string };
  readonly video_data?: { readonly url: string };
  readonly file_url?: string;
  readonly mime_type?: string;
  readonly appointment_booking?: object;
}

/** The attachments of a message as an event has them. */
function attachmentsOf({ extra }: Node<'message'>): readonly object[] | undefined {
  const { attachments, shares, sticker, story } = extra as {
    readonly attachments?: { readonly data: readonly Shown[] };
    readonly shares?: { readonly data: readonly { readonly link: string; readonly kind?: string }[] };
    readonly sticker?: string;
    readonly story?: { readonly mention?: { readonly link: string } };
  };
  const all = [
    ...(attachments?.data ?? []).map((shown) => {
      const { image_data, video_data, file_url, mime_type, appointment_booking } = shown;
      if (appointment_booking) return { type: 'appointment_booking', payload: appointment_booking };
      if (image_data !== undefined) return { type: 'image', payload: { url: image_data.url } };
      if (video_data !== undefined) return { type: 'video', payload: { url: video_data.url } };
      if (file_url === undefined) return { type: 'template', payload: {} };
      return { type: mime_type?.startsWith('audio') ? 'audio' : 'file', payload: { url: file_url } };
    }),
    ...(shares?.data ?? []).map(({ link, kind = 'share' }) => ({ type: kind, payload: { url: link } })),
    ...(story?.mention === undefined
      ? []
      : [{ type: 'story_mention', payload: { url: story.mention.link } }]),
    ...(sticker === undefined ? [] : [{ type: 'image', payload: { url: sticker } }]),
  ];
  return all.length === 0 ? undefined : all;
}

/** For how long the platform sends again what nobody took. */
const mostRetriedMs = 129_600_000;

/** Delivers the subscribed events that nobody has taken yet. All others are dropped. */
export async function deliver(
  world: World,
  to: t.DeliveryTarget,
  options: t.DeliverOptions = {},
): Promise<readonly t.SandboxDelivery[]> {
  const {
    batch = 1000,
    attempts = 3,
    duplicates = false,
    reorder = false,
    form = 'messaging',
  } = { ...world.delivery, ...options };
  const now = world.now();
  const due = world.happenings.splice(0).filter((one) => isSubscribed(world, one));
  for (const one of due) one.sentAt ??= now;
  const wanted = reorder ? due.toReversed() : due;
  const taken = new Set<Happening>();
  const sent: t.SandboxDelivery[] = [];
  for (const [object, app] of [
    ['page', world.app],
    ['instagram', world.app],
    ['instagram', world.picsApp],
  ] as const) {
    const events = wanted.filter((one) => one.object === object && appOf(world, one.accountId) === app);
    for (let at = 0; at < events.length; at += batch) {
      const some = events.slice(at, at + batch);
      const body = toJson({ object, entry: entriesOf(some, form) });
      const key = options.secret ?? app.secret;
      const signature = `sha256=${await hmacHex(key, body)}`;
      // The platform still sends the older signature, too.
      const signatures = {
        'x-hub-signature': `sha1=${await hmacHex(key, body, 'SHA-1')}`,
        'x-hub-signature-256': signature,
      };
      const statuses: (number | undefined)[] = [];
      do statuses.push(await post(to, body, signatures));
      while (!isTaken(statuses.at(-1)) && statuses.length < attempts);
      if (duplicates) statuses.push(await post(to, body, signatures));
      sent.push({ body, signature, statuses });
      if (statuses.some(isTaken)) for (const one of some) taken.add(one);
    }
  }
  const newer = world.happenings.splice(0);
  const left = due.filter((one) => !taken.has(one) && now - (one.sentAt ?? now) < mostRetriedMs);
  for (const one of [...left, ...newer]) world.happenings.push(one);
  return sent;
}

/** The app that hears of a Page or an account: an account with a subscription of its own has an app of its own. */
function appOf(world: World, accountId: string): World['picsApp'] {
  return find(world, 'picsAccount', accountId)?.subscribed === undefined ? world.app : world.picsApp;
}

/** The entries of events. */
function entriesOf(events: readonly Happening[], form: t.DeliverOptions['form']): readonly object[] {
  return events.map(({ accountId: id, field, isChange, item, object, sentAt: time = 0 }) => {
    const { timestamp, sender } = item as { readonly timestamp?: number; readonly sender?: unknown };
    const isSpoken = !isChange && sender !== undefined;
    if (!isChange && (form === 'messaging' || !isSpoken)) return { time, id, messaging: [item] };
    // In this form, the time is a text, in seconds.
    const value = isSpoken ? { ...item, timestamp: timestamp && String(seconds(timestamp)) } : item;
    const change = { field, value };
    const isEntry = form === 'entry' && (isSpoken || object === 'instagram');
    return { id, time: seconds(time), ...(isEntry ? change : { changes: [change] }) };
  });
}

/** Whether the Page or account of an event is subscribed to it. Other events are not delivered. */
export function isSubscribed(world: World, { object, accountId, field }: Happening): boolean {
  if (object === 'page') return find(world, 'page', accountId)?.subscribed?.includes(field) === true;
  const account = find(world, 'picsAccount', accountId);
  const page = find(world, 'page', account?.pageId ?? '');
  return account?.subscribed !== undefined || page?.subscribed !== undefined;
}

async function post(
  to: t.DeliveryTarget,
  body: string,
  signatures: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', ...signatures };
  const init = { method: 'POST', body, headers };
  try {
    const response = await (typeof to === 'string'
      ? fetch(to, init)
      : to(new Request('https://app.sandbox.test/webhooks', init)));
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

export function isTaken(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

const lifeSeconds = 3600;

/**
 * Lets a person remove the app, and sends the app the `signed_request` that reports it, or that asks for deletion of the
 * person's data.
 */
export async function callBack(
  world: World,
  kind: 'deauthorize' | 'deletion',
  to: t.DeliveryTarget,
  userId: string,
  { secret }: t.CallBackOptions,
): Promise<t.SandboxCallback> {
  const isPics = find(world, 'picsAccount', userId) !== undefined;
  for (const token of tokensOf(world, userId)) token.death = 458;
  const key = secret ?? (isPics ? world.picsApp.secret : world.app.secret);
  const signedRequest = await signed(world, userId, key);
  const request = new Request(typeof to === 'string' ? to : `https://app.sandbox.test/${kind}`, {
    method: 'POST',
    body: new URLSearchParams({ signed_request: signedRequest }),
  });
  try {
    const response = await (typeof to === 'string' ? fetch(request) : to(request));
    return { signedRequest, status: response.status, body: await response.text() };
  } catch {
    return { signedRequest, status: undefined, body: undefined };
  }
}

async function signed(world: World, user_id: string, secret: string): Promise<string> {
  const issued_at = Math.floor(world.now() / 1000);
  const content = { algorithm: 'HMAC-SHA256', expires: issued_at + lifeSeconds, issued_at, user_id };
  const payload = base64url(JSON.stringify(content));
  const signature = (await hmacHex(secret, payload)).replaceAll(/../g, (byte) =>
    String.fromCharCode(Number.parseInt(byte, 16)),
  );
  return `${base64url(signature)}.${payload}`;
}

function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
