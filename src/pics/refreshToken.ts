import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform, send } from '../core/http/send.ts';
import { check, token as tokenRule } from '../core/options/check.ts';
import { type TokenBundle, tokenResponseSchema, toTokenBundle } from '../models/tokens.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { checkMode, tokenAddress } from './internal/account.ts';

export interface RefreshTokenOptions extends PicsCallOptions {
  /** Long-lived token, at least 24 hours old and not expired. */
  readonly token: string;
}

/**
 * Refreshes a long-lived token. The new one is valid for 60 days from now. Login mode only.
 *
 * Fails with ApiError when no token arrives.
 *
 * Permission: `pics_business_basic`. Source: Business Login for the photo-sharing platform.
 *
 * @example
 * const bundle = await refreshToken(context, { token });
 * if (bundle.isOk()) console.log(bundle.value.expires_at);
 *
 * @example With a client, which throws
 * const bundle = await client.refreshToken({ token });
 */
export function refreshToken(
  context: PicsContext,
  options: RefreshTokenOptions,
): ResultAsync<TokenBundle, Failure> {
  const checked = check(
    context,
    options,
    () => ({ token: tokenRule }),
    () => checkMode(context, 'login'),
  );
  return perform(context, 'refreshToken', checked, (call) =>
    send(context, {
      ...call,
      method: 'GET',
      isPosted: true,
      path: tokenAddress(context, 'refresh_access_token'),
      query: { grant_type: context.platform.words.picsRefreshGrant },
      schema: tokenResponseSchema,
      tokens: 'only' as const,
    }).map((response) => toTokenBundle(response, context.clock)),
  );
}
