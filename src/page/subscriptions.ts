import type { ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import { addNames, type AddOptions } from '../core/addNames.ts';
import type { Failure, RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { perform, performRequest, send } from '../core/http/send.ts';
import type { CallOptions } from '../core/http/types.ts';
import { collect } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import type { Raw } from '../models/fields.ts';
import * as s from '../models/fields.ts';
import { subscribedAppSchema, subscribedFieldsOf } from '../models/subscriptions.ts';
import type { PageContext } from './context.ts';
import { type OnePageOptions, pageRules } from './pageOptions.ts';

export interface SubscribePageOptions extends OnePageOptions, AddOptions {
  /**
   * Fields to subscribe to. They replace those that the app was subscribed to, unless `add` is `true`.
   * @default ['leadgen', 'leadgen_update', 'feed', 'messages', 'messaging_postbacks', 'mention']
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Subscribes a Page to the app's webhook. Until then, no event of the Page is delivered. Only fields that the app
 * itself is subscribed to are delivered.
 *
 * Events of the photo-sharing account are not among the fields.
 *
 * Without `pages_messaging`, give `fields` other than those of messages: the Page task is then `CREATE_CONTENT`,
 * `MANAGE` or `MODERATE`. Source: platform guide, Webhooks for Pages.
 *
 * @example
 * const subscribed = await subscribePage(context, { pageId, pageToken, fields: ['leadgen'] });
 * if (subscribed.isErr()) console.error(subscribed.error.message);
 */
export function subscribePage(
  context: PageContext,
  options: SubscribePageOptions,
): ResultAsync<boolean, Failure> {
  const checked = check(context, options, {
    ...pageRules,
    fields: rule.optional(rule.names),
    add: rule.optional(rule.flag),
  });
  return perform(context, 'subscribePage', checked, (call, options) => {
    const { pageId, fields = defaultFields, add = false } = options;
    const request = { ...call, path: path`${pageId}/subscribed_apps` };
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
        method: POST,
        form: { subscribed_fields: all.join(',') },
        schema: s.successSchema,
      });
    }
  });
}

const defaultFields = ['leadgen', 'leadgen_update', 'feed', 'messages', 'messaging_postbacks', 'mention'];

const pageSubscriptionsSchema = s.objectTo(
  {
    data: s.arrayOf(
      s.node({ id: s.optionalId, name: s.text, category: s.text, link: s.text, subscribed_fields: s.texts }),
    ),
  },
  ({ data, paging }) =>
    // Unchanged, with fields of the documented types.
    s.withMore(data.map(({ raw }) => s.withRaw({ ...raw }, raw)) as Subscription[], paging),
);

export interface SubscriptionsOptions extends OnePageOptions {}

/** An app that a Page is subscribed to. */
export interface Subscription {
  /** Id of the app. */
  readonly id?: string | undefined;
  readonly name?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly link?: string | null | undefined;
  /** The events that the app receives. */
  readonly subscribed_fields?: readonly string[] | undefined;
  /** The app as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/**
 * Lists the apps that receive events of a Page, with the fields that they receive: the platform's first page of them,
 * unchanged but for secrets.
 *
 * Source: platform reference, Page subscribed apps.
 *
 * @example
 * const apps = await subscriptions(context, { pageId, pageToken });
 * if (apps.isOk()) console.log(apps.value.map((app) => app.subscribed_fields));
 */
export function subscriptions(
  context: PageContext,
  options: SubscriptionsOptions,
): ResultAsync<Subscription[] & { readonly hasMore: boolean }, Failure> {
  const checked = check(context, options, pageRules);
  return performRequest(context, 'subscriptions', checked, ({ pageId }) => ({
    path: path`${pageId}/subscribed_apps`,
    schema: pageSubscriptionsSchema,
  }));
}

export interface UnsubscribePageOptions extends OnePageOptions {}

/**
 * Ends the subscription of a Page. Its leads, comments and other events are no longer delivered.
 *
 * If the Page's token is dead, the app's own one can end it, which is the app id, a bar and the app secret; that was
 * reported, and not tried live.
 *
 * Source: platform reference, Page subscribed apps.
 *
 * @example
 * const ended = await unsubscribePage(context, { pageId, pageToken });
 * if (ended.isErr()) console.error(ended.error.message);
 */
export function unsubscribePage(
  context: PageContext,
  options: UnsubscribePageOptions,
): ResultAsync<boolean, Failure> {
  const checked = check(context, options, pageRules);
  return performRequest(context, 'unsubscribePage', checked, ({ pageId }) => ({
    method: DELETE,
    path: path`${pageId}/subscribed_apps`,
    schema: s.successSchema,
  }));
}

const appSubscriptionsSchema = s.objectOf({
  data: s.arrayOf(
    s.node({
      object: s.idSchema,
      callback_url: s.text,
      active: s.flag,
      fields: s.listOf(s.objectOf({ name: s.idSchema, version: s.text })),
    }),
  ),
});

export interface AppSubscriptionsOptions extends CallOptions {}

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
 */
export function appSubscriptions(
  context: PageContext,
  options: AppSubscriptionsOptions = {},
): ResultAsync<AppSubscription[], Failure> {
  const checked = check(context, options, {});
  return perform(context, 'appSubscriptions', checked, (call) =>
    send(context, {
      ...call,
      ...subscriptionsOfApp(context),
      schema: appSubscriptionsSchema,
    }).map(({ data }) =>
      data.map((one) => {
        const { object, fields = [], raw } = one;
        const isPics = object === context.platform.words.picsPlatform;
        return s.withRaw({ ...one, object: isPics ? 'pics' : object, fields }, raw);
      }),
    ),
  );
}

export interface SubscribeAppOptions extends CallOptions {
  /**
   * The kind of object to receive events of: `pics` are photo-sharing accounts, `permissions` what people grant the
   * app.
   */
  readonly object: AppObject;
  /**
   * Where they are delivered, over HTTPS: a handler of `createWebhookHandler`. It replaces that of the object. It is sent
   * letter by letter, and must be ASCII.
   */
  readonly callbackUrl: string;
  /**
   * The text by which the handler recognizes the platform: its option `verifyToken`. Up to 64 visible characters; `+`,
   * `/` and `=` may arrive changed. Secret.
   */
  readonly verifyToken: string;
  /** Fields to subscribe to, in addition to the current ones. */
  readonly fields: readonly string[];
}

const maxVerifyTokenLength = 64;

/**
 * Subscribes the app to events of an object, with their content, as in its dashboard. Existing fields stay. Each Page
 * and account must be subscribed as well: `subscribePage`, `subscribeAccount`.
 *
 * During the call, the platform sends its challenge to `callbackUrl`, so the handler must be up. If that fails, the
 * call fails with an ApiError of code 2200 that says why. In login mode, the dashboard does this for the photo-sharing
 * product.
 *
 * It is sent with the app's own token. Source: platform guide, Webhooks from Graph API, Subscriptions edge.
 *
 * @example
 * const callbackUrl = 'https://example.org/webhooks';
 * const subscribed = await subscribeApp(context, { object: 'page', callbackUrl, verifyToken, fields: ['feed'] });
 * if (subscribed.isErr()) console.error(subscribed.error.message);
 */
export function subscribeApp(
  context: PageContext,
  options: SubscribeAppOptions,
): ResultAsync<boolean, Failure> {
  const checked = check(context, options, {
    object: appObject,
    callbackUrl: rule.exactUrl,
    verifyToken: v.pipe(
      rule.token,
      v.maxLength(maxVerifyTokenLength, `must have at most ${maxVerifyTokenLength} characters`),
    ),
    fields: rule.names,
  });
  return performRequest(context, 'subscribeApp', checked, ({ object, callbackUrl, verifyToken, fields }) => ({
    ...subscriptionsOfApp(context),
    method: POST,
    form: {
      object: objectName(context, object),
      callback_url: callbackUrl,
      verify_token: verifyToken,
      fields: fields.join(','),
      include_values: true,
    },
    secrets: [verifyToken],
    schema: s.successSchema,
  }));
}

export interface UnsubscribeAppOptions extends CallOptions {
  /** The kind of object to stop receiving events of. */
  readonly object: AppObject;
  /** @default all fields of the object */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Ends the app's subscription to an object, or to some of its fields: they are no longer delivered for any Page or
 * account.
 *
 * It is sent with the app's own token. Source: platform reference, Application subscriptions.
 *
 * @example
 * const ended = await unsubscribeApp(context, { object: 'page', fields: ['mention'] });
 * if (ended.isErr()) console.error(ended.error.message);
 */
export function unsubscribeApp(
  context: PageContext,
  options: UnsubscribeAppOptions,
): ResultAsync<boolean, Failure> {
  const checked = check(context, options, { object: appObject, fields: rule.optional(rule.names) });
  return performRequest(context, 'unsubscribeApp', checked, ({ object, fields }) => ({
    ...subscriptionsOfApp(context),
    method: DELETE,
    query: { object: objectName(context, object), fields: fields?.join(',') },
    schema: s.successSchema,
  }));
}

const objects = ['page', 'pics', 'user', 'permissions'] as const;

/** What an app can receive events of: Pages, photo-sharing accounts, its users, or what these grant it. */
type AppObject = (typeof objects)[number];

const appObject = rule.oneOf(...objects);

function subscriptionsOfApp({ appId, appToken }: PageContext): {
  readonly path: string;
  readonly token: string;
} {
  return { path: path`${appId}/subscriptions`, token: appToken };
}

function objectName({ platform }: PageContext, object: AppObject): string {
  return object === 'pics' ? platform.words.picsPlatform : object;
}
