import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError } from '../core/errors.ts';
import { addressOf } from '../core/http/path.ts';
import { named } from '../core/http/send.ts';
import { check, names, optional, text, url } from '../core/options/check.ts';
import type { PicsContext } from './context.ts';
import { checkMode } from './internal/account.ts';

export interface LoginUrlOptions {
  /** The callback address, exactly as the app lists it. */
  readonly redirectUri: string;
  /**
   * Random value that comes back with the code. It is not stored: keep it in the session, and compare it in
   * the callback.
   */
  readonly state?: string | undefined;
  /**
   * Permissions to ask for. A leading `pics_` stands for the platform's own prefix.
   * @default `pics_business_` + `basic`, `manage_messages`, `manage_comments`, `content_publish`, `manage_insights`
   */
  readonly scopes?: readonly string[] | undefined;
}

export type LoginUrlFailure = ConfigurationError;

const defaultScopes = [
  'pics_business_basic',
  'pics_business_manage_messages',
  'pics_business_manage_comments',
  'pics_business_content_publish',
  'pics_business_manage_insights',
];

/**
 * Builds the address of the login dialog. It sends nothing. Login mode only.
 *
 * The code in the callback is valid for one hour and one exchange.
 *
 * Fails with ConfigurationError when the context has no `appId`.
 *
 * Source: Business Login for the photo-sharing platform.
 *
 * @example
 * const address = loginUrl(context, { redirectUri, state });
 * if (address.isOk()) console.log(address.value);
 *
 * @example With a client, which throws
 * const address = client.loginUrl({ redirectUri, state });
 */
export function loginUrl(context: PicsContext, options: LoginUrlOptions): Result<string, LoginUrlFailure> {
  const checked = check(
    context,
    options,
    () => ({ redirectUri: url, state: optional(text), scopes: optional(names) }),
    () => checkMode(context, 'login'),
  );
  return named(
    'loginUrl',
    checked.andThen(({ redirectUri, state, scopes = defaultScopes }) => {
      const { appId, graphBase, platform } = context;
      if (appId === undefined)
        return err(new ConfigurationError('appId is needed for the login dialog', 'appId'));
      const scope = scopes.map((name) => name.replace(/^pics_/, platform.words.picsScopePrefix)).join(',');
      const query = { client_id: appId, redirect_uri: redirectUri, response_type: 'code', scope, state };
      return ok(addressOf(graphBase, { path: platform.picsAuthUrl, query }));
    }),
  );
}
