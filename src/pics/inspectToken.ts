import type { ResultAsync } from 'neverthrow';

import { ConfigurationError, type Failure } from '../core/errors.ts';
import { perform, sendForResponse } from '../core/http/send.ts';
import { check, token } from '../core/options/check.ts';
import { type TokenInfo, tokenInspection } from '../models/tokens.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { checkMode } from './internal/account.ts';

export interface InspectTokenOptions extends PicsCallOptions {
  /** Page token to inspect. */
  readonly token: string;
}

/**
 * Reads what a page token is: whose it is, when it expires and what it may do. Page mode only, with a context that has
 * an `appId`: the platform describes a token only to its app, and never one of login mode.
 *
 * A dead token is a value, with `is_valid: false` and the reason in `error`.
 *
 * Fails with ConfigurationError in login mode, and when the context has no `appId`.
 *
 * Source: platform reference, Debug Token.
 *
 * @example
 * const info = await inspectToken(context, { token });
 * if (info.isOk()) console.log(info.value.scopes, info.value.data_access_expires_at);
 *
 * @example With a client, which throws
 * const info = await client.inspectToken({ token });
 */
export function inspectToken(
  context: PicsContext,
  options: InspectTokenOptions,
): ResultAsync<TokenInfo, Failure> {
  const checked = check(
    context,
    options,
    () => ({ token }),
    () =>
      checkMode(context, 'page', 'to test a token of login mode, read its profile') ??
      (context.appId === undefined
        ? new ConfigurationError('appId is needed to inspect a token: give it to the context', 'appId')
        : undefined),
  );
  return perform(context, 'inspectToken', checked, (call, own) =>
    sendForResponse(context, {
      ...call,
      ...tokenInspection(context, `${context.appId}|${context.secret}`, own.token),
    }).map(({ value, redact }) => ({ ...value, error: redact(value.error) })),
  );
}
