import type { Params } from '../../core/http/types.ts';
import { fieldsOf } from '../../core/objects.ts';
import * as rule from '../../core/options/rules.ts';
import { inPageMode, type Mode } from '../accountOptions.ts';
import { type AddOnOptions, addOnRules, toAddOnForm } from '../addOns.ts';

interface Username {
  /** With or without its `@`. */
  readonly username: string;
}

interface Position {
  /** Horizontal position, from 0 (left) to 1 (right). */
  readonly x?: number | undefined;
  /** Vertical position, from 0 (top) to 1 (bottom). */
  readonly y?: number | undefined;
}

/** A public account that is shown in a video. */
export interface UserTag extends Username, Without<Position> {}

/** A public account that is shown in an image. */
export interface PlacedUserTag extends Username {
  /** Horizontal position, from 0 (left) to 1 (right). */
  readonly x: number;
  /** Vertical position, from 0 (top) to 1 (bottom). */
  readonly y: number;
}

/** A public account that is shown in a story. The tag is not visible. */
export interface StoryUserTag extends Username, Position {}

/** A product that is shown in an image. */
export interface ProductTag extends Position {
  /** Id of a product of the account's catalog. */
  readonly productId: string;
}

/** Options of every post. */
export interface PostOptions extends AddOnOptions {
  /** At most 2200 characters, 30 hashtags and 20 mentions, as `checkText` of `pagepics/models` counts them. */
  readonly caption?: string | undefined;
  /** Id of a Page that has a location. */
  readonly locationId?: string | undefined;
  /**
   * Usernames of accounts to invite as co-authors, with or without their `@`. The platform documents a limit of 3 in one place, and of 5 in
   * another.
   */
  readonly collaborators?: readonly string[] | undefined;
  /** Labels the post as made with AI. */
  readonly isAiGenerated?: boolean | undefined;
  /**
   * Ids of the professional accounts, 2 at most, that are labeled as sponsors. Page mode only, with the permission
   * `pics_basic` or `pics_branded_content_creator`. The platform refuses it for posts to close friends and for remixes.
   */
  readonly sponsorIds?: readonly string[] | undefined;
  /** Labels the post as a paid partnership, also without a sponsor. Page mode only. */
  readonly paidPartnership?: boolean | undefined;
}

/** Options of an image, alone or in a carousel. */
export interface ImageOptions {
  /** A description for people who cannot see it. At most 1000 characters. */
  readonly altText?: string | undefined;
  /** At most 20. */
  readonly userTags?: readonly PlacedUserTag[] | undefined;
  /** At most 5. Page mode only; permissions `catalog_management`, `pics_shopping_tag_products`. */
  readonly productTags?: readonly ProductTag[] | undefined;
}

/** Music or a sound that is added to a Reel. */
interface ReelAudio {
  /** The `audio_id` of an entry of `searchAudio`. */
  readonly audioId: string;
  /**
   * How loud it is, from 0 to 100.
   * @default the platform's
   */
  readonly audioVolume?: number | undefined;
  /**
   * How loud the video's own sound is, from 0 to 100. It must be 0 for a video without sound: the container's state is
   * `ERROR` with 2207082 otherwise.
   * @default the platform's
   */
  readonly videoVolume?: number | undefined;
}

/** Options of a Reel. */
export interface ReelOptions {
  /** Public HTTPS address of a JPEG of at most 8 MB; takes precedence over `thumbOffsetMs`. */
  readonly coverUrl?: string | undefined;
  /**
   * The frame that is used as the cover: whole milliseconds from the beginning, within the video.
   * @default 0
   */
  readonly thumbOffsetMs?: number | undefined;
  /** Names the video's own audio. It can be named once. */
  readonly audioName?: string | undefined;
  /**
   * Music or a sound that is added. The platform documents it for page mode only, where `searchAudio` finds it; its own
   * SDK has it in login mode too, where it is sent unverified.
   */
  readonly audio?: ReelAudio | undefined;
  /**
   * At first shows the Reel only to people who do not follow the account. It goes to the followers when the account
   * says so (`MANUAL`), or when it performs well (`SS_PERFORMANCE`).
   */
  readonly trial?: 'MANUAL' | 'SS_PERFORMANCE' | undefined;
  /** At most 20. */
  readonly userTags?: readonly UserTag[] | undefined;
  /**
   * `true` without `shareToFeed` lets the platform decide whether a video is shown in the feed.
   * @default false
   */
  readonly isReel?: boolean | undefined;
  /**
   * Whether a video is shown in the feed too.
   * @default true; not sent with `isReel`
   */
  readonly shareToFeed?: boolean | undefined;
}

/** Options that belong to other media: none of them may be given. */
export type Without<TOptions> = { readonly [TName in keyof TOptions]?: undefined };

const placeText = 'must be a number from 0 to 1';
const place = rule.between(0, 1);
const volume = rule.optional(rule.between(0, 100));

/** The rule for tagged accounts. {@link faultInTags} checks their places. */
const userTags = rule.optional(
  rule.listOf(rule.fields({ username: rule.username, x: rule.optional(place), y: rule.optional(place) })),
);

/** What is wrong with tags that have no place in an image, or one in a video. */
export function faultInTags(tags: unknown, isImage: boolean): rule.Fault | undefined {
  // Their rule has read them.
  for (const [at, tag] of ((tags ?? []) as readonly StoryUserTag[]).entries()) {
    const name = (['x', 'y'] as const).find((one) => (tag[one] === undefined) === isImage);
    if (name !== undefined)
      return rule.faultOf(isImage ? placeText : 'is for images only', 'userTags', at, name);
  }
  return undefined;
}

/** What is wrong with an option of another kind of media, without which this would be published. */
export function faultInKind(options: object, others: object, home: string): rule.Fault | undefined {
  const given = fieldsOf(options);
  const name = Object.keys(others).find((one) => (given[one] ?? false) !== false);
  return name === undefined ? undefined : rule.faultOf(`is for ${home} only`, name);
}

/** The rule for a media address: the platform fetches it over HTTPS. */
export const mediaAddress = rule.httpsMediaUrl('an https address');

export const anImage = 'the https address of an image, not a file';

/** The same for an image, which the platform takes from nowhere else. */
export const imageAddress = rule.httpsMediaUrl(anImage);

/** Refuses options that say when a Page publishes: an account publishes at once. */
export const atOnce = {
  published: rule.published,
};

export function postRules(mode: Mode): Record<keyof PostOptions, rule.Rule> {
  return {
    caption: rule.optional(rule.string),
    locationId: rule.optional(rule.id),
    collaborators: rule.optional(rule.listOf(rule.username)),
    isAiGenerated: rule.optional(rule.flag),
    sponsorIds: inPageMode(mode, rule.listOf(rule.id, 0, 2)),
    paidPartnership: inPageMode(mode, rule.flag),
    ...addOnRules(mode),
  };
}

/** Rules for the options of an image. {@link ofImages} are those that a video has not. */
export function imageRules(mode: Mode): Record<keyof ImageOptions, rule.Rule> {
  return {
    altText: rule.optional(rule.string),
    userTags,
    productTags: inPageMode(mode, productTagList(0)),
  };
}

export const ofImages = { altText: 0, productTags: 0 };

export function productTagList(least: number): rule.Rule {
  return rule.listOf(
    rule.fields({ productId: rule.id, x: rule.optional(place), y: rule.optional(place) }),
    least,
  );
}

export const storyRules = {
  userTags,
  isAiGenerated: rule.optional(rule.flag),
};

export const thumbOffset = rule.optional(rule.wholeBetween(0));

/** Rules for the options of a Reel that an image has not. */
export const ofReels = {
  coverUrl: rule.optional(mediaAddress),
  thumbOffsetMs: thumbOffset,
  audioName: rule.optional(rule.string),
  audio: rule.optional(rule.fields({ audioId: rule.id, audioVolume: volume, videoVolume: volume })),
  trial: rule.optional(rule.oneOf('MANUAL', 'SS_PERFORMANCE')),
  isReel: rule.optional(rule.flag),
  shareToFeed: rule.optional(rule.flag),
};

export const reelRules: Record<keyof ReelOptions, rule.Rule> = { ...ofReels, userTags };

export function toPostForm(options: PostOptions): Params {
  return {
    caption: options.caption,
    location_id: options.locationId,
    collaborators: toJsonList(options.collaborators, String),
    is_ai_generated: options.isAiGenerated,
    branded_content_sponsor_ids: toJsonList(options.sponsorIds, String),
    is_paid_partnership: options.paidPartnership,
    ...toAddOnForm(options),
  };
}

export function toImageForm(imageUrl: string, { altText, userTags, productTags }: ImageOptions): Params {
  return {
    image_url: imageUrl,
    alt_text: altText,
    user_tags: toUserTags(userTags),
    product_tags: toProductTags(productTags),
  };
}

export function toReelForm(options: ReelOptions): Params {
  const { coverUrl, thumbOffsetMs, audioName, audio, trial, userTags, isReel, shareToFeed } = options;
  return {
    media_type: 'REELS',
    share_to_feed: shareToFeed ?? (isReel === true ? undefined : true),
    cover_url: coverUrl,
    thumb_offset: thumbOffsetMs,
    audio_name: audioName,
    audio_configuration:
      audio &&
      JSON.stringify({
        audio_id: audio.audioId,
        audio_volume: audio.audioVolume,
        video_volume: audio.videoVolume,
      }),
    trial_params: trial && JSON.stringify({ graduation_strategy: trial }),
    user_tags: toUserTags(userTags),
  };
}

export function toUserTags(tags: readonly StoryUserTag[] | undefined): string | undefined {
  return toJsonList(tags, ({ username, x, y }) => ({ username, x, y }));
}

export function toProductTags(tags: readonly ProductTag[] | undefined): string | undefined {
  return toJsonList(tags, ({ productId, x, y }) => ({ product_id: productId, x, y }));
}

/** A list as the platform reads it; an empty one is not sent. */
function toJsonList<TItem>(
  items: readonly TItem[] | undefined,
  toWire: (item: TItem) => unknown,
): string | undefined {
  return items?.length ? JSON.stringify(items.map((item) => toWire(item))) : undefined;
}
