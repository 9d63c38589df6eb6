import { insightsWithin } from '../insights.ts';
import type { Node } from '../nodes.ts';
import { type Access, type Call, on, publishing, reading, readingAll, type Route } from '../route.ts';
import { always, lists, members, reads, select, type Selection, type Shape } from '../shapes.ts';
import { day } from '../tokens.ts';
import * as v from '../values.ts';
import { created, deletes, find, isPublished, listedOn, make, succeed, type World } from '../world.ts';
import { commentsOf, commentsOn, likeFields, ofVisitors } from './comments.ts';
import { postInsightsWithin } from './insights.ts';
import { placeAt } from './pages.ts';

const leastMs = 600_000;
/** According to the platform's reference for posts; its guide says 30 days. */
const maxPostMs = 75 * day;
export const maxVideoMs = 183 * day;
/** Allows for the time of the request, and for rounding to whole seconds. */
const slackMs = 10_000;
const kinds = v.wordsIn(`
  ADS_POST DRAFT INLINE_CREATED PUBLISHED PUBLISH_PENDING REVIEWABLE_BRANDED_CONTENT SCHEDULED
  SCHEDULED_RECURRING
`);

export interface Schedule {
  readonly published: boolean;
  /** By the sandbox clock. */
  readonly scheduledAt: number | undefined;
}

/** Reads whether to publish at once, later, or not at all. */
export function readSchedule(call: Call, maxMs = maxPostMs): Schedule {
  const published = v.flag(call.params, 'published') ?? true;
  const scheduledAt = scheduleOf(call, maxMs);
  const kind = v.oneOf(call.params, 'unpublished_content_type', kinds);
  if (published && scheduledAt !== undefined) return cannotSchedule();
  if (published && kind !== undefined && kind !== 'PUBLISHED') {
    return v.invalid('unpublished_content_type is only for unpublished posts');
  }
  if (kind === 'SCHEDULED' && scheduledAt === undefined) {
    return v.invalid('The parameter scheduled_publish_time is required');
  }
  return { published, scheduledAt };
}

function cannotSchedule(): never {
  return v.invalid('You cannot specify a scheduled publish time on a published post');
}

/** When to publish, in milliseconds of the sandbox clock. */
export function scheduleOf(call: Call, maxMs = maxPostMs): number | undefined {
  const seconds = v.timeParam(call, 'scheduled_publish_time');
  if (seconds === undefined) return undefined;
  const at = seconds * 1000;
  const now = call.world.now();
  return at < now + leastMs - slackMs || at > now + maxMs
    ? v.invalid('The specified scheduled publish time is invalid.')
    : at;
}

interface Attachment {
  readonly type: string;
  readonly media_type: string;
  readonly title?: string;
  readonly description?: string | undefined;
  readonly url: string;
  readonly unshimmed_url: string;
  readonly target: { readonly id?: string; readonly url: string };
  readonly media: Readonly<Record<string, unknown>>;
  readonly subattachments?: readonly Attachment[];
}

/** The attachments of a post: a photo, a video, or an album of several; or its link. */
function attachmentsOf(call: Call, post: Node<'post'>, { fields }: Selection): unknown {
  const { id, message, media = [], link } = post;
  const shown = media.map((mediaId) => toAttachment(call, mediaId, message));
  const [first = link === undefined ? undefined : linkAttachment(post, link), ...more] = shown;
  if (first === undefined) return undefined;
  const url = `https://page.sandbox.test/media/${id}`;
  const album = { type: 'album', media_type: 'album', url, unshimmed_url: url, target: { id, url } };
  const whole = more.length === 0 ? first : { ...first, ...album, subattachments: shown };
  return { data: [select(call, attachmentShape, whole, fields)] };
}

function toAttachment({ world }: Call, id: string, description: string | undefined): Attachment {
  const isPhoto = find(world, 'video', id) === undefined;
  const url = `https://page.sandbox.test/media/${id}`;
  return {
    type: isPhoto ? 'photo' : 'video_inline',
    media_type: isPhoto ? 'photo' : 'video',
    description,
    url,
    unshimmed_url: url,
    target: { id, url },
    media: { ...imageOf(id), ...(!isPhoto && { source: `https://cdn.sandbox.test/${id}/source.mp4` }) },
  };
}

function linkAttachment({ id }: Node<'post'>, link: string): Attachment {
  return {
    type: 'share',
    media_type: 'link',
    title: URL.canParse(link) ? new URL(link).hostname : link,
    url: link,
    unshimmed_url: link,
    target: { url: link },
    media: imageOf(id),
  };
}

function imageOf(id: string): { readonly image: object } {
  return { image: { height: 720, src: copyOf(id, 720), width: 720 } };
}

/** The address of a copy of a photo, or of the picture of a video or a link. It expires on the platform. */
export function copyOf(id: string, side: number): string {
  return `https://cdn.sandbox.test/${id}/${side}.jpg`;
}

/** What a post or a video shows, by its id; of a link, its picture is that of the post. */
function shownId({ id, media, link }: Node<'post'>): string | undefined {
  return media?.[0] ?? (link === undefined ? undefined : id);
}

/** The platform's text for a post without one. */
function storyOf({ from, message, media = [], link }: Node<'post'>, { world }: Call): string | undefined {
  if (message !== undefined && message !== '') return undefined;
  const [first] = media;
  if (first === undefined) return link === undefined ? undefined : `${from.name} shared a link.`;
  if (find(world, 'video', first) !== undefined) return `${from.name} added a new video.`;
  return media.length === 1
    ? `${from.name} added a new photo.`
    : `${from.name} added ${media.length} new photos.`;
}

/** The privacy of what everybody sees. */
export const openToAll = { allow: '', deny: '', description: 'Public', friends: '', value: 'EVERYONE' };

const attachmentShape: Shape<Attachment> = {
  type: 'StoryAttachment',
  fields: members<Attachment>(
    'description',
    'media',
    'media_type',
    'target',
    'title',
    'type',
    'unshimmed_url',
    'url',
  ),
  defaults: ['description', 'media', 'target', 'title', 'type', 'url', 'subattachments'],
  expand: {
    subattachments: (call, { subattachments }, { fields }) =>
      subattachments && { data: subattachments.map((one) => select(call, attachmentShape, one, fields)) },
  },
};

/** The photos of a new post. A photo can be used once. */
function takeMedia(call: Call, page: Node<'page'>, { scheduledAt }: Schedule): readonly string[] | undefined {
  const text = call.params['attached_media'];
  if (text === undefined) return undefined;
  const photos = mediaIds(text).map((id) => find(call.world, 'photo', id));
  if (photos.length === 0 || photos.some((photo) => photo?.pageId !== page.id)) {
    return v.invalid('Invalid media_fbid in attached_media');
  }
  const known = photos as readonly Node<'photo'>[];
  if (known.some(({ used }) => used)) return v.invalid('This photo was already posted.', 1_366_051);
  if (known.some((photo) => !isFresh(call.world, photo)))
    return v.invalid('The unpublished photo has expired.');
  if (new Set(known).size < known.length) return v.invalid('attached_media holds a photo twice');
  if (scheduledAt !== undefined && call.params['unpublished_content_type'] !== 'SCHEDULED') {
    return v.invalid('unpublished_content_type must be SCHEDULED for scheduled posts of photos');
  }
  for (const photo of known) photo.used = true;
  return known.map(({ id }) => id);
}

function mediaIds(text: string): readonly string[] {
  try {
    const media = JSON.parse(text) as readonly { readonly media_fbid: unknown }[];
    return media.map(({ media_fbid }) => String(media_fbid));
  } catch {
    return v.invalid('Param attached_media must be an array');
  }
}

/** Whether an unpublished photo can still be used. */
export function isFresh(world: World, { createdAt }: Node<'photo'>): boolean {
  return world.now() - createdAt < day;
}

const maxText = 63_206;

/** The text of a post, which has a limit. */
function textOf({ params }: Call): string | undefined {
  const { message } = params;
  return message === undefined || Array.from(message).length <= maxText
    ? message
    : v.invalid(`Param message must be no more than ${maxText} characters long`);
}

/** Makes a post of a text or a link. */
function publish(call: Call, page: Node<'page'>): unknown {
  const { world, params } = call;
  const { link } = params;
  const message = textOf(call);
  const schedule = readSchedule(call);
  if (link !== undefined && !URL.canParse(link)) return v.invalid('link should represent a valid URL');
  const callToAction = v.optionalObject(params, 'call_to_action');
  const targeting = v.optionalObject(params, 'targeting');
  const feedTargeting = v.optionalObject(params, 'feed_targeting');
  if (callToAction !== undefined && link === undefined) {
    return v.invalid('call_to_action is only for posts with a link');
  }
  const place = readPlace(call);
  const media = takeMedia(call, page, schedule);
  if (message === undefined && link === undefined && media === undefined) {
    return v.invalid('Missing message or attachment');
  }
  refuseDuplicate(world, page, message);
  const about = { message, link, callToAction, targeting, feedTargeting, media };
  const post = addPost(world, page, { byApp: true, ...schedule, ...place, ...about });
  const { published, scheduledAt } = schedule;
  const content = { message, link, published, ...v.defined({ scheduledAt, media, ...place }) };
  return created(world, 'post', post.id, page.id, content);
}

function refuseDuplicate(world: World, page: Node<'page'>, message: string | undefined): void {
  const forMs = world.tuning.posts.refuseDuplicatesForMs;
  if (forMs === 0 || message === undefined) return;
  const since = world.now() - forMs;
  const equal = [...world.nodes.ofKind('post')].filter(
    (post) => post.from.id === page.id && post.message === message,
  );
  if (equal.every(({ createdAt }) => createdAt <= since)) return;
  v.refuse(506, '(#506) Duplicate status message', {
    error_user_title: 'Duplicate Status Update',
    error_user_msg: 'This status update is identical to the last one you posted.',
  });
}

/** The place of a post, which is a Page, and the people who are tagged there. */
export function readPlace({ world, params }: Call): Pick<Node<'post'>, 'placeId' | 'tagIds'> {
  const { place: placeId, tags } = params;
  const tagIds = v.names(tags);
  if (placeId === undefined) {
    return tagIds.length === 0 ? {} : v.invalid('You cannot specify tags without also specifying a place');
  }
  if (find(world, 'page', placeId) === undefined)
    return v.invalid('Param place must be the ID of a Page with a location');
  if (!tagIds.every((id) => /^\d+$/.test(id))) return v.invalid('Param tags must be an array of user IDs');
  return { placeId, ...(tagIds.length > 0 && { tagIds }) };
}

type Content = Partial<Node<'post'>> & Pick<Node<'post'>, 'message'>;

/** Adds a published post, by the Page itself unless `from` names another author. */
export function addPost(world: World, page: Node<'page'>, content: Content): Node<'post'> {
  const { from = { id: page.id, name: page.name }, elsewhere = false } = content;
  const defaults = { published: true, link: undefined, clicks: 0 };
  const id = `${elsewhere ? from.id : page.id}_${world.newId()}`;
  return make(world, 'post', [page.id], { ...defaults, ...content, id, pageId: page.id, from });
}

/** Changes a post of the app: its text and time, and whether it is shown. */
function update(call: Call, post: Node<'post'>): unknown {
  const { world, params } = call;
  const isNow = v.flag(params, 'is_published');
  const hidden = v.flag(params, 'is_hidden');
  const pinned = v.flag(params, 'is_pinned');
  const message = textOf(call);
  const scheduledAt = scheduleOf(call);
  if (post.from.id !== post.pageId) return v.invalid('You can only edit posts that your app has created');
  if (isNow === false && isPublished(world, post)) return v.invalid('A published post cannot be unpublished');
  if (scheduledAt !== undefined && isPublished(world, post)) return cannotSchedule();
  post.message = message ?? post.message;
  post.scheduledAt = scheduledAt ?? post.scheduledAt;
  post.hidden = hidden ?? post.hidden ?? false;
  post.published ||= isNow === true;
  const video = videoOf(world, post);
  if (video !== undefined && !isPublished(world, video)) {
    video.scheduledAt = isNow === true ? world.now() : (scheduledAt ?? video.scheduledAt);
    video.isDraft &&= isNow !== true;
  }
  const content = { message, scheduledAt, hidden, pinned, published: isNow };
  return succeed(world, 'post_update', post.id, post.pageId, content);
}

const postShape: Shape<Node<'post'>> = {
  type: 'PagePost',
  defaults: ['created_time', 'message'],
  blank: 'message_tags parent_id story_tags via',
  fields: {
    ...members<Node<'post'>>('id', 'message', 'from', 'targeting'),
    ...always(false, 'is_expired is_fb_live_videos is_live_clip is_popular was_fb_live_videos'),
    created_time: (post) => v.isoTime(post.createdAt),
    updated_time: (post) => v.isoTime(post.createdAt),
    application: ({ byApp }, { world }) => (byApp ? { id: world.app.id, name: 'Sandbox App' } : undefined),
    is_published: (post, call) => isPublished(call.world, post),
    scheduled_publish_time: (post, call) =>
      post.scheduledAt === undefined || isPublished(call.world, post) ? undefined : post.scheduledAt / 1000,
    is_hidden: (post) => post.hidden ?? false,
    call_to_action: (post) => post.callToAction,
    feed_targeting: (post) => post.feedTargeting,
    full_picture: (post) => optional(shownId(post), (id) => copyOf(id, 720)),
    picture: (post) => optional(shownId(post), (id) => copyOf(id, 130)),
    icon: (post) => optional(shownId(post), () => 'https://cdn.sandbox.test/icons/post.gif'),
    privacy: () => openToAll,
    story: storyOf,
    place: (post, call) => placeAt(call.world, post.placeId),
    status_type: (post, call) => statusType(call, post),
    permalink_url: (post) => `https://page.sandbox.test/${post.id.replace('_', '/posts/')}`,
    promotable_id: (post) => post.id,
    shares: (post, call) => sharesOf(commentsOf(call, post)),
  },
  expand: {
    attachments: attachmentsOf,
    comments: (call, post, selection) => commentsOn(post)(call, post, selection),
    insights: insightsWithin(postInsightsWithin, {
      scopes: ({ world }) => (world.tuning.metrics.refuseUnread ? ['read_insights'] : []),
      tasks: ['ANALYZE'],
    }),
    to: (_call, { tagIds }) => tagIds && { data: tagIds.map((id) => ({ id })) },
    ...likeFields,
  },
};

function optional<T>(id: string | undefined, make: (id: string) => T): T | undefined {
  return id === undefined ? undefined : make(id);
}

/** A post that nobody shared has no `shares`. */
function sharesOf({ length: count }: readonly unknown[]): { readonly count: number } | undefined {
  return count === 0 ? undefined : { count };
}

function statusType({ world }: Call, { media, link }: Node<'post'>): string {
  const [first] = media ?? [];
  if (first !== undefined) return find(world, 'video', first) === undefined ? 'added_photos' : 'added_video';
  return link === undefined ? 'mobile_status_update' : 'shared_story';
}

/** The posts on a Page; of one author only, where one is given. */
function postsOf(call: Call, page: Node<'page'>, author?: string): Node<'post'>[] {
  const inTime = v.timeWindow(call);
  const isBy = ({ from }: Node<'post'>): boolean => author === undefined || from.id === author;
  return listedOn(
    call.world,
    'post',
    page,
    (post) =>
      post.elsewhere !== true && isBy(post) && isPublished(call.world, post) && inTime(post.createdAt),
  );
}

/** Also what tags the Page elsewhere. */
function feedOf(call: Call, page: Node<'page'>): Node<'post'>[] {
  const inTime = v.timeWindow(call);
  const tagging = taggedOf(call, page).filter(({ createdAt }) => inTime(createdAt));
  return [...postsOf(call, page), ...tagging].toSorted((a, b) => b.createdAt - a.createdAt);
}

function taggedOf({ world }: Call, page: Node<'page'>): Node<'post'>[] {
  return listedOn(world, 'post', page, (post) => post.elsewhere === true);
}

function scheduledOf({ world }: Call, page: Node<'page'>): Node<'post'>[] {
  return listedOn(world, 'post', page, (post) => post.scheduledAt !== undefined && !isPublished(world, post));
}

/** The video that a post publishes. */
function videoOf(world: World, { media: [id = ''] = [] }: Node<'post'>): Node<'video'> | undefined {
  return find(world, 'video', id);
}

/** A video goes with its post. */
const remove = deletes('pageId', (world, post: Node<'post'>) => [videoOf(world, post)?.id]);

const publishedPosts = lists(postShape, (call, page: Node<'page'>) => postsOf(call, page, page.id), {
  by: 'time',
});
const visitors = lists(postShape, (call, page: Node<'page'>) =>
  call.world.tuning.pages.visitorPosts
    ? postsOf(call, page).filter(({ from }) => from.id !== page.id)
    : v.denied('Permissions error'),
);
const listParams = 'include_hidden show_expired with since until __paging_token';
const feedParams = `
  attached_media call_to_action feed_targeting link message place published scheduled_publish_time tags targeting
  unpublished_content_type
`;
const updateParams = 'is_hidden is_pinned is_published message scheduled_publish_time';

/** Reads the Page's own posts. */
const readingOwn: Access<unknown> = {
  ...readingAll,
  scopes: ({ world }) =>
    world.tuning.pages.openPosts ? ['pages_read_engagement'] : ['pages_read_engagement', ...ofVisitors],
};

export const postRoutes: readonly Route[] = [
  on('GET', 'page', 'posts', readingOwn, publishedPosts, listParams),
  on('GET', 'page', 'published_posts', readingOwn, publishedPosts, listParams),
  on('GET', 'page', 'feed', readingAll, lists(postShape, feedOf, { by: 'time' }), listParams),
  on('GET', 'page', 'visitor_posts', readingAll, visitors, 'include_hidden show_expired with'),
  on('GET', 'page', 'tagged', readingAll, lists(postShape, taggedOf)),
  on('GET', 'page', 'scheduled_posts', readingAll, lists(postShape, scheduledOf)),
  on('POST', 'page', 'feed', publishing, publish, feedParams),
  on('GET', 'post', '', reading, reads(postShape)),
  on('POST', 'post', '', publishing, update, updateParams),
  on('DELETE', 'post', '', publishing, remove),
];
