import type { ResultAsync } from 'neverthrow';

import type { Failure, RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { collect } from '../core/lists/list.ts';
import { check, flag, id, names, optional, token } from '../core/options/check.ts';
import { addNames } from '../core/writes/addNames.ts';
import { subscribedFieldsOf, subscribedAppSchema } from '../models/page.ts';
import { successSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface SubscribePageOptions extends PageCallOptions {
  readonly pageId: string;
  /**
   * Fields to subscribe to. They replace those that the app was subscribed to, unless `add` is `true`.
   * @default ['leadgen', 'leadgen_update', 'feed', 'messages', 'messaging_postbacks', 'mention']
   */
  readonly fields?: readonly string[] | undefined;
  /**
   * `true` adds the fields to those that the app is already subscribed to: these are read first, and if that fails,
   * nothing is changed. Concurrent calls that share a memory run one after another. The fields are then read back, and
   * those that another process has removed meanwhile are written again, up to twice; if some are still missing, the
   * call fails with an ApiError of outcome `unknown`, whose payload lists them as `missing`.
   * @default false
   */
  readonly add?: boolean | undefined;
}

/**
 * Subscribes a Page to the app's webhook. Until then, no event of the Page is delivered. Only fields that the app
 * itself is subscribed to are delivered.
 *
 * Events of the photo-sharing account are not among the fields.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_show_list`; Page task `MESSAGING`. Without
 * `pages_messaging`, give `fields` other than those of messages: the Page task is then `CREATE_CONTENT`, `MANAGE` or
 * `MODERATE`. Source: platform guide, Webhooks for Pages.
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
): ResultAsync<boolean, Failure> {
  const checked = check(context, options, () => ({
    pageId: id,
    pageToken: token,
    fields: optional(names),
    add: optional(flag),
  }));
  return perform(
    context,
    'subscribePage',
    checked,
    (call, { pageId, fields = defaultFields, add = false }) => {
      const request = {
        ...call,
        path: path`${pageId}/subscribed_apps`,
      };
      if (!add) return subscribe(fields);
      return addNames(context, {
        ...request,
        set: request.path,
        names: fields,
        read: () =>
          collect(context, {
            ...request,
            limit: Infinity,
            item: subscribedAppSchema,
            idOf: JSON.stringify,
          }).map((apps) => subscribedFieldsOf(apps, context.appId)),
        write: subscribe,
      });

      function subscribe(all: readonly string[]): ResultAsync<boolean, RequestFailure> {
        return send(context, {
          ...request,
          method: 'POST',
          form: { subscribed_fields: all.join(',') },
          schema: successSchema,
        });
      }
    },
  );
}

const defaultFields = ['leadgen', 'leadgen_update', 'feed', 'messages', 'messaging_postbacks', 'mention'];
