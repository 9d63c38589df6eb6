import { day } from '../auth/tokens.ts';
import { invalid } from '../errors.ts';
import type { Selection } from '../fields.ts';
import type { Call } from '../route.ts';
import { find, type World } from '../world.ts';
import type { PageNode, PhotoNode, PostNode } from './nodes.ts';
import type { Schedule } from './schedule.ts';

interface Attachment {
  readonly type: string;
  readonly target: { readonly id: string; readonly url: string };
  readonly subattachments?: { readonly data: readonly Attachment[] };
}

/** The attachments of a post: a photo, or an album of several. */
export function attachmentsOf({ world }: Call, { id, media = [] }: PostNode, { fields }: Selection): unknown {
  const [first, ...more] = media.map((mediaId) =>
    toAttachment(find(world, 'video', mediaId) === undefined ? 'photo' : 'video_inline', mediaId),
  );
  if (first === undefined) return undefined;
  const shown =
    more.length === 0 ? first : { ...toAttachment('album', id), subattachments: { data: [first, ...more] } };
  return { data: [pick(shown, fields)] };
}

function toAttachment(type: string, id: string): Attachment {
  return { type, target: { id, url: `https://page.sandbox.test/media/${id}` } };
}

function pick(attachment: Attachment, fields: readonly Selection[] | undefined): object {
  if (fields === undefined) return attachment;
  const entries = fields
    .filter(({ name }) => name in attachment)
    .map((one) => {
      const inner = one.name === 'subattachments' ? attachment.subattachments?.data : undefined;
      const value = inner
        ? { data: inner.map((sub) => pick(sub, one.fields)) }
        : attachment[one.name as keyof Attachment];
      return [one.name, value] as const;
    });
  return Object.fromEntries(entries);
}

/** The photos that a post is to show, which it uses up. */
export function takeMedia(
  call: Call,
  page: PageNode,
  { scheduledAt }: Schedule,
): readonly string[] | undefined {
  const text = call.params['attached_media'];
  if (text === undefined) return undefined;
  const photos = mediaIds(text).map((id) => find(call.world, 'photo', id));
  if (photos.length === 0 || photos.some((photo) => photo?.pageId !== page.id)) {
    return invalid('Invalid media_fbid in attached_media');
  }
  const known = photos as readonly PhotoNode[];
  if (known.some(({ used }) => used)) return invalid('This photo was already posted.', 1_366_051);
  if (known.some((photo) => !isFresh(call.world, photo)))
    return invalid('The unpublished photo has expired.');
  if (new Set(known).size < known.length) return invalid('attached_media holds a photo twice');
  if (scheduledAt !== undefined && call.params['unpublished_content_type'] !== 'SCHEDULED') {
    return invalid('unpublished_content_type must be SCHEDULED for scheduled posts of photos');
  }
  for (const photo of known) photo.used = true;
  return known.map(({ id }) => id);
}

function mediaIds(text: string): readonly string[] {
  try {
    const media = JSON.parse(text) as readonly { readonly media_fbid: unknown }[];
    return media.map(({ media_fbid }) => String(media_fbid));
  } catch {
    return invalid('Param attached_media must be an array');
  }
}

/** Whether an unpublished photo can still be used. */
export function isFresh(world: World, { createdAt }: PhotoNode): boolean {
  return world.now() - createdAt < day;
}
