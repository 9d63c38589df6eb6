import { fieldsOf } from '../../core/options/check.ts';
import { invalid } from '../errors.ts';
import { parsed } from '../json.ts';
import { flag, names } from '../page/values.ts';
import type { Call } from '../route.ts';
import { find } from '../world.ts';
import { loginMode } from './access.ts';
import type { PicsContainerNode } from './nodes.ts';

type Params = Call['params'];
type Type = PicsContainerNode['type'];

/** What a container holds besides its media. */
export type Details = Pick<
  PicsContainerNode,
  | 'altText'
  | 'locationId'
  | 'collaborators'
  | 'aiGenerated'
  | 'userTags'
  | 'productTags'
  | 'coverUrl'
  | 'thumbOffset'
  | 'audioName'
  | 'audio'
  | 'trial'
  | 'sharedToFeed'
>;

/** Parameters of only some types of containers, and whether items of a carousel may have them. */
const homes: Readonly<Record<string, readonly [types: readonly Type[], onItems: boolean]>> = {
  caption: [['IMAGE', 'REELS', 'CAROUSEL'], false],
  alt_text: [['IMAGE'], true],
  location_id: [['IMAGE', 'REELS', 'CAROUSEL'], false],
  collaborators: [['IMAGE', 'REELS', 'CAROUSEL'], false],
  is_ai_generated: [['IMAGE', 'REELS', 'STORIES', 'CAROUSEL'], false],
  user_tags: [['IMAGE', 'REELS', 'STORIES'], true],
  product_tags: [['IMAGE', 'REELS'], true],
  cover_url: [['REELS'], false],
  thumb_offset: [['REELS', 'VIDEO'], true],
  audio_name: [['REELS'], false],
  audio_configuration: [['REELS'], false],
  trial_params: [['REELS'], false],
  share_to_feed: [['REELS'], false],
};

/** Reads the parameters that describe the media, and refuses those that its type does not have. */
export function readDetails(call: Call, type: Type, isItem: boolean): Details {
  const { params } = call;
  for (const [name, [types, onItems]] of Object.entries(homes)) {
    if (params[name] === undefined) continue;
    if (isItem && !onItems) invalid(`The param ${name} is not allowed on a carousel item`);
    if (!types.includes(type)) invalid(`The param ${name} is not allowed on a container of type ${type}`);
  }
  for (const name of ['product_tags', 'audio_configuration']) {
    if (params[name] !== undefined && loginMode(call)) invalid(`The param ${name} is not allowed`);
  }
  const locationId = params['location_id'];
  if (locationId !== undefined && !/^\d+$/.test(locationId)) invalid('INVALID_LOCATION_ID');
  return {
    altText: params['alt_text'],
    locationId,
    collaborators: names(params['collaborators']),
    aiGenerated: flag(params, 'is_ai_generated') ?? false,
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
  };
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

function readOffset(params: Params): number | undefined {
  const text = params['thumb_offset'];
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : invalid('Param thumb_offset must be an integer');
}

function readAudio({ world, params }: Call): Details['audio'] {
  const audio = readJson(params, 'audio_configuration');
  if (audio === undefined) return undefined;
  const { audio_id, audio_volume, video_volume } = fieldsOf(audio);
  const found = typeof audio_id === 'string' ? find(world, 'picsAudio', audio_id) : undefined;
  if (found === undefined) return invalid('Param audio_configuration[audio_id] must be the ID of an audio');
  return { id: found.id, audioVolume: volume(audio_volume), videoVolume: volume(video_volume) };
}

function volume(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'number' && value >= 0 && value <= 100
    ? value
    : invalid('Param audio_configuration must have volumes from 0 to 100');
}

function readTrial(params: Params): PicsContainerNode['trial'] {
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
