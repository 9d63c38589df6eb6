import { fieldsOf } from '../../core/objects.ts';
import { checkText } from '../../models/checkText.ts';
import { subcodeOf, textOf } from '../mediaRules.ts';
import type { ContainerContent, ContainerDetails, Node } from '../nodes.ts';
import { type Call, inBothModes, loginMode, on, type Route } from '../route.ts';
import { reads, type Shape } from '../shapes.ts';
import { day } from '../tokens.ts';
import { flag, invalid, isFetchable, names, oneOf, parsed, refuse, wordsIn } from '../values.ts';
import { created, find, make, recordEffect, type World } from '../world.ts';
import { invited, makeMedia } from './media.ts';

type ContainerState = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

/** The state of a container by the sandbox clock. */
function stateOf(world: World, container: Node<'picsContainer'>): ContainerState {
  const now = world.now();
  if (container.publishedAt !== undefined) return 'PUBLISHED';
  if (now - container.createdAt >= day) return 'EXPIRED';
  if (now < readyAt(container)) return 'IN_PROGRESS';
  return failureOf(world, container) === undefined ? 'FINISHED' : 'ERROR';
}

function failureOf(world: World, { id, failure }: Node<'picsContainer'>): Node<'picsContainer'>['failure'] {
  const { isText: isBad = false, refused } = world.uploads.get(id) ?? {};
  if (refused) return failure ?? { subcode: subcodeOf(refused) ?? 2_207_026, text: textOf(refused) };
  return failure ?? (isBad ? { subcode: 2_207_026, text: 'The video format is not supported.' } : undefined);
}

/** The platform begins to process an uploaded video when its last byte has arrived. */
function readyAt({
  resumable,
  readyAt: at,
  createdAt,
  uploadedAt = Infinity,
}: Node<'picsContainer'>): number {
  return resumable ? uploadedAt + (at - createdAt) : at;
}

function videoStatus(world: World, container: Node<'picsContainer'>): object | undefined {
  if (!container.resumable) return undefined;
  const bytes = world.uploads.get(container.id)?.bytes ?? 0;
  const state = stateOf(world, container);
  const isUploaded = container.uploadedAt !== undefined;
  const processing = state === 'ERROR' ? 'error' : state === 'IN_PROGRESS' ? 'in_progress' : 'complete';
  return {
    uploading_phase: {
      status: isUploaded ? 'complete' : bytes > 0 ? 'in_progress' : 'not_started',
      bytes_transferred: bytes,
    },
    processing_phase: { status: isUploaded ? processing : 'not_started' },
  };
}

const texts: Readonly<Record<Exclude<ContainerState, 'ERROR'>, string>> = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  EXPIRED: 'Expired: The container was not published within 24 hours.',
  PUBLISHED: 'Published: Media has already been published.',
};

function statusText(world: World, container: Node<'picsContainer'>): string {
  const state = stateOf(world, container);
  if (state !== 'ERROR') return texts[state];
  const { subcode, text } = failureOf(world, container) ?? {};
  return `Error: Media upload has failed with error code ${subcode}: ${text}`;
}

const containerShape: Shape<Node<'picsContainer'>> = {
  type: 'IGContainer',
  defaults: [],
  blank: 'copyright_check_status',
  fields: {
    id: ({ id }) => id,
    status: (container, { world }) => statusText(world, container),
    status_code: (container, { world }) => {
      const state = stateOf(world, container);
      return state === 'ERROR' && world.tuning.containers.codeless ? '' : state;
    },
    video_status: (container, { world }) => videoStatus(world, container),
  },
};

/** The response when a container is published, or put into a carousel, before it is ready. */
function notReady(): never {
  return refuse(9007, 'Media ID is not available', {
    error_subcode: 2_207_027,
    error_user_title: 'The media is not ready for publishing, please wait for a moment',
    error_user_msg: 'The media is not ready for publishing, please wait for a moment.',
  });
}

/** How much was published since a time. Each media counts once: a carousel too, and one that was deleted later. */
export function publishedSince(world: World, accountId: string, since: number): number {
  return [...world.nodes.ofKind('picsContainer')].filter(
    (one) => one.accountId === accountId && one.publishedAt !== undefined && one.publishedAt > since,
  ).length;
}

type Params = Call['params'];
type Type = Node<'picsContainer'>['type'];

/** Parameters of only some types of containers. */
const homes: Readonly<Record<string, readonly Type[]>> = {
  caption: ['IMAGE', 'REELS', 'CAROUSEL'],
  alt_text: ['IMAGE'],
  location_id: ['IMAGE', 'REELS', 'CAROUSEL'],
  collaborators: ['IMAGE', 'REELS', 'CAROUSEL'],
  is_ai_generated: ['IMAGE', 'REELS', 'STORIES', 'CAROUSEL'],
  branded_content_sponsor_ids: ['IMAGE', 'REELS', 'CAROUSEL'],
  is_paid_partnership: ['IMAGE', 'REELS', 'CAROUSEL'],
  user_tags: ['IMAGE', 'REELS', 'STORIES'],
  product_tags: ['IMAGE', 'REELS'],
  cover_url: ['REELS'],
  thumb_offset: ['REELS', 'VIDEO'],
  audio_name: ['REELS'],
  audio_configuration: ['REELS'],
  trial_params: ['REELS'],
  share_to_feed: ['REELS'],
  poll_attachment: ['IMAGE', 'REELS', 'CAROUSEL'],
  is_poll_duration_extended: ['IMAGE', 'REELS', 'CAROUSEL'],
  is_comment_prompt_used: ['IMAGE', 'REELS', 'CAROUSEL'],
};
/** Those that items of a carousel may have. */
const onItems = ['alt_text', 'user_tags', 'product_tags', 'thumb_offset'];
const inPageModeOnly = wordsIn(`
  product_tags branded_content_sponsor_ids is_paid_partnership poll_attachment is_poll_duration_extended
  is_comment_prompt_used
`);

/** Reads the parameters that describe the media, and refuses those that its type does not have. */
function readDetails(call: Call, type: Type, isItem: boolean): ContainerDetails {
  const { params } = call;
  for (const [name, types] of Object.entries(homes)) {
    if (params[name] === undefined) continue;
    if (isItem && !onItems.includes(name)) invalid(`The param ${name} is not allowed on a carousel item`);
    if (!types.includes(type)) invalid(`The param ${name} is not allowed on a container of type ${type}`);
  }
  const odd = inPageModeOnly.find((name) => params[name] !== undefined);
  if (odd !== undefined && loginMode(call)) invalid(`The param ${odd} is not allowed`);
  const locationId = params['location_id'];
  if (locationId !== undefined && !/^\d+$/.test(locationId)) invalid('INVALID_LOCATION_ID');
  return {
    altText: params['alt_text'],
    locationId,
    collaborators: names(params['collaborators']),
    aiGenerated: flag(params, 'is_ai_generated') ?? false,
    sponsorIds: sponsorsIn(params),
    paidPartnership: flag(params, 'is_paid_partnership') ?? false,
    userTags: readUserTags(params, type),
    productTags: readTags(params, 'product_tags', 'product_id').map(({ product_id, x, y }) => ({
      product_id: String(product_id),
      ...(typeof x === 'number' && { x }),
      ...(typeof y === 'number' && { y }),
    })),
    coverUrl: params['cover_url'],
    thumbOffset: readOffset(params),
    audioName: params['audio_name'],
    audio: readAudio(call),
    trial: readTrial(params),
    sharedToFeed: flag(params, 'share_to_feed'),
    ...readAddOn(params),
  };
}

/** A poll or a prompt for comments, one at most, with the caption for its question. */
function readAddOn(params: Params): Pick<ContainerDetails, 'poll' | 'prompted'> {
  const attachment = readJson(params, 'poll_attachment');
  const prompted = flag(params, 'is_comment_prompt_used') ?? false;
  const isEndless = flag(params, 'is_poll_duration_extended') ?? false;
  if (attachment === undefined && !prompted) return { poll: undefined, prompted };
  if (attachment !== undefined && prompted) invalid('A media has one caption add-on at most');
  if ((params['caption'] ?? '').trim() === '') invalid('A caption add-on needs a caption');
  const poll = fieldsOf(attachment);
  const options = ['a', 'b', 'c', 'd'].flatMap((letter) => poll[`option_${letter}`] ?? []);
  const isFit = options.every((one) => typeof one === 'string' && one !== '');
  if (prompted) return { poll: undefined, prompted };
  return isFit && poll['option_a'] !== undefined && poll['option_b'] !== undefined
    ? { poll: { options: options.map(String), isEndless }, prompted }
    : invalid('Param poll_attachment must have option_a and option_b');
}

type Tag = Readonly<Record<string, unknown>>;

/** Tags on an image need a position, tags on a video must not have one, tags on a story may. */
function readUserTags(params: Params, type: Type): readonly Tag[] {
  const tags = readTags(params, 'user_tags', 'username');
  if (tags.length > 20) invalid('Cannot have more than 20 tags', 2_207_040);
  for (const { x, y } of tags) {
    if (type === 'IMAGE' && (x === undefined || y === undefined)) invalid('user_tags: x and y are required');
    if (type === 'REELS' && (x !== undefined || y !== undefined))
      invalid('user_tags: a video has no x and y');
  }
  return tags;
}

function readTags(params: Params, name: string, key: string): readonly Tag[] {
  const tags = readJson(params, name);
  if (tags === undefined) return [];
  if (!Array.isArray(tags)) return invalid(`Param ${name} must be an array`);
  return tags.map((item: unknown) => {
    const tag = fieldsOf(item);
    const isPlaced = [tag['x'], tag['y']].every((at) => at === undefined || isPlace(at));
    return typeof tag[key] === 'string' && isPlaced ? tag : invalid(`Param ${name} is malformed`);
  });
}

/** A coordinate on an image, as a share of its width or height. */
export function isPlace(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** At most two accounts. */
function sponsorsIn(params: Params): readonly string[] {
  const ids = names(params['branded_content_sponsor_ids']);
  if (ids.length > 2 || ids.some((id) => !/^\d+$/.test(id)))
    invalid('Param branded_content_sponsor_ids must have the IDs of at most 2 accounts');
  return ids;
}

function readOffset(params: Params): number | undefined {
  const text = params['thumb_offset'];
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : invalid('Param thumb_offset must be an integer');
}

function readAudio({ world, params }: Call): ContainerDetails['audio'] {
  const audio = readJson(params, 'audio_configuration');
  if (audio === undefined) return undefined;
  const { audio_id, audio_volume, video_volume } = fieldsOf(audio);
  const found = typeof audio_id === 'string' ? find(world, 'picsAudio', audio_id) : undefined;
  if (found === undefined) return invalid('Param audio_configuration[audio_id] must be the ID of an audio');
  return { id: found.id, audioVolume: volume(audio_volume), videoVolume: volume(video_volume) };
}

function volume(value: unknown): number | undefined {
  const isFit = value === undefined || (typeof value === 'number' && value >= 0 && value <= 100);
  return isFit ? value : invalid('Param audio_configuration must have volumes from 0 to 100');
}

function readTrial(params: Params): Node<'picsContainer'>['trial'] {
  const trial = readJson(params, 'trial_params');
  if (trial === undefined) return undefined;
  const { graduation_strategy } = fieldsOf(trial);
  return graduation_strategy === 'MANUAL' || graduation_strategy === 'SS_PERFORMANCE'
    ? graduation_strategy
    : invalid('Param trial_params[graduation_strategy] must be one of {MANUAL, SS_PERFORMANCE}');
}

function readJson(params: Params, name: string): unknown {
  const text = params[name];
  if (text === undefined) return undefined;
  const value = parsed(text);
  return value === undefined ? invalid(`Param ${name} must be JSON`) : value;
}

function readContent(call: Call): ContainerContent {
  const { params } = call;
  const type = params['media_type'] ?? 'IMAGE';
  const carouselItem = flag(params, 'is_carousel_item') ?? false;
  // Not documented, but sent by clients that work.
  const isNamed = params['media_type'] === 'IMAGE';
  if ((isNamed && call.world.strict) || !isType(type) || (type === 'VIDEO' && !carouselItem))
    return unknownType(type);
  const content: ContainerContent = {
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
  checkTexts(content);
  for (const url of [content.imageUrl, content.videoUrl, content.coverUrl]) {
    if (url !== undefined) checkUrl(url);
  }
  if (content.imageUrl !== undefined) checkFormat(content.imageUrl, /\.(jpe?g|png|gif)$/i, notJpeg);
  if (content.videoUrl !== undefined) checkFormat(content.videoUrl, /\.(mov|mp4)$/i, notVideo);
  return content;
}

const types = ['IMAGE', 'VIDEO', 'REELS', 'CAROUSEL', 'STORIES'] as const;

function isType(text: string): text is ContainerContent['type'] {
  return types.some((type) => type === text);
}

function unknownType(type: string): never {
  const retired = 'The media_type VIDEO is no longer supported: use REELS to publish a video';
  return invalid(type === 'VIDEO' ? retired : `Unknown media_type: ${type}`, 2_207_023);
}

/** Checks that the content has what its type requires, and nothing that its type does not allow. */
function checkParts(content: ContainerContent, params: Call['params']): void {
  const { type, carouselItem, resumable, childIds } = content;
  const hasImage = content.imageUrl !== undefined;
  const hasVideo = content.videoUrl !== undefined;
  const isVideo = type === 'REELS' || type === 'VIDEO';
  if (resumable && (hasImage || hasVideo)) invalid('A resumable upload has no address');
  if (resumable && !isVideo && type !== 'STORIES') invalid('Only videos can be uploaded');
  if (hasImage && hasVideo) invalid('image_url and video_url exclude each other');
  if (type === 'IMAGE' && !hasImage) invalid('The parameter image_url is required');
  if (isVideo && !hasVideo && !resumable) invalid('The parameter video_url is required');
  const isEmpty = !hasImage && !hasVideo && !resumable;
  if (type === 'STORIES' && isEmpty) invalid('The parameter image_url or video_url is required');
  const canBeItem = type === 'IMAGE' || type === 'VIDEO';
  if (carouselItem && !canBeItem) invalid(`A container of type ${type} cannot be a carousel item`);
  if (type !== 'CAROUSEL') {
    if (params['children'] !== undefined) invalid('Only a carousel has children');
    return;
  }
  if (hasImage || hasVideo) invalid('A carousel has no media of its own');
  if (childIds.length < 2 || childIds.length > 10)
    invalid('The carousel must have between 2 and 10 items', 2_207_028);
}

function checkTexts({ caption = '', altText = '' }: ContainerContent): void {
  const over = checkText(caption, 'pics.caption').over.map(({ what }) => what);
  if (over.includes('characters') || over.includes('hashtags')) {
    refuse(36_004, 'The caption is too long', { error_subcode: 2_207_010 });
  }
  if (over.includes('mentions')) invalid('Cannot have more than 20 tags', 2_207_040);
  if (checkText(altText, 'pics.altText').over.length > 0) invalid('The alt_text is too long');
}

/** The platform fetches the media: an address must be public, HTTPS and ASCII. Hosts below `.invalid` cannot be reached. */
function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const ascii = /^[\x21-\x7e]+$/.test(text);
  if (ascii && url?.protocol === 'https:' && isFetchable(text)) return;
  refuse(9004, 'The media could not be fetched from this URI', {
    error_subcode: 2_207_052,
    error_user_title: 'Media download has failed.',
    error_user_msg: `The media could not be fetched from this URI: ${text}`,
  });
}

function checkFormat(text: string, allowed: RegExp, fail: () => never): void {
  const { pathname } = new URL(text);
  if (/\.\w{2,5}$/.test(pathname) && !allowed.test(pathname)) fail();
}

/** Only JPEG is documented, but no refusal of a PNG was seen: what is uncertain is not refused. */
function notJpeg(): never {
  return refuse(36_001, 'The image format is not supported. Supported formats: JPEG', {
    error_subcode: 2_207_005,
  });
}

function notVideo(): never {
  return refuse(352, 'The video format is not supported', { error_subcode: 2_207_026 });
}

function create(call: Call, account: Node<'picsAccount'>): unknown {
  const { world } = call;
  const content = readContent(call);
  const children = content.childIds.map((id) => childOf(world, account, id));
  const { processingMs, fail, silent } = world.tuning.containers;
  const { audio } = content;
  const isMute = silent && audio !== undefined && audio.videoVolume !== 0;
  const container = make(world, 'picsContainer', account.owners, {
    ...content,
    accountId: account.id,
    readyAt: Math.max(world.now() + processingMs, ...children.map((child) => child.readyAt)),
    failure: fail ?? (isMute ? noSound : undefined) ?? children.find(({ failure }) => failure)?.failure,
  });
  recordEffect(world, 'container', container.id, account.id, { ...content });
  if (!content.resumable) return { id: container.id };
  const uri = `${call.platform.uploadUrl}/ig-api-upload/${call.version}/${container.id}`;
  return { id: container.id, uri };
}

/** The failure of a video without sound to which music is to be added. */
const noSound = { subcode: 2_207_082, text: 'Media upload has failed.' };

function childOf(world: World, account: Node<'picsAccount'>, id: string): Node<'picsContainer'> {
  const child = find(world, 'picsContainer', id);
  if (child === undefined || child.accountId !== account.id || stateOf(world, child) === 'EXPIRED') {
    return refuse(24, `The requested resource does not exist: the media with id ${id} cannot be found`, {
      error_subcode: 2_207_006,
    });
  }
  if (!child.carouselItem) return invalid(`The container ${id} is not a carousel item`);
  // The platform itself waits for the images of a carousel.
  return child.type === 'VIDEO' && stateOf(world, child) === 'IN_PROGRESS' ? notReady() : child;
}

function publish({ world, params }: Call, account: Node<'picsAccount'>): unknown {
  const container = find(world, 'picsContainer', params['creation_id'] ?? '');
  if (container === undefined || container.accountId !== account.id) return lost();
  if (container.carouselItem) return invalid('A carousel item cannot be published by itself');
  checkReady(world, container);
  if (publishedSince(world, account.id, world.now() - day) >= world.tuning.pics.quotaTotal) {
    return refuse(9, 'Application request limit reached', {
      error_subcode: 2_207_042,
      error_user_title: 'The maximum number of posts was reached',
      error_user_msg: 'You have reached the maximum number of posts that the API may publish in 24 hours.',
    });
  }
  container.publishedAt = world.now();
  const media = toMedia(world, container);
  const { id: containerId, type, caption, imageUrl, videoUrl, childIds } = container;
  const content = { containerId, mediaId: media.id, type, caption, imageUrl, videoUrl, childIds };
  return created(world, 'media', media.id, account.id, content);
}

/** A published container is refused like one that is not ready. Only its status shows the difference. */
function checkReady(world: World, container: Node<'picsContainer'>): void {
  const state = stateOf(world, container);
  if (state === 'EXPIRED') return lost();
  if (state !== 'FINISHED') return notReady();
  const { containers } = world.tuning;
  if (containers.notReadyOnPublish <= 0) return;
  const notReadyOnPublish = containers.notReadyOnPublish - 1;
  world.tuning = { ...world.tuning, containers: { ...containers, notReadyOnPublish } };
  notReady();
}

function toMedia(world: World, container: Node<'picsContainer'>): Node<'picsMedia'> {
  const items = container.childIds.flatMap((id) => find(world, 'picsContainer', id) ?? []);
  const { owners, accountId, aiGenerated, caption, altText } = container;
  const common = { owners, accountId, aiGenerated };
  const tagged = [container, ...items].flatMap(({ userTags }) =>
    userTags.map((tag) => String(tag['username']).toLowerCase()),
  );
  const url = urlOf(container) ?? urlOf(items[0]) ?? '';
  const { poll, prompted } = world.tuning.pics.addOns ? container : { poll: undefined, prompted: false };
  const media = makeMedia(world, {
    ...common,
    containerId: container.id,
    type: items.length > 0 ? 'CAROUSEL_ALBUM' : container.imageUrl === undefined ? 'VIDEO' : 'IMAGE',
    product: mediaProducts[container.type] ?? 'FEED',
    caption,
    altText,
    url,
    sharedToFeed: container.type === 'REELS' ? (container.sharedToFeed ?? true) : undefined,
    tagged,
    collaborators: invited(world, container.collaborators),
    productTags: container.productTags,
    poll,
    prompted,
  });
  for (const item of items) {
    makeMedia(world, {
      ...common,
      parentId: media.id,
      containerId: item.id,
      type: item.type === 'VIDEO' ? 'VIDEO' : 'IMAGE',
      product: 'FEED',
      altText: item.altText,
      url: urlOf(item) ?? '',
      productTags: item.productTags,
    });
  }
  return media;
}

function urlOf(container: Node<'picsContainer'> | undefined): string | undefined {
  if (container?.resumable) return `https://cdn.sandbox.test/${container.id}.mp4`;
  return container?.imageUrl ?? container?.videoUrl;
}

const mediaProducts: { readonly [T in Type]?: Node<'picsMedia'>['product'] } = {
  STORIES: 'STORY',
  REELS: 'REELS',
};

function lost(): never {
  return refuse(24, 'The requested resource does not exist', {
    error_subcode: 2_207_008,
    error_user_title: 'Media builder not found',
    error_user_msg: 'The media builder does not exist or has expired.',
  });
}

const containerParams = `
  alt_text audio_configuration audio_name branded_content_sponsor_ids caption children collaborators cover_url image_url
  is_ai_generated is_carousel_item is_comment_prompt_used is_paid_partnership is_poll_duration_extended location_id media_type
  poll_attachment product_tags share_to_feed thumb_offset trial_params upload_type user_tags video_url
`;

export const publishingRoutes: readonly Route[] = [
  on('POST', 'picsAccount', 'media', inBothModes(['content_publish']), create, containerParams),
  on('GET', 'picsContainer', '', inBothModes(['basic']), reads(containerShape)),
  on('POST', 'picsAccount', 'media_publish', inBothModes(['content_publish']), publish, 'creation_id!'),
];
