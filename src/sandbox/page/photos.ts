import { refusedOf } from '../mediaRules.ts';
import type { Node } from '../nodes.ts';
import { type Call, on, publishing, reading, type Route } from '../route.ts';
import { lists, reads, type Shape } from '../shapes.ts';
import { createChecksum } from '../upload.ts';
import { defined, digits, invalid, isFetchable, isoTime, isText, oneOf, refuse } from '../values.ts';
import { deletes, find, isPublished, listedOn, make, recordEffect } from '../world.ts';
import { commentsOn, likeFields } from './comments.ts';
import { placeAt } from './pages.ts';
import { addPost, copyOf, isFresh, readPlace, readSchedule } from './posts.ts';
import { createStory } from './stories.ts';

const maxBytes = 10 * 1024 * 1024;
/** Those that are documented, and those that the platform's own text names besides. */
const formats = /\.(jpe?g|bmp|png|gif|tiff?|webp|hei[cf])$/i;

/** Sides of the copies of a photo, largest first. */
const sizes = [1080, 720, 480, 130] as const;

const photoShape: Shape<Node<'photo'>> = {
  type: 'Photo',
  defaults: ['created_time', 'name'],
  blank: 'backdated_time event name_tags target',
  fields: {
    id: (photo) => photo.id,
    created_time: (photo) => isoTime(photo.createdAt),
    updated_time: (photo) => isoTime(photo.createdAt),
    name: (photo) => photo.message,
    alt_text_custom: (photo) => photo.altText,
    page_story_id: (photo) => photo.postId,
    can_delete: () => true,
    alt_text: (photo) => photo.altText ?? 'May be an image of food',
    from: ({ pageId }, { world }) => ({ name: find(world, 'page', pageId)?.name, id: pageId }),
    height: () => sizes[0],
    width: () => sizes[0],
    icon: () => 'https://cdn.sandbox.test/icons/photo.gif',
    // The platform keeps copies of a photo; their addresses are its own.
    images: ({ id }) => sizes.map((side) => ({ height: side, source: copyOf(id, side), width: side })),
    picture: ({ id }) => copyOf(id, 130),
    place: ({ postId = '' }, { world }) => placeAt(world, find(world, 'post', postId)?.placeId),
    link: (photo) => `https://page.sandbox.test/photo/${photo.id}`,
  },
  expand: {
    comments: (call, photo, selection) => commentsOn(photo)(call, photo, selection),
    ...likeFields,
  },
};

function upload(call: Call, page: Node<'page'>): unknown {
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
  const about = { url, message, altText, used: !isKept };
  const photo = make(world, 'photo', [page.id], { pageId: page.id, ...about });
  const more = defined({ message, altText, scheduledAt, ...place });
  const post = { ...place, byApp: true, published, scheduledAt, message, media: [photo.id] };
  if (!isKept) photo.postId = addPost(world, page, post).id;
  recordEffect(world, 'photo', photo.id, page.id, { url, published, ...more });
  return published ? { id: photo.id, post_id: photo.postId } : { id: photo.id };
}

function publish({ world, params }: Call, page: Node<'page'>): unknown {
  const photo = find(world, 'photo', params['photo_id'] ?? '');
  if (photo?.pageId !== page.id) return invalid('Invalid photo_id');
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
    if (source.length > maxBytes) return unfit(1_366_046);
    if (source.length === 0) return unfit();
    return isText(source) ? unfit(2_069_019) : `bytes:${nameOf(source)}`;
  }
  if (url === undefined) return unfit();
  if (!/^https?:/.test(url) || !URL.canParse(url)) return invalid('url should represent a valid URL');
  if (!isFetchable(url)) return unfit(2_069_019);
  const { pathname } = new URL(url);
  return /\.\w+$/.test(pathname) && !formats.test(pathname) ? unfit(2_069_019) : url;
}

/** A photo is judged before anything is made of it. */
async function judgePhoto({ world, files: { source } }: Call): Promise<void> {
  if (source !== undefined && source.length > 0 && (await refusedOf(world, source, 'page.photo')))
    unfit(1_366_046);
}

function unfit(error_subcode?: number): never {
  const message = '(#324) Missing or invalid image file';
  return refuse(324, message, error_subcode === undefined ? {} : { error_subcode });
}

function nameOf(bytes: Uint8Array): string {
  const checksum = createChecksum();
  checksum.add(bytes);
  return checksum.hex() ?? String(bytes.length);
}

/** The photos that the Page uploaded and published. None is its profile picture, and it is tagged in none. */
function photos({ world, params }: Call, page: Node<'page'>): Node<'photo'>[] {
  if (oneOf(params, 'type', ['profile', 'tagged', 'uploaded']) !== 'uploaded') return [];
  const posts = listedOn(world, 'post', page, (post) => isPublished(world, post));
  const shown = new Set(posts.flatMap(({ media = [] }) => media));
  return listedOn(world, 'photo', page, ({ id }) => shown.has(id));
}

/** A photo that was published alone goes with its post. */
const remove = deletes('pageId', (_, { postId }: Node<'photo'>) => [postId]);

const uploadParams = `
  alt_text_custom caption feed_targeting message name place provenance_info provenance_metadata published scheduled_publish_time
  source tags targeting temporary unpublished_content_type url
`;

export const photoRoutes: readonly Route[] = [
  on('GET', 'page', 'photos', reading, lists(photoShape, photos), 'type'),
  { ...on('POST', 'page', 'photos', publishing, upload, uploadParams), before: judgePhoto },
  on('POST', 'page', 'photo_stories', publishing, publish, 'photo_id!'),
  on('GET', 'photo', '', reading, reads(photoShape)),
  on('DELETE', 'photo', '', publishing, remove),
];
