import { ok, type ResultAsync } from 'neverthrow';

import { withOutcome } from '../core/deriveError.ts';
import { ConfigurationError, type Failure } from '../core/errors.ts';
import { afterRejection } from '../core/http/retry.ts';
import { perform, safeTry, send } from '../core/http/send.ts';
import { check, token, url } from '../core/options/check.ts';
import { type TokenBundle, tokenResponseSchema, toTokenBundle } from '../models/tokens.ts';
import type { PicsContext } from './context.ts';
import { checkMode, tokenAddress } from './internal/account.ts';

export interface ExchangeCodeOptions {
  /** The `code` of the callback. */
  readonly code: string;
  /** The same address as in the login dialog. */
  readonly redirectUri: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Exchanges the code of a login for a short-lived token, and that for a long-lived token, which is valid for about 60
 * days. Login mode only.
 *
 * A code can be used once, so its exchange is sent once. The code is still good only if the error's `outcome` is
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
    () => checkMode(context, 'login') ?? checkApp(context),
  );
  return perform(context, 'exchangeCode', checked, (call, own) => {
    const { appId, secret, platform, clock } = context;
    // The platform appends `#_` to the callback address, which is not part of the code.
    const code = own.code.replace(/#_$/, '');
    const request = {
      ...call,
      secrets: [code, secret],
      schema: tokenResponseSchema,
      tokens: 'only' as const,
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
          redirect_uri: own.redirectUri,
          code,
        },
        mayRepeat: afterRejection,
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
  });
}

function checkApp({ appId, secret }: PicsContext): ConfigurationError | undefined {
  const missing = appId === undefined ? 'appId' : secret === undefined ? 'appSecret' : undefined;
  return missing && new ConfigurationError(`${missing} is needed for the exchange`, missing);
}
