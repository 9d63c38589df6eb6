import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { POST } from '../core/http/methods.ts';
import { performRequest } from '../core/http/send.ts';
import { type FieldOptions, type List, type ListOptions, performList } from '../core/lists/list.ts';
import * as rule from '../core/options/rules.ts';
import type { CollaborationInvite, Collaborator } from '../models/community.ts';
import { collaborationInviteSchema, collaboratorSchema } from '../models/community.ts';
import { type Acknowledgement, acknowledgementSchema, entriesAt, fieldsFor } from '../models/fields.ts';
import type { PageModeOptions } from './accountOptions.ts';
import { accountListRules, accountOf, accountRules, checkInMode } from './accountOptions.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { mediaListRules } from './mediaLists.ts';

export interface CollaborationInvitesOptions extends PageModeOptions, ListOptions {
  /**
   * Fields to request; `media_id` is always among them. An unknown one fails the whole call.
   * @default the documented fields of {@link CollaborationInvite}
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the invitations to co-author media that the account has not answered yet. Page mode only.
 *
 * Source: platform reference, User Collaboration Invites.
 *
 * @example
 * const invites = await collaborationInvites(context, { token, picsUserId });
 * if (invites.isOk()) for (const { media_id, media_owner_username } of invites.value) console.log(media_id, media_owner_username);
 */
export function collaborationInvites(
  context: PicsContext,
  options: CollaborationInvitesOptions,
): ResultAsync<List<CollaborationInvite>, Failure> {
  const checked = checkInMode('page', context, options, accountListRules(context));
  return performList(context, 'collaborationInvites', checked, 25, ({ picsUserId, fields }) => ({
    path: path`${accountOf(picsUserId)}/collaboration_invites`,
    query: { fields: fieldsFor(collaborationInviteSchema, fields, 'media_id') },
    item: collaborationInviteSchema,
    idOf: ({ media_id }) => media_id,
  }));
}

export interface AnswerInviteOptions extends PageModeOptions {
  /** The `media_id` of the invitation. */
  readonly mediaId: string;
  /** `true` makes the account a co-author; `false` declines. */
  readonly accept: boolean;
}

/**
 * Accepts or declines to be a co-author of a media. Page mode only.
 *
 * Repeating it has no further effect, so it is sent again after a lost response. A declined invitation probably cannot
 * be accepted later; the platform does not document this.
 *
 * Source: platform reference, User Collaboration Invites.
 *
 * @example
 * const answered = await answerInvite(context, { token, picsUserId, mediaId, accept: true });
 * if (answered.isErr()) console.error(answered.error.message);
 */
export function answerInvite(
  context: PicsContext,
  options: AnswerInviteOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = checkInMode('page', context, options, {
    ...accountRules(context),
    mediaId: rule.id,
    accept: rule.flag,
  });
  return performRequest(context, 'answerInvite', checked, ({ picsUserId, mediaId, accept }) => ({
    method: POST,
    path: path`${accountOf(picsUserId)}/collaboration_invites`,
    form: { media_id: mediaId, accept },
    schema: acknowledgementSchema,
  }));
}

export interface CollaboratorsOptions extends PicsCallOptions, ListOptions, FieldOptions {
  /** A media of the account. */
  readonly mediaId: string;
}

/**
 * Lists the co-authors of a media, and the accounts that were invited and have not answered yet. Page mode only.
 *
 * Source: platform reference, Media Collaborators.
 *
 * @example
 * const invited = await collaborators(context, { token, mediaId });
 * if (invited.isOk()) for (const { username, invite_status } of invited.value) console.log(username, invite_status);
 */
export function collaborators(
  context: PicsContext,
  options: CollaboratorsOptions,
): ResultAsync<List<Collaborator>, Failure> {
  const checked = checkInMode('page', context, options, mediaListRules);
  return performList(context, 'collaborators', checked, 25, (options) =>
    entriesAt(path`${options.mediaId}/collaborators`, collaboratorSchema, options),
  );
}
