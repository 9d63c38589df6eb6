import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, fieldNames, id, optional, token as tokenRule } from '../core/options/check.ts';
import { type Media, mediaSchema } from '../models/media.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { withMediaFields } from './internal/lists.ts';

export interface MediaDetailsOptions extends PicsCallOptions {
  readonly mediaId: string;
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default the documented fields of {@link Media}
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Reads one post or story: its permalink, for example, after publishing.
 *
 * Permissions in login mode: `pics_business_basic`; in page mode: `pics_basic`, `pages_read_engagement`,
 * `pages_show_list`. Source: platform reference, media node.
 *
 * @example
 * const post = await mediaDetails(context, { mediaId, token });
 * if (post.isOk()) console.log(post.value.permalink);
 *
 * @example With a client, which throws
 * const post = await client.mediaDetails({ mediaId, token });
 */
export function mediaDetails(
  context: PicsContext,
  options: MediaDetailsOptions,
): ResultAsync<Media, Failure> {
  const checked = check(context, options, () => ({
    mediaId: id,
    token: tokenRule,
    fields: optional(fieldNames),
  }));
  return perform(context, 'mediaDetails', checked, (call, { mediaId, fields: chosen }) =>
    withMediaFields(context, chosen, (fields) =>
      send(context, {
        ...call,
        method: 'GET',
        path: path`${mediaId}`,
        query: { fields },
        schema: mediaSchema,
      }),
    ),
  );
}
