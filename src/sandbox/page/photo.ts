import { day } from '../auth/tokens.ts';
import { invalid, refuse } from '../errors.ts';
import { digits } from '../json.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { add, find, recordEffect } from '../world.ts';
import { photoParams } from './knownNames.ts';
import type { PageNode, PhotoNode } from './nodes.ts';
import { createStory } from './story.ts';
import { flag } from './values.ts';

const scopes = ['pages_manage_posts', 'pages_read_engagement'];
const formats = /\.(jpe?g|bmp|png|gif|tiff?)$/i;

export const photoRoutes: readonly Route[] = [
  onNode({
    method: 'POST',
    hosts: ['graph'],
    on: 'page',
    edge: 'photos',
    tokens: ['page'],
    scopes,
    params: photoParams,
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

function upload({ world, params }: Call, page: PageNode): unknown {
  const url = params['url'];
  if (url === undefined) return refuse({ code: 324, message: '(#324) Missing or invalid image file' });
  if (!/^https?:/.test(url) || !URL.canParse(url)) return invalid('url should represent a valid URL');
  const { pathname } = new URL(url);
  if (/\.\w+$/.test(pathname) && !formats.test(pathname)) {
    return refuse({ code: 324, error_subcode: 2_069_019, message: '(#324) Missing or invalid image file' });
  }
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
