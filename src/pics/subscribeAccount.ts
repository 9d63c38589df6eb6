import { errAsync, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { send } from '../core/http/send.ts';
import { check, names, optional, token } from '../core/options/check.ts';
import { successSchema } from '../models/success.ts';
import type { PicsContext } from './context.ts';
import { accountId, accountOf, checkMode } from './internal/account.ts';

const defaultFields = ['comments', 'messages', 'messaging_postbacks', 'message_reactions'];

export interface SubscribeAccountOptions {
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
  readonly signal?: AbortSignal | undefined;
}

export type SubscribeAccountFailure = Failure;

/**
 * Subscribes an account to the app's webhook. Call it right after `exchangeCode`: until then, no event of the account
 * is delivered.
 *
 * The platform accepts the fields, but delivers all that the app itself is subscribed to.
 *
 * Fails with ConfigurationError in page mode, where the subscription is the Page's: see `subscribePage`.
 *
 * Permission: `pics_business_basic`. Source: platform guide, Setup Webhooks Subscriptions.
 *
 * @example
 * const subscribed = await subscribeAccount(context, { token });
 * if (subscribed.isErr()) console.error(subscribed.error.message);
 *
 * @example With a client, which throws
 * const subscribed = await client.subscribeAccount({ token });
 */
export function subscribeAccount(
  context: PicsContext,
  options: SubscribeAccountOptions,
): ResultAsync<boolean, SubscribeAccountFailure> {
  const invalid =
    checkMode(context, 'login', 'subscribe the Page instead') ??
    check(options, { token, picsUserId: accountId(context), fields: optional(names) });
  if (invalid) return errAsync(invalid);
  const { picsUserId, fields = defaultFields, signal } = options;
  return send(context, {
    method: 'POST',
    path: path`${accountOf(picsUserId)}/subscribed_apps`,
    token: options.token,
    query: { subscribed_fields: fields.join(',') },
    schema: successSchema,
    signal,
  });
}
