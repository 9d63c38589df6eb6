import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { collect, type List } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import { type CollaborationInvite, collaborationInviteSchema } from '../models/discovery.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountOf, checkMode } from './internal/account.ts';
import { accountListRules, withField } from './internal/lists.ts';

export interface CollaborationInvitesOptions extends PicsCallOptions {
  /** Id of the account that is invited. Required. */
  readonly picsUserId?: string | undefined;
  /**
   * Invitations to return, over all pages.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields to request; `media_id` is always among them. An unknown one fails the whole call.
   * @default the documented fields of {@link CollaborationInvite}
   */
  readonly fields?: readonly string[] | undefined;
}

const defaultFields = 'media_id,media_owner_username,caption,media_url';

/**
 * Lists the invitations of the account to be a co-author of a media that it has not answered. Page mode only.
 *
 * Permissions: `pics_basic`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, User Collaboration
 * Invites.
 *
 * @example
 * const invites = await collaborationInvites(context, { token, picsUserId });
 * if (invites.isOk()) for (const { media_id, media_owner_username } of invites.value) console.log(media_id, media_owner_username);
 *
 * @example With a client, which throws
 * const invites = await client.collaborationInvites({ token, picsUserId });
 */
export function collaborationInvites(
  context: PicsContext,
  options: CollaborationInvitesOptions,
): ResultAsync<List<CollaborationInvite>, Failure> {
  const checked = check(
    context,
    options,
    () => accountListRules(context),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'collaborationInvites', checked, (call, own) => {
    const { picsUserId, limit = 25, fields } = own;
    return collect(context, {
      ...call,
      path: path`${accountOf(picsUserId)}/collaboration_invites`,
      query: { fields: withField(fields, 'media_id', defaultFields) },
      limit,
      item: collaborationInviteSchema,
      idOf: ({ media_id }) => media_id,
    });
  });
}
