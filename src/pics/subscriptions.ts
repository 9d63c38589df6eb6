import type { ResultAsync } from 'neverthrow';

import { addNames, type AddOptions } from '../core/addNames.ts';
import type { Failure, RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { POST } from '../core/http/methods.ts';
import { perform, send } from '../core/http/send.ts';
import { check } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { successSchema } from '../models/fields.ts';
import { subscribedAppsSchema, subscribedFieldsOf } from '../models/subscriptions.ts';
import { accountOf, isRequired, onlyIn } from './accountOptions.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

const defaultFields = ['comments', 'messages', 'messaging_postbacks', 'message_reactions'];

export interface SubscribeAccountOptions extends PicsCallOptions, AddOptions {
  /** User token. */
  readonly token: string;
  /**
   * Account to subscribe.
   * @default the token's owner
   */
  readonly picsUserId?: string | undefined;
  /**
   * Fields to subscribe to.
   * @default comments, messages, messaging_postbacks, message_reactions
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Subscribes an account to the app's webhook. Call it right after `exchangeCode`: until then, no event of the account
 * is delivered.
 *
 * The platform accepts the fields, but delivers every field that the app itself is subscribed to.
 *
 * Fails with ConfigurationError in page mode, where the Page is subscribed instead (see `subscribePage`), and with
 * `add` if the context has no `appId`.
 *
 * If a permission is missing, pass `fields` that do not need it. Source: platform guide, Setup Webhooks Subscriptions.
 *
 * @example
 * const subscribed = await subscribeAccount(context, { token });
 * if (subscribed.isErr()) console.error(subscribed.error.message);
 */
export function subscribeAccount(
  context: PicsContext,
  options: SubscribeAccountOptions,
): ResultAsync<boolean, Failure> {
  const checked = check(
    context,
    options,
    // The account is optional in either mode: page mode has not this function, whatever the account.
    {
      token: rule.token,
      picsUserId: rule.optional(rule.id),
      fields: rule.optional(rule.names),
      add: rule.optional(rule.flag),
    },
    onlyIn('login', ': subscribe the Page instead'),
    checkApp,
  );
  return perform(context, 'subscribeAccount', checked, (call, options) => {
    const { picsUserId, fields = defaultFields, add = false } = options;
    const request = { ...call, path: path`${accountOf(picsUserId)}/subscribed_apps` };
    const subscribe = (all: readonly string[]): ResultAsync<boolean, RequestFailure> =>
      send(context, {
        ...request,
        method: POST,
        query: { subscribed_fields: all.join(',') },
        schema: successSchema,
      });
    if (!add) return subscribe(fields);
    return addNames(context, {
      ...request,
      // `me` is a different account for each token.
      set: picsUserId === undefined ? request.token : request.path,
      names: fields,
      read: () =>
        send(context, { ...request, schema: subscribedAppsSchema }).map((apps) =>
          subscribedFieldsOf(apps, context.appId ?? ''),
        ),
      write: subscribe,
    });
  });
}

function checkApp({ add }: AddOptions, { appId }: PicsContext): rule.Fault | undefined {
  return add === true && appId === undefined ? rule.faultOf(isRequired, 'appId') : undefined;
}
