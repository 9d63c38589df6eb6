import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, fieldNames, id, optional, token } from '../core/options/check.ts';
import { type PageProfile, pageProfileSchema, type PageStatus, pageStatusSchema } from '../models/profile.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface PageProfileOptions extends PageCallOptions {
  readonly pageId: string;
  /**
   * Fields to request. An unknown one fails the call. Fields that are not part of the profile are in `raw`.
   * @default those of the profile
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Reads what a Page says about itself: names, texts, addresses, opening hours, pictures, figures and the linked
 * photo-sharing account.
 *
 * The linked account needs `pics_basic` too. Source: platform reference, Page.
 *
 * @example
 * const profile = await pageProfile(context, { pageId, pageToken });
 * if (profile.isOk()) console.log(profile.value.name, profile.value.followers_count);
 */
export function pageProfile(
  context: PageContext,
  options: PageProfileOptions,
): ResultAsync<PageProfile, Failure> {
  const checked = check(context, options, () => ({
    pageId: id,
    pageToken: token,
    fields: optional(fieldNames),
  }));
  return perform(context, 'pageProfile', checked, (call, options) => {
    const { linkedAccount } = context.platform.words;
    const { pageId, fields } = options;
    return send(context, {
      ...call,
      method: 'GET',
      path: path`${pageId}`,
      query: { fields: fields?.join(',') ?? `${defaultFields},${linkedAccount}{id,username}` },
      schema: pageProfileSchema(linkedAccount),
    });
  });
}

const defaultFields =
  'id,name,username,link,category,about,description,emails,phone,website,single_line_address,location,hours,' +
  'fan_count,followers_count,rating_count,overall_star_rating,verification_status,is_published,' +
  'is_permanently_closed,picture{url},cover{source}';

export interface PageStatusOptions extends PageCallOptions {
  readonly pageId: string;
}

/**
 * Reads whether a Page keeps the platform's rules: its status, what it violated, what it may not do until when, and what
 * can be done about it.
 *
 * It is read as documented; no response of a live Page was seen.
 *
 * Source: platform reference, Page Status.
 *
 * @example
 * const integrity = await pageStatus(context, { pageId, pageToken });
 * if (integrity.isOk()) console.log(integrity.value.status, integrity.value.restrictions.map(({ feature }) => feature));
 */
export function pageStatus(
  context: PageContext,
  options: PageStatusOptions,
): ResultAsync<PageStatus, Failure> {
  const checked = check(context, options, () => ({ pageId: id, pageToken: token }));
  return perform(context, 'pageStatus', checked, (call, { pageId }) =>
    send(context, {
      ...call,
      method: 'GET',
      path: path`${pageId}/page_status`,
      // Without `fields`, the platform returns all fields, and no unknown field can fail the call.
      schema: pageStatusSchema,
    }),
  );
}
