import type { Params } from '../../core/http/types.ts';
import {
  between,
  fields,
  flag,
  id,
  listOf,
  optional,
  type Rule,
  type Test,
  text,
  that,
} from '../../core/options/check.ts';
import type { PicsContext } from '../context.ts';
import { encodeAddress, mediaAddress } from './mediaAddress.ts';
import type { ImageOptions, PostOptions, ReelOptions, StoryUserTag } from './mediaOptions.ts';

const string = that((value) => typeof value === 'string', 'a string');
const place = between(0, 1);

/** Rules for the options of every post. */
export const postRules: Record<keyof PostOptions, Rule> = {
  caption: optional(string),
  locationId: optional(id),
  collaborators: optional(listOf(text)),
  isAiGenerated: optional(flag),
};

/** Rules for the options of an image. */
export function imageRules({ mode }: PicsContext): Record<keyof ImageOptions, Rule> {
  return {
    altText: optional(string),
    userTags: optional(listOf(fields({ username: text, x: place, y: place }))),
    productTags:
      mode === 'page'
        ? optional(listOf(fields({ productId: id, x: optional(place), y: optional(place) })))
        : absent('page mode'),
  };
}

/** Rules for the options of a story. */
export const storyRules = {
  userTags: optional(listOf(fields({ username: text, x: optional(place), y: optional(place) }))),
  isAiGenerated: optional(flag),
};

export const thumbOffset: Rule = optional(
  that((value) => Number.isSafeInteger(value) && (value as number) >= 0, 'whole milliseconds, from 0 on'),
);

/** Rules for the options of a Reel. */
export const reelRules: Record<keyof ReelOptions, Rule> = {
  coverUrl: optional(mediaAddress),
  thumbOffsetMs: thumbOffset,
  audioName: optional(string),
  trial: optional(
    that((value) => value === 'MANUAL' || value === 'SS_PERFORMANCE', 'MANUAL or SS_PERFORMANCE'),
  ),
  userTags: optional(listOf(fields({ username: text, x: absent('images'), y: absent('images') }))),
  isReel: optional(flag),
  shareToFeed: optional(flag),
};

/** Rules that refuse these options, since they are for something else. */
export function refuse<TName extends string>(
  options: Readonly<Record<TName, unknown>>,
  home: string,
): Record<TName, Rule> {
  return Object.fromEntries(Object.keys(options).map((name) => [name, absent(home)])) as Record<TName, Rule>;
}

function absent(home: string): Test {
  return (value) => (value === undefined ? undefined : `is for ${home} only`);
}

/** The rules of one kind of media or the other, whichever it turns out to be. */
export function either<TName extends string>(
  isFirst: () => boolean,
  first: Readonly<Record<TName, Rule>>,
  second: Readonly<Record<TName, Rule>>,
): Record<TName, Rule> {
  const rules = Object.keys(first).map((name) => {
    const choose: Rule = (value) => (isFirst() ? first : second)[name as TName](value);
    return [name, choose];
  });
  return Object.fromEntries(rules) as Record<TName, Rule>;
}

/** Options of any post, as parameters of its container. */
export function toPostForm({ caption, locationId, collaborators, isAiGenerated }: PostOptions): Params {
  return {
    caption,
    location_id: locationId,
    collaborators: toList(collaborators, String),
    is_ai_generated: isAiGenerated,
  };
}

/** An image and its options, as parameters of its container. */
export function toImageForm(imageUrl: string, { altText, userTags, productTags }: ImageOptions): Params {
  return {
    image_url: encodeAddress(imageUrl),
    alt_text: altText,
    user_tags: toUserTags(userTags),
    product_tags: toList(productTags, ({ productId, x, y }) => ({ product_id: productId, x, y })),
  };
}

/** Options of a Reel, as parameters of its container. */
export function toReelForm(options: ReelOptions): Params {
  const { coverUrl, thumbOffsetMs, audioName, trial, userTags, isReel, shareToFeed } = options;
  return {
    media_type: 'REELS',
    share_to_feed: shareToFeed ?? (isReel === true ? undefined : true),
    cover_url: coverUrl && encodeAddress(coverUrl),
    thumb_offset: thumbOffsetMs,
    audio_name: audioName,
    trial_params: trial && JSON.stringify({ graduation_strategy: trial }),
    user_tags: toUserTags(userTags),
  };
}

/** Tags as a parameter. */
export function toUserTags(tags: readonly StoryUserTag[] | undefined): string | undefined {
  return toList(tags, ({ username, x, y }) => ({ username, x, y }));
}

/** A list as the platform reads it; an empty one is not sent. */
function toList<TItem>(
  items: readonly TItem[] | undefined,
  toWire: (item: TItem) => unknown,
): string | undefined {
  return items?.length ? JSON.stringify(items.map((item) => toWire(item))) : undefined;
}
