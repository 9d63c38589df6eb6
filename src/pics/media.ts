import type { Result, ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { DELETE } from '../core/http/methods.ts';
import { perform, performRequest, send } from '../core/http/send.ts';
import { readInside } from '../core/lists/askInside.ts';
import { type WithheldOptions, withheldRules, type WithWithheld } from '../core/lists/inside.ts';
import type { FieldOptions, List, ListOptions, WalkOptions } from '../core/lists/list.ts';
import { fieldRules, walk, walkRules } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/fields.ts';
import type { Media } from '../models/media.ts';
import type { MediaPoll } from '../models/polls.ts';
import type { AccountOptions, PageModeOptions } from './accountOptions.ts';
import { accountListRules, accountOf, checkInMode } from './accountOptions.ts';
import { pollOf, promptResponsesOf } from './addOns.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { checkMediaFields, mediaInside, type MediaInsideOptions, mediaInsideRules } from './inside.ts';
import { fieldsOfMedia, listMedia, ofMedia, ownMediaFields, walkMedia } from './mediaLists.ts';

export interface MediaOptions extends AccountOptions, ListOptions, FieldOptions, MediaInsideOptions {}

/**
 * Lists the posts of the account, newest first, without stories. The platform lists the newest 10,000 at most:
 * `isComplete` of a list of so many is `false`.
 *
 * With `metrics` or `comments`, each comes with them, in the requests for the list: 50 media in each, 25 with comments. What
 * the platform refuses of these is in `withheld`, and costs no list: media from before the account became a professional one
 * have no numbers, and the others come with theirs.
 *
 * Source: platform reference, user media.
 *
 * @example
 * const posts = await media(context, { token, limit: 10 });
 * if (posts.isOk()) for (const { permalink } of posts.value) console.log(permalink);
 */
export function media(
  context: PicsContext,
  options: MediaOptions,
): ResultAsync<List<Media> & WithWithheld, Failure> {
  const checked = check(context, options, mediaRules(context), checkMediaFields);
  return perform(context, 'media', checked, (call, options) => {
    const request = { ...call, path: mediaPath(options), limit: options.limit ?? 25, cutAt: 10_000 };
    return listMedia(context, request, mediaInside(fieldsOfMedia(options.fields), options));
  });
}

export interface IterateMediaOptions extends WalkOptions, WithheldOptions, MediaOptions {}

/**
 * Yields the posts of the account one by one, newest first, without stories, as `media` lists them, and requests each
 * page of 100 when it is needed. With `metrics` or `comments`, each comes with them; `onWithheld` gets what is refused.
 *
 * Source: platform reference, user media.
 *
 * @example
 * for await (const post of iterateMedia(context, { token })) {
 *   if (post.isOk()) console.log(post.value.timestamp, post.value.permalink);
 * }
 */
export function iterateMedia(
  context: PicsContext,
  options: IterateMediaOptions,
): AsyncGenerator<Result<Media, Failure>, void, undefined> {
  const rules = { ...mediaRules(context), ...walkRules, ...withheldRules };
  const checked = check(context, options, rules, checkMediaFields);
  return walk(context, 'iterateMedia', checked, (call, options) => {
    const request = { ...call, path: mediaPath(options), limit: options.limit ?? Infinity };
    return walkMedia(context, request, mediaInside(fieldsOfMedia(options.fields), options));
  });
}

export interface MediaDetailsOptions extends PicsCallOptions, FieldOptions, MediaInsideOptions {
  readonly mediaId: string;
}

/**
 * Reads one post or story: its permalink, for example, after publishing; with `metrics` and `comments` in the same request.
 * What the platform refuses of these is in `withheld`.
 *
 * Source: platform reference, media node.
 *
 * @example
 * const post = await mediaDetails(context, { mediaId, token });
 * if (post.isOk()) console.log(post.value.permalink);
 */
export function mediaDetails(
  context: PicsContext,
  options: MediaDetailsOptions,
): ResultAsync<Media & WithWithheld, Failure> {
  const rules = { ...ofMedia, ...fieldRules, ...mediaInsideRules };
  const checked = check(context, options, rules, checkMediaFields);
  return perform(context, 'mediaDetails', checked, (call, { mediaId, fields: chosen, ...options }) => {
    const parts = mediaInside(fieldsOfMedia(chosen), options);
    const request = {
      ...call,
      path: path`${mediaId}`,
      ownFields: ownMediaFields(context),
      schema: parts.item,
    };
    return readInside(parts, (fields) => send(context, { ...request, query: { fields } }));
  });
}

export interface MediaPollOptions extends PicsCallOptions {
  /** A post of the account; not a story. */
  readonly mediaId: string;
}

/**
 * Reads the poll of a post: its answers, the share of each, and when it ends. `null` if the post has none. Page mode
 * only.
 *
 * Source: platform guide, Caption Add-ons; platform reference, Poll Attachment.
 *
 * @example
 * const poll = await mediaPoll(context, { mediaId, token });
 * if (poll.isOk()) for (const { text, share } of poll.value?.options ?? []) console.log(text, share);
 */
export function mediaPoll(
  context: PicsContext,
  options: MediaPollOptions,
): ResultAsync<MediaPoll | null, Failure> {
  const checked = checkInMode('page', context, options, ofMedia);
  return performRequest(context, 'mediaPoll', checked, ({ mediaId }) => pollOf(mediaId));
}

export interface PromptResponsesOptions extends PicsCallOptions {
  /** A post of the account; not a story. */
  readonly mediaId: string;
}

/**
 * Reads the answers to the comment prompt of a post, as the platform sends them. `null` if the post has none. Page mode
 * only.
 *
 * Unverified: the platform does not document the form of the response, so nothing in it is read or typed.
 *
 * Source: platform guide, Caption Add-ons.
 *
 * @example
 * const answers = await promptResponses(context, { mediaId, token });
 * if (answers.isOk()) console.log(JSON.stringify(answers.value));
 */
export function promptResponses(
  context: PicsContext,
  options: PromptResponsesOptions,
): ResultAsync<unknown, Failure> {
  const checked = checkInMode('page', context, options, ofMedia);
  return performRequest(context, 'promptResponses', checked, ({ mediaId }) => promptResponsesOf(mediaId));
}

export interface DeleteMediaOptions extends PicsCallOptions {
  /** A post, Reel, story or whole carousel of the account; not a single item of a carousel. */
  readonly mediaId: string;
}

/**
 * Deletes media of the account. This cannot be undone. Page mode only.
 *
 * After a lost response it is sent again. If the platform then says that there is no such media, the error's `outcome`
 * is `unknown`: either the first attempt deleted it, or the token may not see it. The platform has one code for both.
 *
 * Source: platform reference, Media.
 *
 * @example
 * const deleted = await deleteMedia(context, { mediaId, token });
 * if (deleted.isOk()) console.log('gone');
 */
export function deleteMedia(
  context: PicsContext,
  options: DeleteMediaOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = checkInMode('page', context, options, ofMedia);
  return performRequest(context, 'deleteMedia', checked, ({ mediaId }) => ({
    method: DELETE,
    path: path`${mediaId}`,
    schema: acknowledgementSchema,
  }));
}

function mediaPath({ picsUserId }: MediaOptions): string {
  return path`${accountOf(picsUserId)}/media`;
}

export interface StoriesOptions extends PageModeOptions, ListOptions, MediaInsideOptions {
  /**
   * Fields to request; `media_product_type` is always included.
   * @default the documented fields of {@link Media}
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the stories of the last 24 hours, without live and reshared ones. Page mode only.
 *
 * With `metrics`, each comes with its numbers, in the requests for the list. One with fewer than five viewers has none, as
 * `withheld` says.
 *
 * Source: platform reference, user stories.
 *
 * @example
 * const active = await stories(context, { token, picsUserId });
 * if (active.isOk()) console.log(active.value.length);
 */
export function stories(
  context: PicsContext,
  options: StoriesOptions,
): ResultAsync<List<Media> & WithWithheld, Failure> {
  const checked = checkInMode('page', context, options, mediaRules(context), checkMediaFields);
  return perform(context, 'stories', checked, (call, options) => {
    const { picsUserId, limit = 25, fields: chosen } = options;
    const fields = chosen && [...new Set([...chosen, 'media_product_type'])];
    const request = { ...call, path: path`${accountOf(picsUserId)}/stories`, limit };
    return listMedia(context, request, mediaInside(fieldsOfMedia(fields), options, 'stories'));
  });
}

function mediaRules(context: PicsContext) {
  return { ...accountListRules(context), ...mediaInsideRules };
}
