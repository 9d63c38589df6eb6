import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { successSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface UnsubscribePageOptions extends PageCallOptions {
  readonly pageId: string;
}

/**
 * Ends the subscription of a Page. No lead, comment or other event of it is delivered any more.
 *
 * Permissions: `pages_manage_metadata`, `pages_show_list`; Page task `CREATE_CONTENT`, `MANAGE` or `MODERATE`. Source:
 * platform reference, Page subscribed apps.
 *
 * @example
 * const ended = await unsubscribePage(context, { pageId, pageToken });
 * if (ended.isErr()) console.error(ended.error.message);
 *
 * @example With a client, which throws
 * const ended = await client.unsubscribePage({ pageId, pageToken });
 */
export function unsubscribePage(
  context: PageContext,
  options: UnsubscribePageOptions,
): ResultAsync<boolean, Failure> {
  const checked = check(context, options, () => ({ pageId: id, pageToken: token }));
  return perform(context, 'unsubscribePage', checked, (call, { pageId }) =>
    send(context, {
      ...call,
      method: 'DELETE',
      path: path`${pageId}/subscribed_apps`,
      schema: successSchema,
    }),
  );
}
