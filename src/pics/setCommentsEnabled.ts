import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, flag, id, token } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

export interface SetCommentsEnabledOptions extends PicsCallOptions {
  readonly mediaId: string;
  /** Whether people can comment on the media. */
  readonly enabled: boolean;
}

/**
 * Turns comments on media on or off. Not for live video.
 *
 * The field `is_comment_enabled` of the media holds the state. Media cannot be published with comments off: turn them
 * off afterwards.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_comments`; in page mode: `pics_basic`,
 * `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, Media.
 *
 * @example
 * const closed = await setCommentsEnabled(context, { mediaId, token, enabled: false });
 * if (closed.isErr()) console.error(closed.error.message);
 *
 * @example With a client, which throws
 * const closed = await client.setCommentsEnabled({ mediaId, token, enabled: false });
 */
export function setCommentsEnabled(
  context: PicsContext,
  options: SetCommentsEnabledOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, () => ({ mediaId: id, token, enabled: flag }));
  return perform(context, 'setCommentsEnabled', checked, (call, { mediaId, enabled }) =>
    send(context, {
      ...call,
      method: 'POST',
      path: path`${mediaId}`,
      // In the query, as documented: in a body, the platform ignores a parameter like this one.
      query: { comment_enabled: enabled },
      schema: acknowledgementSchema,
    }),
  );
}
