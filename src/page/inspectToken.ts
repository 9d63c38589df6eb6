import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform, sendForResponse } from '../core/http/send.ts';
import { check, token } from '../core/options/check.ts';
import { type TokenInfo, tokenInspection } from '../models/tokens.ts';
import type { PageContext, UserCallOptions } from './context.ts';

export interface InspectTokenOptions extends UserCallOptions {
  /** Token to inspect: a user, page or system user token of this app. */
  readonly token: string;
}

/**
 * Reads what a token is: whose it is, when it expires and what it may do.
 *
 * A dead token is a value, with `is_valid: false` and the reason in `error`. An ApiError means that the platform could
 * not tell, for example because the app id and secret do not match.
 *
 * Tokens of the photo-sharing platform's own login cannot be inspected.
 *
 * Source: platform reference, Debug Token.
 *
 * @example
 * const info = await inspectToken(context, { token });
 * if (info.isOk() && !info.value.is_valid) console.log(info.value.error?.subcode);
 *
 * @example With a client, which throws
 * const info = await client.inspectToken({ token });
 */
export function inspectToken(
  context: PageContext,
  options: InspectTokenOptions,
): ResultAsync<TokenInfo, Failure> {
  const checked = check(context, options, () => ({ token }));
  return perform(context, 'inspectToken', checked, (call, own) =>
    sendForResponse(context, {
      ...call,
      ...tokenInspection(context, context.appToken, own.token),
    }).map(({ value, redact }) => ({ ...value, error: redact(value.error) })),
  );
}
