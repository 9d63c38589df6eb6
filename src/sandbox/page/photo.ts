import { day } from '../auth/tokens.ts';
import { invalid, refuse } from '../errors.ts';
import { digits } from '../json.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { createChecksum } from '../upload/sha256.ts';
import { add, find, recordEffect } from '../world.ts';
import { photoParams } from './knownNames.ts';
import type { PageNode, PhotoNode } from './nodes.ts';
import { createStory } from './story.ts';
import { flag } from './values.ts';

const scopes = ['pages_manage_posts', 'pages_read_engagement'];
const mostBytes = 10 * 1024 * 1024;
const formats = /\.(jpe?g|bmp|png|gif|tiff?)$/i;

export const photoRoutes: readonly Route[] = [
  onNode({
    method: 'POST',
    hosts: ['graph'],
    on: 'page',
    edge: 'photos',
    tokens: ['page'],
    scopes,
    params: [...photoParams, 'source'],
    run: upload,
  }),
  onNode({
    method: 'POST',
    hosts: ['graph'],
    on: 'page',
    edge: 'photo_stories',
    tokens: ['page'],
    scopes: [...scopes, 'pages_show_list'],
    params: ['photo_id'],
    required: ['photo_id'],
    run: publish,
  }),
];

function upload({ world, params, files }: Call, page: PageNode): unknown {
  const url = sourceOf(params, files);
  if (params['scheduled_publish_time'] !== undefined)
    return invalid('Scheduled photos are not part of the sandbox');
  const published = flag(params, 'published') ?? true;
  const photo = add<PhotoNode>(world, {
    kind: 'photo',
    id: world.newId(),
    owners: [page.id],
    createdAt: world.now(),
    pageId: page.id,
    url,
    used: published,
  });
  recordEffect(world, 'photo', photo.id, page.id, { url, published });
  return published ? { id: photo.id, post_id: `${page.id}_${world.newId()}` } : { id: photo.id };
}

function publish({ world, params }: Call, page: PageNode): unknown {
  const photo = find(world, 'photo', params['photo_id'] ?? '');
  if (photo === undefined || photo.pageId !== page.id) return invalid('Invalid photo_id');
  if (photo.used) return invalid('This photo was already posted.', 1_366_051);
  if (world.now() - photo.createdAt >= day) return invalid('The unpublished photo has expired.');
  photo.used = true;
  const story = createStory(world, page, photo.id, 'photo');
  recordEffect(world, 'photo_story', story.id, page.id, { photo_id: photo.id });
  return { success: true, post_id: digits(story.id) };
}

/** The address of a photo, or what stands for its bytes. */
function sourceOf(params: Call['params'], { source }: Call['files']): string {
  const { url } = params;
  if (source !== undefined) {
    if (url !== undefined) return invalid('Specify either url or source');
    if (source.length > mostBytes) return unfit(1_366_046);
    return source.length === 0 ? unfit() : `bytes:${sha256(source)}`;
  }
  if (url === undefined) return unfit();
  if (!/^https?:/.test(url) || !URL.canParse(url)) return invalid('url should represent a valid URL');
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
