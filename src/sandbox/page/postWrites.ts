import { invalid, refuse } from '../errors.ts';
import { defined } from '../json.ts';
import type { Call } from '../route.ts';
import { add, find, recordEffect, type World } from '../world.ts';
import type { PageNode, PostNode } from './nodes.ts';
import { takeMedia } from './postMedia.ts';
import { readSchedule, scheduleOf } from './schedule.ts';
import { flag, jsonParam, names } from './values.ts';

/** Whether people see a post: it was published by a call, or its time has come. */
export function isPublished(world: World, { published, scheduledAt }: PostNode): boolean {
  return published || (scheduledAt !== undefined && scheduledAt <= world.now());
}

const mostText = 63_206;

/** The text of a post, which has a limit. */
function textOf({ params }: Call): string | undefined {
  const { message } = params;
  return message === undefined || Array.from(message).length <= mostText
    ? message
    : invalid(`Param message must be no more than ${mostText} characters long`);
}

/** Makes a post of a text or a link. */
export function publish(call: Call, page: PageNode): unknown {
  const { world, params } = call;
  const { link } = params;
  const message = textOf(call);
  const schedule = readSchedule(call);
  if (link !== undefined && !URL.canParse(link)) return invalid('link should represent a valid URL');
  const callToAction = jsonParam(params, 'call_to_action');
  const targeting = jsonParam(params, 'targeting');
  const feedTargeting = jsonParam(params, 'feed_targeting');
  if (callToAction !== undefined && link === undefined) {
    return invalid('call_to_action is only for posts with a link');
  }
  const place = readPlace(call);
  const media = takeMedia(call, page, schedule);
  if (message === undefined && link === undefined && media === undefined) {
    return invalid('Missing message or attachment');
  }
  refuseDuplicate(world, page, message);
  const post = addPost(world, page, {
    ...schedule,
    ...place,
    message,
    link,
    callToAction,
    targeting,
    feedTargeting,
    media,
  });
  const { published, scheduledAt } = schedule;
  const content = { message, link, published, ...defined({ scheduledAt, media, ...place }) };
  recordEffect(world, 'post', post.id, page.id, content);
  return { id: post.id };
}

function refuseDuplicate(world: World, page: PageNode, message: string | undefined): void {
  const forMs = world.tuning.posts.refuseDuplicatesForMs;
  if (forMs === 0 || message === undefined) return;
  const since = world.now() - forMs;
  const posts = [...world.nodes.ofKind('post')];
  const isOld = posts.every(
    (post) => post.from.id !== page.id || post.message !== message || post.createdAt <= since,
  );
  if (isOld) return;
  refuse({
    code: 506,
    message: '(#506) Duplicate status message',
    error_user_title: 'Duplicate Status Update',
    error_user_msg: 'This status update is identical to the last one you posted.',
  });
}

/** The place of a post, which is a Page, and the people who are tagged there. */
export function readPlace({ world, params }: Call): Pick<PostNode, 'placeId' | 'tagIds'> {
  const { place: placeId, tags } = params;
  const tagIds = names(tags);
  if (placeId === undefined) {
    return tagIds.length === 0 ? {} : invalid('You cannot specify tags without also specifying a place');
  }
  if (find(world, 'page', placeId) === undefined)
    return invalid('Param place must be the ID of a Page with a location');
  if (!tagIds.every((id) => /^\d+$/.test(id))) return invalid('Param tags must be an array of user IDs');
  return { placeId, ...(tagIds.length > 0 && { tagIds }) };
}

type Content = Partial<PostNode> & Pick<PostNode, 'published' | 'message' | 'link'>;

/** Adds a post, by the Page itself unless `from` names another author. */
export function addPost(world: World, page: PageNode, content: Content): PostNode {
  const { from = { id: page.id, name: page.name }, elsewhere = false } = content;
  return add<PostNode>(world, {
    createdAt: world.now(),
    clicks: 0,
    ...content,
    kind: 'post',
    id: `${elsewhere ? from.id : page.id}_${world.newId()}`,
    owners: [page.id],
    pageId: page.id,
    from,
  });
}

/** Changes a post of the app: its text and time, and whether it is shown. */
export function update(call: Call, post: PostNode): unknown {
  const { world, params } = call;
  const isNow = flag(params, 'is_published');
  const hidden = flag(params, 'is_hidden');
  const pinned = flag(params, 'is_pinned');
  const message = textOf(call);
  const scheduledAt = scheduleOf(call);
  if (post.from.id !== post.pageId) return invalid('You can only edit posts that your app has created');
  if (isNow === false && isPublished(world, post)) return invalid('A published post cannot be unpublished');
  if (scheduledAt !== undefined && isPublished(world, post)) {
    return invalid('You cannot specify a scheduled publish time on a published post');
  }
  post.message = message ?? post.message;
  post.scheduledAt = scheduledAt ?? post.scheduledAt;
  post.hidden = hidden ?? post.hidden ?? false;
  post.published ||= isNow === true;
  const content = { message, scheduledAt, hidden, pinned, published: isNow };
  recordEffect(world, 'post_update', post.id, post.pageId, content);
  return { success: true };
}
