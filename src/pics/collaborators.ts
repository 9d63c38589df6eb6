import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import { type Collaborator, collaboratorSchema } from '../models/discovery.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { checkMode } from './internal/account.ts';
import { mediaListRules } from './internal/lists.ts';

export interface CollaboratorsOptions extends PicsCallOptions {
  /** A media of the account. */
  readonly mediaId: string;
  /**
   * Accounts to return, over all pages.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default the documented fields of {@link Collaborator}
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the accounts that are co-authors of a media, or were invited to be and have not answered. Page mode only.
 *
 * Permissions: `pics_basic`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, Media
 * Collaborators.
 *
 * @example
 * const invited = await collaborators(context, { token, mediaId });
 * if (invited.isOk()) for (const { username, invite_status } of invited.value) console.log(username, invite_status);
 *
 * @example With a client, which throws
 * const invited = await client.collaborators({ token, mediaId });
 */
export function collaborators(
  context: PicsContext,
  options: CollaboratorsOptions,
): ResultAsync<List<Collaborator>, Failure> {
  const checked = check(context, options, mediaListRules, () => checkMode(context, 'page'));
  return perform(context, 'collaborators', checked, (call, own) => {
    const { mediaId, limit = 25, fields } = own;
    return list(context, {
      ...call,
      path: path`${mediaId}/collaborators`,
      query: { fields: fields?.join(',') ?? 'id,username,invite_status' },
      limit,
      item: collaboratorSchema,
    });
  });
}
