import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform, send } from '../core/http/send.ts';
import { check, names, token, url } from '../core/options/check.ts';
import { successSchema } from '../models/written.ts';
import type { PageContext } from './context.ts';
import { type AppObject, appObject, ofApp, objectName } from './internal/appObject.ts';

export interface SubscribeAppOptions {
  /** Whose events the app is to receive: `pics` are photo-sharing accounts, `permissions` what people grant the app. */
  readonly object: AppObject;
  /** Where they are delivered, over HTTPS: a handler of `createWebhookHandler`. It replaces that of the object. */
  readonly callbackUrl: string;
  /**
   * The text that the handler takes for proof of the platform: its option `verifyToken`. Up to 64 visible characters;
   * `+`, `/` and `=` may arrive changed. Secret.
   */
  readonly verifyToken: string;
  /** Fields to subscribe to, in addition to the current ones. */
  readonly fields: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** The longest verify token that the platform takes, in characters. */
const longest = 64;

/**
 * Subscribes the app to events of an object, with their content, as in its dashboard. Fields that it is subscribed to
 * stay. Each Page and account is to be subscribed besides: `subscribePage`, `subscribeAccount`.
 *
 * Within the call, the platform calls `callbackUrl` for its challenge, so the handler must be up. If that fails, so does
 * the call, with an ApiError of code 2200 that says why. In login mode, the dashboard does this for the photo-sharing
 * product.
 *
 * It is sent with the app's own token. Source: platform guide, Webhooks from Graph API, Subscriptions edge.
 *
 * @example
 * const callbackUrl = 'https://example.org/webhooks';
 * const subscribed = await subscribeApp(context, { object: 'page', callbackUrl, verifyToken, fields: ['feed'] });
 * if (subscribed.isErr()) console.error(subscribed.error.message);
 *
 * @example With a client, which throws
 * const callbackUrl = 'https://example.org/webhooks';
 * const subscribed = await client.subscribeApp({ object: 'page', callbackUrl, verifyToken, fields: ['feed'] });
 */
export function subscribeApp(
  context: PageContext,
  options: SubscribeAppOptions,
): ResultAsync<boolean, Failure> {
  const checked = check(context, options, () => ({
    object: appObject,
    callbackUrl: url,
    verifyToken: (value) =>
      token(value) ??
      (String(value).length > longest ? `must have at most ${longest} characters` : undefined),
    fields: names,
  }));
  return perform(context, 'subscribeApp', checked, (call, { object, callbackUrl, verifyToken, fields }) =>
    send(context, {
      ...call,
      ...ofApp(context),
      method: 'POST',
      form: {
        object: objectName(context, object),
        callback_url: callbackUrl,
        verify_token: verifyToken,
        fields: fields.join(','),
        include_values: true,
      },
      secrets: [verifyToken],
      schema: successSchema,
    }),
  );
}
