import type { ResultAsync } from 'neverthrow';

import type { ConfigurationError, TransportError } from '../core/errors.ts';
import { fallbackOnRefusal, perform, send } from '../core/http/send.ts';
import { check, token } from '../core/options/check.ts';
import { converted, objectOf } from '../core/schema.ts';
import { flag, node, texts } from '../models/fields.ts';
import type { PageContext, UserCallOptions } from './context.ts';

export interface GrantedScopesOptions extends UserCallOptions {
  /** Token to inspect. */
  readonly token: string;
}

export type GrantedScopesFailure = TransportError | ConfigurationError;

/**
 * Lists the permissions that a token has. The user may have granted fewer than were requested.
 *
 * The list is empty for a dead token, and if the platform refuses or sends no usable response. Only a network failure
 * is an error.
 *
 * Source: platform reference, Debug Token.
 *
 * @example
 * const scopes = await grantedScopes(context, { token });
 * if (scopes.isOk()) console.log(scopes.value.includes('pages_manage_posts'));
 *
 * @example With a client, which throws
 * const scopes = await client.grantedScopes({ token });
 */
export function grantedScopes(
  context: PageContext,
  options: GrantedScopesOptions,
): ResultAsync<string[], GrantedScopesFailure> {
  const checked = check(context, options, () => ({ token }));
  return perform(context, 'grantedScopes', checked, (call, own) => {
    const scopes = send(context, {
      ...call,
      method: 'GET',
      isPosted: context.tokenTransport === 'header',
      path: 'debug_token',
      token: context.appToken,
      query: { input_token: own.token },
      secrets: [own.token],
      schema,
    });
    return fallbackOnRefusal(scopes, []);
  });
}

const schema = converted(
  objectOf({
    data: node({ is_valid: flag, scopes: texts }),
  }),
  // The platform may still list the scopes of a dead token.
  ({ data: { is_valid, scopes, error } }) =>
    is_valid === false || error !== undefined ? [] : [...(scopes ?? [])],
);
