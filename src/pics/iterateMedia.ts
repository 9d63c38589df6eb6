import type { Result } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { idOf, walk } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { Media } from '../models/media.ts';
import type { PicsContext } from './context.ts';
import { accountListRules, mediaOf, walkMedia } from './internal/lists.ts';
import type { MediaOptions } from './media.ts';

export interface IterateMediaOptions extends MediaOptions {
  /**
   * Posts to yield at most, over all pages. At least 1.
   * @default all
   */
  readonly limit?: number | undefined;
}

/**
 * Yields the posts of the account one by one, newest first, without stories, as `media` lists them, and requests each
 * page of 100 when it is needed. A failure ends the walk.
 *
 * Permissions in login mode: `pics_business_basic`; in page mode: `pics_basic`, `pages_read_engagement`,
 * `pages_show_list`. Source: platform reference, user media.
 *
 * @example
 * for await (const post of iterateMedia(context, { token })) {
 *   if (post.isOk()) console.log(post.value.timestamp, post.value.permalink);
 * }
 *
 * @example With a client, which throws
 * for await (const { timestamp, permalink } of client.iterateMedia({ token })) {
 *   console.log(timestamp, permalink);
 * }
 */
export function iterateMedia(
  context: PicsContext,
  options: IterateMediaOptions,
): AsyncGenerator<Result<Media, Failure>, void, undefined> {
  const checked = check(context, options, () => accountListRules(context));
  return walk(context, 'iterateMedia', checked, (call, own) =>
    walkMedia(context, own.fields, { ...call, ...mediaOf(own), limit: own.limit ?? Infinity, idOf }),
  );
}
