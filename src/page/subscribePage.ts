import { errAsync, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { deadlineOf, send } from '../core/http/send.ts';
import { collect } from '../core/lists/list.ts';
import { check, flag, id, names, optional, token } from '../core/options/check.ts';
import { subscribedAppSchema, withFields } from '../models/subscribedApps.ts';
import { successSchema } from '../models/success.ts';
import type { PageContext } from './context.ts';

export interface SubscribePageOptions {
  readonly pageId: string;
  /** Page token. */
  readonly pageToken: string;
  /**
   * Fields to subscribe to. They replace those that the app was subscribed to, unless `add` is `true`.
   * @default ['leadgen', 'leadgen_update', 'feed', 'messages', 'messaging_postbacks', 'mention']
   */
  readonly fields?: readonly string[] | undefined;
  /**
   * `true` adds the fields to those that the app is subscribed to: they are read first, and when that fails,
   * nothing is changed.
   * @default false
   */
  readonly add?: boolean | undefined;
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
  const invalid = check(options, {
    pageId: id,
    pageToken: token,
    fields: optional(names),
    add: optional(flag),
  });
  if (invalid) return errAsync(invalid);
  const { pageId, pageToken, fields = defaultFields, add = false, signal } = options;
  const request = {
    path: path`${pageId}/subscribed_apps`,
    token: pageToken,
    signal,
    deadline: deadlineOf(context),
  };
  if (!add) return subscribe(fields);
  return collect(context, {
    ...request,
    limit: Infinity,
    item: subscribedAppSchema,
    idOf: JSON.stringify,
  }).andThen((apps) => subscribe(withFields(apps, context.appId, fields)));

  function subscribe(all: readonly string[]): ResultAsync<boolean, Failure> {
    return send(context, {
      ...request,
      method: 'POST',
      form: { subscribed_fields: all.join(',') },
      schema: successSchema,
    });
  }
}

const defaultFields = ['leadgen', 'leadgen_update', 'feed', 'messages', 'messaging_postbacks', 'mention'];
