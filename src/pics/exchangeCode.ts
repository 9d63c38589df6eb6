import { errAsync, ok, type ResultAsync } from 'neverthrow';

import { withOutcome } from '../core/deriveError.ts';
import { ConfigurationError, type Failure } from '../core/errors.ts';
import { safeTry } from '../core/http/resultAsync.ts';
import { deadlineOf, send } from '../core/http/send.ts';
import { check, token, url } from '../core/options/check.ts';
import { type TokenBundle, tokenResponseSchema, toTokenBundle } from '../models/tokens.ts';
import type { PicsContext } from './context.ts';
import { checkMode, tokenAddress } from './internal/account.ts';

export interface ExchangeCodeOptions {
  /** The `code` of the callback. */
  readonly code: string;
  /** The same as in the login dialog's address. */
  readonly redirectUri: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Exchanges the code of a login for a short-lived token, and this one for a long-lived token, which is valid for
 * about 60 days. Login mode only.
 *
 * A code is single-use, so its exchange is sent once. It can be used again only if the error's `outcome` is
 * `rejected`. The outcome is `unknown` if the response was lost, and `applied` if the code was redeemed but the
 * long-lived token did not arrive; then the account's owner has to log in again.
 *
 * Fails with ConfigurationError when the context has no `appId` or no `appSecret`, and with ApiError when no
 * token arrives.
 *
 * Source: Business Login for the photo-sharing platform.
 *
 * @example
 * const bundle = await exchangeCode(context, { code, redirectUri });
 * if (bundle.isOk()) console.log(bundle.value.expires_at);
 *
 * @example With a client, which throws
 * const bundle = await client.exchangeCode({ code, redirectUri });
 */
export function exchangeCode(
  context: PicsContext,
  options: ExchangeCodeOptions,
): ResultAsync<TokenBundle, Failure> {
  const checked = check(
    context,
    options,
    () => ({ code: token, redirectUri: url }),
    () => checkMode(context, 'login'),
  );
  if (checked.isErr()) return errAsync(checked.error);
  const { appId, secret, platform, clock } = context;
  if (appId === undefined)
    return errAsync(new ConfigurationError('appId is needed for the exchange', 'appId'));
  if (secret === undefined) {
    return errAsync(new ConfigurationError('appSecret is needed for the exchange', 'appSecret'));
  }
  const { redirectUri, signal } = checked.value;
  // The platform appends `#_` to the callback address, which is no part of the code.
  const code = checked.value.code.replace(/#_$/, '');
  const request = {
    signal,
    deadline: deadlineOf(context),
    secrets: [code, secret],
    schema: tokenResponseSchema,
    tokens: 'only' as const,
  };
  return safeTry(context, async function* () {
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
      retryOn: 'rejection',
    });
    const long = yield* send(context, {
      ...request,
      method: 'GET',
      isPosted: true,
      path: tokenAddress(context, 'access_token'),
      query: { grant_type: platform.words.picsExchangeGrant, client_secret: secret },
      token: short.access_token,
    }).mapErr((failure) => withOutcome(failure, 'applied'));
    // Only the first response names the account and the permissions.
    const { user_id = short.user_id, permissions = short.permissions } = long;
    return ok(toTokenBundle({ ...long, user_id, permissions }, clock));
  });
}
