import { invalid, refuse } from '../errors.ts';
import { digits, defined } from '../json.ts';
import { photoEdges, photoFields, photoParams } from '../knownNames.ts';
import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode, type Shape } from '../select.ts';
import { isFetchable, isText } from '../upload/fetchable.ts';
import { createChecksum } from '../upload/sha256.ts';
import { add, find, listed, recordEffect } from '../world.ts';
import { publishing } from './access.ts';
import { likeFields } from './like.ts';
import type { PageNode, PhotoNode } from './nodes.ts';
import { isFresh } from './postMedia.ts';
import { addPost, isPublished, readPlace } from './postWrites.ts';
import { readSchedule } from './schedule.ts';
import { createStory } from './story.ts';
import { isoTime, oneOf } from './values.ts';

const mostBytes = 10 * 1024 * 1024;
const formats = /\.(jpe?g|bmp|png|gif|tiff?)$/i;

const photoShape: Shape<PhotoNode> = {
  type: 'Photo',
  fields: photoFields,
  defaults: ['created_time', 'name'],
  edges: photoEdges,
  read: (photo) => ({
    id: photo.id,
    created_time: isoTime(photo.createdAt),
    updated_time: isoTime(photo.createdAt),
    name: photo.message,
    alt_text_custom: photo.altText,
    page_story_id: photo.postId,
    can_delete: true,
    link: `https://page.sandbox.test/photo/${photo.id}`,
  }),
  expand: likeFields,
};

export const photoRoutes: readonly Route[] = [
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'photo',
    tokens: ['page'],
    scopes: ['pages_read_engagement'],
    run: (call, photo) => readNode(call, photoShape, photo),
  }),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'page',
    edge: 'photos',
    tokens: ['page'],
    scopes: ['pages_read_engagement'],
    params: ['type'],
    run: (call, page) => {
      // No Page of the sandbox has a profile picture that is a photo, or is tagged in one.
      const isUploaded = oneOf(call.params, 'type', ['profile', 'tagged', 'uploaded']) === 'uploaded';
      const posts = listed(
        call.world,
        'post',
        (post) => post.pageId === page.id && isPublished(call.world, post),
      );
      const shown = new Set(posts.flatMap(({ media = [] }) => media));
      return list(
        call,
        photoShape,
        listed(call.world, 'photo', (photo) => isUploaded && photo.pageId === page.id && shown.has(photo.id)),
      );
    },
  }),
  onNode({
    ...publishing,
    method: 'DELETE',
    on: 'photo',
    run: ({ world }, photo) => {
      world.nodes.delete(photo.id);
      if (photo.postId !== undefined) world.nodes.delete(photo.postId);
      recordEffect(world, 'delete', photo.id, photo.pageId, {});
      return { success: true };
    },
  }),
  onNode({
    ...publishing,
    method: 'POST',
    on: 'page',
    edge: 'photos',
    params: [...photoParams, 'source'],
    run: upload,
  }),
  onNode({
    ...publishing,
    method: 'POST',
    on: 'page',
    edge: 'photo_stories',
    params: ['photo_id'],
    required: ['photo_id'],
    run: publish,
  }),
];

function upload(call: Call, page: PageNode): unknown {
  const { world, params, files } = call;
  const url = sourceOf(params, files);
  if (!/^\d*$/.test(params['scheduled_publish_time'] ?? '')) {
    return invalid('Param scheduled_publish_time must be an unsigned integer');
  }
  const { published, scheduledAt } = readSchedule(call);
  const place = readPlace(call);
  const isKept = !published && scheduledAt === undefined;
  const message = params['message'] ?? params['caption'] ?? params['name'];
  const altText = params['alt_text_custom'];
  const photo = add<PhotoNode>(world, {
    kind: 'photo',
    id: world.newId(),
    owners: [page.id],
    createdAt: world.now(),
    pageId: page.id,
    url,
    message,
    altText,
    used: !isKept,
  });
  const more = defined({ message, altText, scheduledAt, ...place });
  recordEffect(world, 'photo', photo.id, page.id, { url, published, ...more });
  if (isKept) return { id: photo.id };
  const media = [photo.id];
  const post = { ...place, published, scheduledAt, message, link: undefined, media };
  photo.postId = addPost(world, page, post).id;
  return published ? { id: photo.id, post_id: photo.postId } : { id: photo.id };
}

function publish({ world, params }: Call, page: PageNode): unknown {
  const photo = find(world, 'photo', params['photo_id'] ?? '');
  if (photo === undefined || photo.pageId !== page.id) return invalid('Invalid photo_id');
  if (photo.used) return invalid('This photo was already posted.', 1_366_051);
  if (!isFresh(world, photo)) return invalid('The unpublished photo has expired.');
  photo.used = true;
  const story = createStory(world, page, photo.id, 'photo');
  recordEffect(world, 'photo_story', story.id, page.id, { photo_id: photo.id });
  return { success: true, post_id: digits(story.id) };
}

/** The address of a photo, or a text that identifies its bytes. */
function sourceOf(params: Call['params'], { source }: Call['files']): string {
  const { url } = params;
  if (source !== undefined) {
    if (url !== undefined) return invalid('Specify either url or source');
    if (source.length > mostBytes) return unfit(1_366_046);
    if (source.length === 0) return unfit();
    return isText(source) ? unfit(2_069_019) : `bytes:${sha256(source)}`;
  }
  if (url === undefined) return unfit();
  if (!/^https?:/.test(url) || !URL.canParse(url)) return invalid('url should represent a valid URL');
  if (!isFetchable(url)) return unfit(2_069_019);
  const { pathname } = new URL(url);
  return /\.\w+$/.test(pathname) && !formats.test(pathname) ? unfit(2_069_019) : url;
}

function unfit(error_subcode?: number): never {
  const message = '(#324) Missing or invalid image file';
  return refuse({ code: 324, message, ...(error_subcode === undefined ? {} : { error_subcode }) });
}

function sha256(bytes: Uint8Array): string {
  const checksum = createChecksum();
  checksum.add(bytes);
  return checksum.hex();
}
