import { invalid, refuse } from '../errors.ts';
import { flag, names, oneOf } from '../page/values.ts';
import type { Call } from '../route.ts';
import { isFetchable } from '../upload/fetchable.ts';
import { readDetails, type Details } from './containerDetails.ts';
import type { PicsContainerNode } from './nodes.ts';

/** The content of a container as requested, before its children are looked up. */
export type Content = Details &
  Pick<
    PicsContainerNode,
    'type' | 'carouselItem' | 'resumable' | 'imageUrl' | 'videoUrl' | 'caption' | 'childIds'
  >;

export function readContent(call: Call): Content {
  const { params } = call;
  const type = params['media_type'] ?? 'IMAGE';
  const carouselItem = flag(params, 'is_carousel_item') ?? false;
  // Not documented, but sent by clients that work.
  const isNamed = params['media_type'] === 'IMAGE';
  if ((isNamed && call.world.strict) || !isType(type) || (type === 'VIDEO' && !carouselItem))
    return unknownType(type);
  const content: Content = {
    ...readDetails(call, type, carouselItem),
    type,
    carouselItem,
    resumable: oneOf(params, 'upload_type', ['resumable']) !== undefined,
    imageUrl: params['image_url'],
    videoUrl: params['video_url'],
    caption: params['caption'],
    childIds: names(params['children']),
  };
  checkParts(content, params);
  checkText(content);
  for (const url of [content.imageUrl, content.videoUrl, content.coverUrl]) {
    if (url !== undefined) checkUrl(url);
  }
  if (content.imageUrl !== undefined) checkFormat(content.imageUrl, /\.jpe?g$/i, notJpeg);
  if (content.videoUrl !== undefined) checkFormat(content.videoUrl, /\.(mov|mp4)$/i, notVideo);
  return content;
}

const types = ['IMAGE', 'VIDEO', 'REELS', 'CAROUSEL', 'STORIES'] as const;

function isType(text: string): text is Content['type'] {
  return types.some((type) => type === text);
}

function unknownType(type: string): never {
  const message =
    type === 'VIDEO'
      ? 'The media_type VIDEO is no longer supported: use REELS to publish a video'
      : `Unknown media_type: ${type}`;
  return invalid(message, 2_207_023);
}

/** Checks that the content has what its type requires, and nothing that its type does not allow. */
function checkParts(content: Content, params: Call['params']): void {
  const { type, carouselItem, resumable, imageUrl, videoUrl, childIds } = content;
  if (resumable && (imageUrl ?? videoUrl) !== undefined) invalid('A resumable upload has no address');
  if (resumable && (type === 'IMAGE' || type === 'CAROUSEL')) invalid('Only videos can be uploaded');
  if (imageUrl !== undefined && videoUrl !== undefined) invalid('image_url and video_url exclude each other');
  if (type === 'IMAGE' && imageUrl === undefined) invalid('The parameter image_url is required');
  if ((type === 'REELS' || type === 'VIDEO') && videoUrl === undefined && !resumable)
    invalid('The parameter video_url is required');
  if (type === 'STORIES' && imageUrl === undefined && videoUrl === undefined && !resumable)
    invalid('The parameter image_url or video_url is required');
  if (carouselItem && type !== 'IMAGE' && type !== 'VIDEO')
    invalid(`A container of type ${type} cannot be a carousel item`);
  if (type !== 'CAROUSEL') {
    if (params['children'] !== undefined) invalid('Only a carousel has children');
    return;
  }
  if (imageUrl !== undefined || videoUrl !== undefined) invalid('A carousel has no media of its own');
  if (childIds.length < 2 || childIds.length > 10)
    invalid('The carousel must have between 2 and 10 items', 2_207_028);
}

function checkText({ caption = '', altText = '' }: Content): void {
  const hashtags = caption.match(/#[\p{L}\p{N}_]+/gu)?.length ?? 0;
  const mentions = caption.match(/@[\w.]+/g)?.length ?? 0;
  if (Array.from(caption).length > 2200 || hashtags > 30) {
    refuse({ code: 36_004, error_subcode: 2_207_010, message: 'The caption is too long' });
  }
  if (mentions > 20) invalid('Cannot have more than 20 tags', 2_207_040);
  if (Array.from(altText).length > 1000) invalid('The alt_text is too long');
}

/** The platform fetches the media: an address must be public, HTTPS and ASCII. Hosts below `.invalid` cannot be reached. */
function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const ascii = /^[\x21-\x7e]+$/.test(text);
  if (ascii && url?.protocol === 'https:' && isFetchable(text)) return;
  refuse({
    code: 9004,
    error_subcode: 2_207_052,
    message: 'The media could not be fetched from this URI',
    error_user_title: 'Media download has failed.',
    error_user_msg: `The media could not be fetched from this URI: ${text}`,
  });
}

function checkFormat(text: string, allowed: RegExp, fail: () => never): void {
  const { pathname } = new URL(text);
  if (/\.\w{2,5}$/.test(pathname) && !allowed.test(pathname)) fail();
}

function notJpeg(): never {
  return refuse({
    code: 36_001,
    error_subcode: 2_207_005,
    message: 'The image format is not supported. Supported formats: JPEG',
  });
}

function notVideo(): never {
  return refuse({ code: 352, error_subcode: 2_207_026, message: 'The video format is not supported' });
}
