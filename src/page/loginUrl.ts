import { ok, type Result } from 'neverthrow';

import type { ConfigurationError } from '../core/errors.ts';
import { addressOf } from '../core/http/path.ts';
import { named } from '../core/http/send.ts';
import { check, names, optional, text, url } from '../core/options/check.ts';
import type { PageContext } from './context.ts';

export interface LoginUrlOptions {
  /** The callback address, exactly as the app lists it. */
  readonly redirectUri: string;
  /** Random value that comes back with the code: keep it in the session, and compare it in the callback. */
  readonly state?: string | undefined;
  /**
   * Configuration of the business login. With one, no scope is sent.
   * @default the context's `configId`
   */
  readonly configId?: string | undefined;
  /**
   * Permissions to ask for. `pics_` at the start of a name stands for the platform's own prefix. Without app review,
   * only people with a role in the app can grant them.
   * @default all that the page functions need except `business_management`, which `portfolioPages` needs, and `pages`
   * for Pages in a portfolio: `email`, `pages_show_list`, `pages_read_engagement`, `pages_read_user_content`,
   * `pages_manage_posts`, `pages_manage_engagement`, `pages_manage_metadata`, `pages_messaging`, `read_insights`,
   * `leads_retrieval`, `pages_manage_ads`, `ads_management`, and `pics_basic` for the linked account
   */
  readonly scopes?: readonly string[] | undefined;
}

export type LoginUrlFailure = ConfigurationError;

const defaultScopes = [
  'email',
  'pages_show_list',
  'pages_read_engagement',
  'pages_read_user_content',
  'pages_manage_posts',
  'pages_manage_engagement',
  'pages_manage_metadata',
  'pages_messaging',
  'read_insights',
  'leads_retrieval',
  'pages_manage_ads',
  'ads_management',
  'pics_basic',
];

/**
 * Builds the address of the login dialog. It sends nothing.
 *
 * With a `configId`, in the call or in the context, it is the business login, which only apps of the Business type
 * have; otherwise the dialog asks for scopes. `state` is not stored.
 *
 * Source: platform guide, Manually Build a Login Flow.
 *
 * @example
 * const address = loginUrl(context, { redirectUri, state });
 * if (address.isOk()) console.log(address.value);
 *
 * @example With a client, which throws
 * const address = client.loginUrl({ redirectUri, state });
 */
export function loginUrl(context: PageContext, options: LoginUrlOptions): Result<string, LoginUrlFailure> {
  const checked = check(context, options, () => ({
    redirectUri: url,
    state: optional(text),
    configId: optional(text),
    scopes: optional(names),
  }));
  return named(
    'loginUrl',
    checked.andThen(({ redirectUri, state, configId = context.configId, scopes = defaultScopes }) => {
      const { appId, graphVersion, platform } = context;
      const query = {
        client_id: appId,
        redirect_uri: redirectUri,
        state,
        response_type: 'code',
        ...(configId === undefined
          ? { scope: scopes.map((name) => name.replace(/^pics_/, platform.words.picsScopePrefix)).join(',') }
          : { config_id: configId }),
      };
      const base = `${platform.dialogUrl.replace(/\/+$/, '')}/${graphVersion}`;
      return ok(addressOf(base, { path: 'dialog/oauth', query }));
    }),
  );
}
