import { refuse } from '../errors.ts';
import { loginMediaEdges, loginMediaFields, pageMediaEdges, pageMediaFields } from '../knownNames.ts';
import { isoTime } from '../page/values.ts';
import { nested } from '../paging.ts';
import { randomText } from '../random.ts';
import type { Call } from '../route.ts';
import { nestedCall, type Shape } from '../select.ts';
import { add, find, listed, type World } from '../world.ts';
import { loginMode, needs } from './access.ts';
import { commentShape, commentsOf } from './commentShape.ts';
import { isLive } from './containerState.ts';
import { mediaInsights } from './mediaInsights.ts';
import type { Collaboration, PicsMediaNode } from './nodes.ts';

/** The fields that a media has in the call's mode. */
export function mediaShape(call: Call): Shape<PicsMediaNode> {
  return loginMode(call) ? loginShape : pageShape;
}

const loginShape: Shape<PicsMediaNode> = {
  type: 'Media',
  fields: loginMediaFields,
  defaults: [],
  edges: loginMediaEdges,
  dropsUnknown: true,
  read: (media, call) => ({
    id: media.id,
    caption: media.caption,
    alt_text: media.altText,
    media_type: media.type,
    media_product_type: media.product,
    media_url: media.url,
    thumbnail_url: media.type === 'VIDEO' ? `https://cdn.sandbox.test/${media.id}/thumb.jpg` : undefined,
    permalink: permalink(call.world, media),
    shortcode: media.shortcode,
    timestamp: isoTime(media.createdAt),
    username: find(call.world, 'picsAccount', media.accountId)?.username ?? media.author,
    owner: { id: media.accountId },
    is_ai_generated: media.aiGenerated,
    is_comment_enabled: media.commentsEnabled,
    is_shared_to_feed: media.sharedToFeed,
    like_count: media.parentId === undefined ? likesOf(media) : undefined,
    comments_count: media.parentId === undefined ? commentsOf(call.world, media.id).length : undefined,
  }),
  expand: {
    insights: (call, media, { args }) =>
      mediaInsights(nestedCall(call, args, needs(['manage_insights'])(call)), media),
    children: (call, media, selection) =>
      media.type === 'CAROUSEL_ALBUM'
        ? { data: nested(call, mediaShape(call), itemsOf(call.world, media.id), selection, '').data }
        : undefined,
    comments: (call, media, selection) => {
      const top = commentsOf(call.world, media.id).filter((one) => one.parentId === undefined);
      return nested(call, commentShape, top, selection, `/${media.id}/comments`);
    },
  },
};

const pageShape: Shape<PicsMediaNode> = {
  ...loginShape,
  type: 'IGMedia',
  fields: pageMediaFields,
  edges: pageMediaEdges,
  read: (media, call) => ({
    ...loginShape.read(media, call),
    reposts_count: 0,
    saved_count: Math.floor(media.likes / 4),
    shares_count: Math.floor(media.likes / 5),
    total_comments_count: commentsOf(call.world, media.id).length,
    total_like_count: likesOf(media),
    total_views_count: media.viewers,
  }),
  expand: {
    ...loginShape.expand,
    view_count: () =>
      refuse({ code: 36_104, message: 'The field view_count can only be read through business discovery' }),
  },
};

/** A media of another account, as business discovery shows it. */
export const discoveredMediaShape: Shape<PicsMediaNode> = {
  ...pageShape,
  fields: [
    'caption',
    'comments_count',
    'id',
    'like_count',
    'media_product_type',
    'media_type',
    'media_url',
    'owner',
    'permalink',
    'thumbnail_url',
    'timestamp',
    'username',
  ],
  edges: [],
  expand: {
    ...(loginShape.expand?.['children'] && { children: loginShape.expand['children'] }),
    view_count: (_call, media) => (media.type === 'VIDEO' ? media.viewers * 2 : undefined),
  },
};

/** A media of somebody else, as tagged or mentioned accounts see it. */
export function foreignMediaShape(call: Call): Shape<PicsMediaNode> {
  const { children, comments } = loginShape.expand ?? {};
  return { ...mediaShape(call), expand: { ...(children && { children }), ...(comments && { comments }) } };
}

/** A media with a hashtag, without its owner. */
export const hashtagMediaShape: Shape<PicsMediaNode> = {
  ...loginShape,
  type: 'IGMedia',
  fields: [
    'caption',
    'comments_count',
    'id',
    'like_count',
    'media_type',
    'media_url',
    'permalink',
    'timestamp',
  ],
  edges: [],
  expand: {
    ...(loginShape.expand?.['children'] && { children: loginShape.expand['children'] }),
  },
};

/** The hashtags of a text, in lower case and without their sign. */
export function hashtagsIn(text: string): string[] {
  return [...text.toLowerCase().matchAll(/#([\p{L}\p{M}\p{N}_]+)/gu)].map(([, name = '']) => name);
}

/** The usernames that a text mentions. */
export function mentionsIn(text: string): string[] {
  return [...text.toLowerCase().matchAll(/@([\w.]*\w)/g)].map(([, name = '']) => name);
}

export function likesOf({ likes, likedBy }: Pick<PicsMediaNode, 'likes' | 'likedBy'>): number {
  return likes + (likedBy?.size ?? 0);
}

/** Posts and reels of an account, newest first; neither stories nor items of carousels. */
export function mediaOf(world: World, accountId: string): PicsMediaNode[] {
  return listed(
    world,
    'picsMedia',
    (one) => one.accountId === accountId && one.parentId === undefined && one.product !== 'STORY',
  );
}

/** Stories of the last 24 hours, newest first. */
export function storiesOf(world: World, accountId: string): PicsMediaNode[] {
  return listed(
    world,
    'picsMedia',
    (one) => one.accountId === accountId && one.product === 'STORY' && isLive(world, one),
  );
}

/** Items of a carousel, in their order. */
export function itemsOf(world: World, carouselId: string): PicsMediaNode[] {
  return [...world.nodes.values()]
    .filter((node) => node.kind === 'picsMedia')
    .filter((node) => node.parentId === carouselId);
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

type NewMedia = Omit<PicsMediaNode, 'kind' | 'id' | 'shortcode' | 'commentsEnabled'>;

export function makeMedia(world: World, wanted: NewMedia): PicsMediaNode {
  const shortcode = randomText(world.random, 11);
  const commentsEnabled = wanted.product !== 'STORY';
  return add(world, { ...wanted, kind: 'picsMedia', id: world.newId('179'), shortcode, commentsEnabled });
}

function permalink(world: World, media: PicsMediaNode): string {
  const site = 'https://pics.sandbox.test';
  if (media.product === 'STORY') {
    const account = find(world, 'picsAccount', media.accountId);
    return `${site}/stories/${account?.username}/${media.id}`;
  }
  return `${site}/${media.product === 'REELS' ? 'reel' : 'p'}/${media.shortcode}/`;
}
