import type { ResultAsync } from 'neverthrow';

import { withOutcome } from '../core/deriveError.ts';
import type { Failure } from '../core/errors.ts';
import { afterRejection } from '../core/http/retry.ts';
import { perform, safeTry, send } from '../core/http/send.ts';
import { check, token, url } from '../core/options/check.ts';
import { toTokenBundle, tokenResponseSchema, type TokenBundle } from '../models/tokens.ts';
import type { PageContext } from './context.ts';

export interface ExchangeCodeOptions {
  /** The `code` of the callback. */
  readonly code: string;
  /** The same address as in the login dialog. */
  readonly redirectUri: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Exchanges the code of a login for a short-lived token, and that for a long-lived user token, which is valid for about
 * 60 days.
 *
 * A code can be used once, so its exchange is sent once. The code is still good only if the error's `outcome` is
 * `rejected`. The outcome is `unknown` if the response was lost, and `applied` if the code was redeemed but the
 * long-lived token did not arrive; then the user has to log in again.
 *
 * Fails with ApiError when the platform gives no token.
 *
 * Source: platform guides, Manually Build a Login Flow; Get Long-Lived Access Tokens.
 *
 * @example
 * const bundle = await exchangeCode(context, { code, redirectUri });
 * if (bundle.isOk()) console.log(bundle.value.expires_at);
 *
 * @example With a client, which throws
 * const bundle = await client.exchangeCode({ code, redirectUri });
 */
export function exchangeCode(
  context: PageContext,
  options: ExchangeCodeOptions,
): ResultAsync<TokenBundle, Failure> {
  const checked = check(context, options, () => ({ code: token, redirectUri: url }));
  return perform(context, 'exchangeCode', checked, (call, own) => {
    // The dialog appends this to the callback address, so it may have been read as part of the code.
    const code = own.code.replace(/#_=_$/, '');
    const { appId, secret, clock } = context;
    const { exchangeGrant } = context.platform.words;
    const app = { client_id: appId, client_secret: secret };
    const request = {
      ...call,
      method: 'POST',
      path: 'oauth/access_token',
      schema: tokenResponseSchema,
      tokens: 'only' as const,
    };
    return safeTry(async function* () {
      const short = yield* send(context, {
        ...request,
        form: { ...app, redirect_uri: own.redirectUri, code },
        secrets: [code],
        mayRepeat: afterRejection,
      });
      const { access_token } = short;
      return send(context, {
        ...request,
        form: { ...app, grant_type: exchangeGrant, [exchangeGrant]: access_token },
        secrets: [code, access_token],
      })
        .map((long) => toTokenBundle(long, clock))
        .mapErr((failure) => withOutcome(failure, 'applied'));
    });
  });
}
