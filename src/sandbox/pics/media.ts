import { insightsWithin } from '../insights.ts';
import type { Collaboration, Entry, Node } from '../nodes.ts';
import { type Call, inBothModes, inPageMode, isLive, loginMode, needs, on, type Route } from '../route.ts';
import { list, lists, listsWithin, members, only, readNode, type Shape } from '../shapes.ts';
import { flag, invalid, isoTime, missing, refuse, timeWindow } from '../values.ts';
import { find, listed, make, randomText, succeed, type World } from '../world.ts';
import { commentsOf, commentsWithin, topCommentsOf } from './comments.ts';
import { mediaInsightsWithin } from './insights.ts';

/** The fields that a media has in the call's mode. */
export function mediaShape(call: Call): Shape<Node<'picsMedia'>> {
  return loginMode(call) ? loginShape : pageShape;
}

const loginShape: Shape<Node<'picsMedia'>> = {
  type: 'Media',
  defaults: [],
  dropsUnknown: true,
  fields: {
    ...members<Node<'picsMedia'>>('id', 'caption', 'shortcode'),
    alt_text: (media) => media.altText,
    media_type: (media) => media.type,
    media_product_type: (media) => media.product,
    media_url: (media) => media.url,
    thumbnail_url: (media) =>
      media.type === 'VIDEO' ? `https://cdn.sandbox.test/${media.id}/thumb.jpg` : undefined,
    permalink: (media, call) => permalink(call.world, media),
    timestamp: (media) => isoTime(media.createdAt),
    username: (media, call) => find(call.world, 'picsAccount', media.accountId)?.username ?? media.author,
    owner: (media) => ({ id: media.accountId }),
    is_ai_generated: (media) => media.aiGenerated,
    is_comment_enabled: (media) => media.commentsEnabled,
    is_shared_to_feed: (media) => media.sharedToFeed,
    like_count: (media) => (media.parentId === undefined ? likesOf(media) : undefined),
    comments_count: (media, call) =>
      media.parentId === undefined ? commentsOf(call.world, media.id).length : undefined,
  },
  expand: {
    insights: insightsWithin(mediaInsightsWithin, { scopes: needs(['manage_insights']) }),
    children: (call, media, selection) =>
      media.type === 'CAROUSEL_ALBUM'
        ? { data: listsWithin(mediaShape, itemsOf)(call, media, selection)?.data ?? [] }
        : undefined,
    comments: commentsWithin,
  },
};

const pageShape: Shape<Node<'picsMedia'>> = {
  ...loginShape,
  type: 'IGMedia',
  fields: {
    ...loginShape.fields,
    reposts_count: () => 0,
    saved_count: (media) => Math.floor(media.likes / 4),
    shares_count: (media) => Math.floor(media.likes / 5),
    total_comments_count: (media, call) => commentsOf(call.world, media.id).length,
    total_like_count: (media) => likesOf(media),
    total_views_count: (media) => media.viewers,
  },
  expand: {
    ...loginShape.expand,
    view_count: () => refuse(36_104, 'The field view_count can only be read through business discovery'),
  },
};

// Bundlers keep a destructuring, which may run code.
const children = pageShape.expand?.['children'];
const comments = pageShape.expand?.['comments'];

/** A media of another account, as business discovery shows it. */
export const discoveredMediaShape: Shape<Node<'picsMedia'>> = {
  ...pageShape,
  fields: only(
    pageShape.fields,
    `caption comments_count id like_count media_product_type media_type media_url owner permalink thumbnail_url
    timestamp username`,
  ),
  expand: {
    ...(children && { children }),
    view_count: (_call, media) => (media.type === 'VIDEO' ? media.viewers * 2 : undefined),
  },
};

/** A media of somebody else, as tagged or mentioned accounts see it. */
export function foreignMediaShape(call: Call): Shape<Node<'picsMedia'>> {
  return { ...mediaShape(call), expand: { ...(children && { children }), ...(comments && { comments }) } };
}

/** A media with a hashtag, without its owner. */
export const hashtagMediaShape: Shape<Node<'picsMedia'>> = {
  ...loginShape,
  type: 'IGMedia',
  fields: only(
    loginShape.fields,
    'caption comments_count id like_count media_type media_url permalink timestamp',
  ),
  expand: { ...(children && { children }) },
};

/** The hashtags of a text, in lower case and without their sign. */
export function hashtagsIn(text: string): string[] {
  return [...text.toLowerCase().matchAll(/#([\p{L}\p{M}\p{N}_]+)/gu)].map(([, name = '']) => name);
}

/** The usernames that a text mentions. */
export function mentionsIn(text: string): string[] {
  return [...text.toLowerCase().matchAll(/@([\w.]*\w)/g)].map(([, name = '']) => name);
}

export function likesOf({ likes, likedBy }: Pick<Node<'picsMedia'>, 'likes' | 'likedBy'>): number {
  return likes + (likedBy?.size ?? 0);
}

/** Posts and reels of an account, newest first; neither stories nor items of carousels. */
export function mediaOf({ world }: Call, { id }: Entry): Node<'picsMedia'>[] {
  return listed(
    world,
    'picsMedia',
    ({ accountId, parentId, product }) => accountId === id && parentId === undefined && product !== 'STORY',
  );
}

/** Stories of the last 24 hours, newest first. */
function storiesOf({ world }: Call, { id }: Entry): Node<'picsMedia'>[] {
  return listed(
    world,
    'picsMedia',
    (one) => one.accountId === id && one.product === 'STORY' && isLive(world, one),
  );
}

/** Items of a carousel, in their order. */
export function itemsOf({ world }: Pick<Call, 'world'>, { id }: Entry): Node<'picsMedia'>[] {
  return [...world.nodes.values()]
    .filter((node) => node.kind === 'picsMedia')
    .filter((node) => node.parentId === id);
}

/** Accounts that are invited to be collaborators, by their usernames. */
export function invited(world: World, usernames: readonly string[]): Collaboration[] {
  const accounts = [...world.nodes.ofKind('picsAccount')];
  return usernames.map((username) => ({
    id: accounts.find((one) => one.username === username)?.id ?? world.newId('1784'),
    username,
    createdAt: world.now(),
    status: 'Pending',
  }));
}

type NewMedia = Partial<Node<'picsMedia'>> &
  Pick<Node<'picsMedia'>, 'owners' | 'accountId' | 'type' | 'product' | 'url'>;

export function makeMedia(world: World, { owners, ...wanted }: NewMedia): Node<'picsMedia'> {
  const shortcode = randomText(world.random, 11);
  const commentsEnabled = wanted.product !== 'STORY';
  const defaults = { aiGenerated: false, likes: 0, viewers: 0 };
  return make(world, 'picsMedia', owners, { ...defaults, ...wanted, shortcode, commentsEnabled });
}

function permalink(world: World, media: Node<'picsMedia'>): string {
  const site = 'https://pics.sandbox.test';
  if (media.product === 'STORY') {
    const account = find(world, 'picsAccount', media.accountId);
    return `${site}/stories/${account?.username}/${media.id}`;
  }
  return `${site}/${media.product === 'REELS' ? 'reel' : 'p'}/${media.shortcode}/`;
}

function toggleComments({ world, params }: Call, media: Node<'picsMedia'>): unknown {
  const enabled = flag(params, 'comment_enabled') ?? true;
  if (media.product === 'STORY') return invalid('A story has no comments');
  media.commentsEnabled = enabled;
  return succeed(world, 'comment_toggle', media.id, media.accountId, { enabled });
}

/** Deletes a media with its items and its comments. A single item cannot be deleted. */
function remove({ world, method }: Call, media: Node<'picsMedia'>): unknown {
  if (media.parentId !== undefined || !isLive(world, media)) return missing(media.id, method);
  const gone = [...world.nodes.values()].filter(
    (node) =>
      (node.kind === 'picsMedia' && node.parentId === media.id) ||
      (node.kind === 'picsComment' && node.mediaId === media.id),
  );
  for (const node of [media, ...gone]) world.nodes.delete(node.id);
  return succeed(world, 'delete', media.id, media.accountId, {});
}

function media(call: Call, account: Node<'picsAccount'>): Node<'picsMedia'>[] {
  const inTime = timeWindow(call);
  return mediaOf(call, account).filter(({ createdAt }) => inTime(createdAt));
}

function details(call: Call, one: Node<'picsMedia'>): unknown {
  return isLive(call.world, one) ? readNode(call, mediaShape(call), one) : missing(one.id, call.method);
}

function items(call: Call, one: Node<'picsMedia'>): unknown {
  return { data: list(call, mediaShape(call), itemsOf(call, one)).data };
}

/** The poll of a media. Nobody votes in the sandbox. */
function pollOf(call: Call, media: Node<'picsMedia'>): unknown {
  const { poll } = ofPost(call, media);
  if (poll === undefined) return null;
  const named = (text: string, at: number): string => `option_${'abcd'[at]}${text}`;
  return {
    ...Object.fromEntries(poll.options.map((text, at) => [named('', at), text])),
    ...Object.fromEntries(poll.options.map((_, at) => [named('_votes_percentage', at), 0])),
    ...(!poll.isEndless && { expiration_timestamp: isoTime(media.createdAt + pollMs) }),
  };
}

const pollMs = 259_200_000;

/** The answers to the prompt of a media: its comments. The form is a guess, since the platform does not document it. */
function answersOf(call: Call, media: Node<'picsMedia'>): unknown {
  return ofPost(call, media).prompted === true
    ? { data: topCommentsOf(call, media).map(({ id, text }) => ({ id, text })) }
    : null;
}

/** A media that may have an add-on. */
function ofPost(call: Call, media: Node<'picsMedia'>): Node<'picsMedia'> {
  return media.product === 'STORY' ? invalid('A story has no caption add-ons') : media;
}

const basic = inBothModes(['basic']);

export const mediaRoutes: readonly Route[] = [
  on('GET', 'picsAccount', 'media', basic, lists(mediaShape, media), 'since until'),
  on('GET', 'picsAccount', 'stories', inPageMode(['basic']), lists(mediaShape, storiesOf)),
  on('GET', 'picsMedia', '', basic, details),
  on('GET', 'picsMedia', 'children', basic, items),
  on('GET', 'picsMedia', 'poll_attachment', inPageMode(['basic']), pollOf),
  on('GET', 'picsMedia', 'prompt_response', inPageMode(['basic']), answersOf),
  on('POST', 'picsMedia', '', inBothModes(['manage_comments']), toggleComments, 'comment_enabled!'),
  on('DELETE', 'picsMedia', '', inPageMode(['manage_contents']), remove),
];
