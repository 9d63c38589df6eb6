import { errAsync, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { safeTry } from '../core/http/resultAsync.ts';
import { deadlineOf, send } from '../core/http/send.ts';
import { check, token, url } from '../core/options/check.ts';
import { withOutcome } from '../core/writes/once.ts';
import { toTokenBundle, tokenAnswerSchema, type TokenBundle } from '../models/tokenBundle.ts';
import type { PageContext } from './context.ts';

export interface ExchangeCodeOptions {
  /** Code that the callback of the login received. */
  readonly code: string;
  /** The same as in the login's address. */
  readonly redirectUri: string;
  readonly signal?: AbortSignal | undefined;
}

export type ExchangeCodeFailure = Failure;

/**
 * Exchanges the code of a login for a user token that lives about 60 days: first for a short-lived token, and
 * that at once for the long-lived one.
 *
 * A code works once, so it is sent once. The error's `outcome` tells whether it can be used again: only after
 * `rejected`. It is `unknown` when the answer was lost, and `applied` when the code was taken but the long-lived
 * token did not come; then the user has to log in anew.
 *
 * Fails with ApiError when the platform gives no token.
 *
 * Source: platform guides, Manually Build a Login Flow; Get Long-Lived Access Tokens.
 *
 * @example
 * const bundle = await exchangeCode(context, { code, redirectUri });
 * if (bundle.isOk()) console.log(bundle.value.expires_at);
 */
export function exchangeCode(
  context: PageContext,
  options: ExchangeCodeOptions,
): ResultAsync<TokenBundle, ExchangeCodeFailure> {
  const invalid = check(options, { code: token, redirectUri: url });
  if (invalid) return errAsync(invalid);
  const { redirectUri, signal } = options;
  // The dialog ends its address with this, and a browser can have taken it for a part of the code.
  const code = options.code.replace(/#_=_$/, '');
  const { appId, secret, clock } = context;
  const { exchangeGrant } = context.platform.words;
  const app = { client_id: appId, client_secret: secret };
  const request = {
    method: 'GET',
    path: 'oauth/access_token',
    schema: tokenAnswerSchema,
    signal,
    deadline: deadlineOf(context),
  };
  return safeTry(async function* () {
    const short = yield* send(context, {
      ...request,
      query: { ...app, redirect_uri: redirectUri, code },
      secrets: [code],
      repeat: 'refused',
    });
    const { access_token } = short;
    return send(context, {
      ...request,
      query: { ...app, grant_type: exchangeGrant, [exchangeGrant]: access_token },
      secrets: [code, access_token],
    })
      .map((long) => toTokenBundle(long, clock))
      .mapErr((failure) => withOutcome(failure, 'applied'));
  });
}
