import { errAsync, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { send } from '../core/http/send.ts';
import { check, id, names, optional, token } from '../core/options/check.ts';
import { successSchema } from '../models/success.ts';
import type { PageContext } from './context.ts';

export interface SubscribePageOptions {
  readonly pageId: string;
  /** Page token. */
  readonly pageToken: string;
  /**
   * Fields to subscribe to. They replace those that the app was subscribed to.
   * @default ['leadgen', 'leadgen_update', 'feed', 'messages', 'messaging_postbacks', 'mention']
   */
  readonly fields?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type SubscribePageFailure = Failure;

/**
 * Subscribes a Page to the app's webhook. Without it, no event of the Page is delivered. Only fields that the app
 * itself receives are delivered.
 *
 * Events of the photo-sharing account are not among the fields.
 *
 * Permissions: `pages_manage_metadata`, `pages_show_list`; `pages_messaging` for `messages`: without it, give
 * `fields`. Source: platform guide, Webhooks for Pages.
 *
 * @example
 * const subscribed = await subscribePage(context, { pageId, pageToken, fields: ['leadgen'] });
 * if (subscribed.isErr()) console.error(subscribed.error.message);
 *
 * @example With a client, which throws
 * const subscribed = await client.subscribePage({ pageId, pageToken, fields: ['leadgen'] });
 */
export function subscribePage(
  context: PageContext,
  options: SubscribePageOptions,
): ResultAsync<boolean, SubscribePageFailure> {
  const invalid = check(options, { pageId: id, pageToken: token, fields: optional(names) });
  if (invalid) return errAsync(invalid);
  const { pageId, pageToken, fields = defaultFields, signal } = options;
  return send(context, {
    method: 'POST',
    path: path`${pageId}/subscribed_apps`,
    token: pageToken,
    form: { subscribed_fields: fields.join(',') },
    schema: successSchema,
    signal,
  });
}

const defaultFields = ['leadgen', 'leadgen_update', 'feed', 'messages', 'messaging_postbacks', 'mention'];
