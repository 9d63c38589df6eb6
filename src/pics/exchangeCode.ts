import { errAsync, ok, type ResultAsync } from 'neverthrow';

import { ConfigurationError, type Failure } from '../core/errors.ts';
import { safeTry } from '../core/http/resultAsync.ts';
import { deadlineOf, send } from '../core/http/send.ts';
import { check, token, url } from '../core/options/check.ts';
import { withOutcome } from '../core/writes/once.ts';
import { type TokenBundle, tokenAnswerSchema, toTokenBundle } from '../models/tokenBundle.ts';
import type { PicsContext } from './context.ts';
import { checkMode } from './internal/account.ts';
import { tokenAddress } from './internal/tokenAddress.ts';

export interface ExchangeCodeOptions {
  /** The `code` of the callback. */
  readonly code: string;
  /** The same as in the login address. */
  readonly redirectUri: string;
  readonly signal?: AbortSignal | undefined;
}

export type ExchangeCodeFailure = Failure;

/**
 * Exchanges the code of the login callback for a short-lived token, and that for a long-lived one of about 60
 * days. Login mode only.
 *
 * A code works once, so it is sent once. The error's `outcome` tells whether it can be used again: only after
 * `rejected`. It is `unknown` when the answer was lost, and `applied` when the code was taken but the long-lived
 * token did not come; then the account's owner has to log in anew.
 *
 * Fails with ConfigurationError when the context has no `appId` or no `appSecret`, and with ApiError when no
 * token arrives.
 *
 * Source: Business Login for the photo-sharing platform.
 *
 * @example
 * const bundle = await exchangeCode(context, { code, redirectUri });
 * if (bundle.isOk()) console.log(bundle.value.expires_at);
 */
export function exchangeCode(
  context: PicsContext,
  options: ExchangeCodeOptions,
): ResultAsync<TokenBundle, ExchangeCodeFailure> {
  const invalid = checkMode(context, 'login') ?? check(options, { code: token, redirectUri: url });
  if (invalid) return errAsync(invalid);
  const { appId, secret, platform, clock } = context;
  if (appId === undefined)
    return errAsync(new ConfigurationError('appId is needed for the exchange', 'appId'));
  if (secret === undefined) {
    return errAsync(new ConfigurationError('appSecret is needed for the exchange', 'appSecret'));
  }
  const { redirectUri, signal } = options;
  // The platform ends the address of the callback with `#_`, which is no part of the code.
  const code = options.code.replace(/#_$/, '');
  const request = {
    signal,
    deadline: deadlineOf(context),
    secrets: [code, secret],
    schema: tokenAnswerSchema,
  };
  return safeTry(async function* () {
    const short = yield* send(context, {
      ...request,
      method: 'POST',
      path: platform.picsTokenUrl,
      form: {
        client_id: appId,
        client_secret: secret,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code,
      },
      repeat: 'refused',
    });
    const long = yield* send(context, {
      ...request,
      method: 'GET',
      path: tokenAddress(context, 'access_token'),
      query: { grant_type: platform.words.picsExchangeGrant, client_secret: secret },
      token: short.access_token,
    }).mapErr((failure) => withOutcome(failure, 'applied'));
    // Only the first answer says whose token it is.
    const { user_id = short.user_id, permissions = short.permissions } = long;
    return ok(toTokenBundle({ ...long, user_id, permissions }, clock));
  });
}
