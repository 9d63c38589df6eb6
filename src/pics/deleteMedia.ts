import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { checkMode } from './internal/account.ts';

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
 * Permissions: `pics_basic`, `pics_manage_contents`, `pages_read_engagement`, `pages_show_list`. Source: platform
 * reference, Media.
 *
 * @example
 * const deleted = await deleteMedia(context, { mediaId, token });
 * if (deleted.isOk()) console.log('gone');
 *
 * @example With a client, which throws
 * const deleted = await client.deleteMedia({ mediaId, token });
 */
export function deleteMedia(
  context: PicsContext,
  options: DeleteMediaOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(
    context,
    options,
    () => ({ mediaId: id, token }),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'deleteMedia', checked, (call, { mediaId }) =>
    send(context, {
      ...call,
      method: 'DELETE',
      path: path`${mediaId}`,
      schema: acknowledgementSchema,
    }),
  );
}
