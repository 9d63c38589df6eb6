import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform, send } from '../core/http/send.ts';
import { check } from '../core/options/check.ts';
import { objectOf } from '../core/schema.ts';
import { flag, idSchema, arrayOf, node, part, type Raw, text, withRaw } from '../models/fields.ts';
import type { PageContext } from './context.ts';
import { ofApp } from './internal/appObject.ts';

const schema = objectOf({
  data: arrayOf(
    node({
      object: idSchema,
      callback_url: text,
      active: flag,
      fields: part(arrayOf(part(objectOf({ name: idSchema, version: text })))),
    }),
  ),
});

export interface AppSubscriptionsOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What an app receives of all objects of a kind. */
export interface AppSubscription {
  /** `page`, `pics` for photo-sharing accounts, `user`, `permissions`, or another kind that the platform names. */
  readonly object: string;
  /** Where its events are delivered. */
  readonly callback_url?: string | undefined;
  readonly active?: boolean | undefined;
  /** The fields that it receives, each with the version of its content. */
  readonly fields: readonly { readonly name: string; readonly version?: string | undefined }[];
  /** The subscription as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/**
 * Lists what the app receives by webhook: the fields of each object, and the address that they are delivered to. Of a
 * Page, only those fields arrive that the app receives and the Page is subscribed to.
 *
 * It is sent with the app's own token. Source: platform reference, Application subscriptions.
 *
 * @example
 * const received = await appSubscriptions(context);
 * if (received.isOk()) console.log(received.value.map((one) => [one.object, one.callback_url]));
 *
 * @example With a client, which throws
 * const received = await client.appSubscriptions();
 */
export function appSubscriptions(
  context: PageContext,
  options: AppSubscriptionsOptions = {},
): ResultAsync<AppSubscription[], Failure> {
  const checked = check(context, options, () => ({}));
  return perform(context, 'appSubscriptions', checked, (call) =>
    send(context, { ...call, ...ofApp(context), method: 'GET', schema }).map(({ data }) =>
      data.map((one) => {
        const { object, fields = [], raw } = one;
        const isPics = object === context.platform.words.picsPlatform;
        return withRaw({ ...one, object: isPics ? 'pics' : object, fields }, raw);
      }),
    ),
  );
}
