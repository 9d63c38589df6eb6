import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { withOutcome } from '../core/deriveError.ts';
import type { ConfigurationError, Failure, RequestFailure, TransportError } from '../core/errors.ts';
import { addressOf, path } from '../core/http/addresses.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { afterRejection } from '../core/http/retry.ts';
import {
  fallbackOnRefusal,
  perform,
  performRequest,
  safeTry,
  send,
  withOperation,
} from '../core/http/send.ts';
import type { CallOptions } from '../core/http/types.ts';
import { collect } from '../core/lists/list.ts';
import { inspect } from '../core/lowLevel/inspect.ts';
import { check } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { flag, node, objectTo, successSchema, texts } from '../models/fields.ts';
import { type Profile, profileSchema } from '../models/profile.ts';
import type { AskedPermission, TokenBundle, TokenInfo } from '../models/tokens.ts';
import * as models from '../models/tokens.ts';
import type { PageContext, UserCallOptions } from './context.ts';

export interface LoginUrlOptions {
  /** The callback address, exactly as the app lists it: it is sent letter by letter, and must be ASCII. */
  readonly redirectUri: string;
  /** Random value that comes back with the code: keep it in the session, and compare it in the callback. */
  readonly state?: string | undefined;
  /**
   * Configuration of the business login. With one, no scope is sent.
   * @default the context's `configId`
   */
  readonly configId?: string | undefined;
  /**
   * Permissions to ask for, unless there is a `configId`, which has its own. `pics_` at the start of a name stands for the
   * platform's own prefix. Without app review, only people with a role in the app can grant them.
   * @default all that the page functions need except `business_management`, which `portfolioPages` needs, and `pages`
   * for Pages in a portfolio: `email`, `pages_show_list`, `pages_read_engagement`, `pages_read_user_content`,
   * `pages_manage_posts`, `pages_manage_engagement`, `pages_manage_metadata`, `pages_messaging`, `read_insights`,
   * `leads_retrieval`, `pages_manage_ads`, `ads_management`, and `pics_basic` for the linked account
   */
  readonly scopes?: readonly string[] | undefined;
  /**
   * What the dialog does for a person who has used the app before: `rerequest` asks again for permissions that the person
   * declined, which it otherwise leaves out; `reauthenticate` asks for the password again; `reauthorize` renews the
   * access to data, which ends 90 days after the person last used the app.
   * @default the dialog asks for what is new
   */
  readonly authType?: 'rerequest' | 'reauthenticate' | 'reauthorize' | undefined;
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
 */
export function loginUrl(context: PageContext, options: LoginUrlOptions): Result<string, LoginUrlFailure> {
  const checked = check(context, options, {
    redirectUri: rule.exactUrl,
    state: rule.optional(rule.text),
    configId: rule.optional(rule.text),
    scopes: someScopes,
    authType: rule.optional(authType),
    signal: rule.noSignal,
  });
  return withOperation(
    'loginUrl',
    checked.andThen((options) => {
      const { redirectUri, state, configId = context.configId, scopes = defaultScopes, authType } = options;
      const { appId, graphVersion, platform } = context;
      const query = {
        client_id: appId,
        redirect_uri: redirectUri,
        state,
        response_type: 'code',
        ...(configId === undefined
          ? { scope: scopes.map((name) => name.replace(/^pics_/, platform.words.picsScopePrefix)).join(',') }
          : { config_id: configId }),
        auth_type: authType,
      };
      const base = `${platform.dialogUrl.replace(/\/+$/, '')}/${graphVersion}`;
      return ok(addressOf(base, { path: 'dialog/oauth', query }));
    }),
  );
}

export interface ExchangeCodeOptions extends CallOptions {
  /** The `code` of the callback. */
  readonly code: string;
  /** The same address as in the login dialog. */
  readonly redirectUri: string;
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
 */
export function exchangeCode(
  context: PageContext,
  options: ExchangeCodeOptions,
): ResultAsync<TokenBundle, Failure> {
  const checked = check(context, options, { code: rule.token, redirectUri: rule.exactUrl });
  return perform(context, 'exchangeCode', checked, (call, options) => {
    // The dialog appends this to the callback address, so it may have been read as part of the code.
    const code = options.code.replace(/#_=_$/, '');
    const { appId, secret, clock } = context;
    const { exchangeGrant } = context.platform.words;
    const app = { client_id: appId, client_secret: secret };
    const request = {
      ...call,
      method: POST,
      path: 'oauth/access_token',
      schema: models.tokenResponseSchema,
      tokens: 'only' as const,
    };
    return safeTry(async function* () {
      const short = yield* send(context, {
        ...request,
        form: { ...app, redirect_uri: options.redirectUri, code },
        secrets: [code],
        mayRepeat: afterRejection,
      });
      const { access_token } = short;
      return send(context, {
        ...request,
        form: { ...app, grant_type: exchangeGrant, [exchangeGrant]: access_token },
        secrets: [code, access_token],
      })
        .map((long) => models.toTokenBundle(long, clock))
        .mapErr((failure) => withOutcome(failure, 'applied'));
    });
  });
}

export type PermissionsOptions = UserCallOptions;

/**
 * Lists the permissions that the app asked a user for, and what became of each: also those that the user declined, over
 * all pages of the list.
 *
 * Unlike `grantedScopes`, it fails if the platform refuses. A page token is refused. Source: platform reference, User
 * permissions.
 *
 * @example
 * const asked = await permissions(context, { token });
 * if (asked.isOk()) console.log(asked.value.filter(({ status }) => status === 'declined'));
 */
export function permissions(
  context: PageContext,
  options: PermissionsOptions,
): ResultAsync<readonly AskedPermission[], Failure> {
  const checked = check(context, options, { token: rule.token });
  return perform(context, 'permissions', checked, (call) =>
    collect(context, {
      ...call,
      path: 'me/permissions',
      // Pages are as large as the platform makes them.
      query: { limit: undefined },
      limit: Infinity,
      item: models.askedPermissionSchema,
      idOf: (asked) => asked?.permission ?? '',
    }).map((all) => all.filter((asked) => asked !== null)),
  );
}

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
 */
export function grantedScopes(
  context: PageContext,
  options: GrantedScopesOptions,
): ResultAsync<string[], GrantedScopesFailure> {
  const checked = check(context, options, { token: rule.token });
  return perform(context, 'grantedScopes', checked, (call, options) => {
    const inspection = inspect(context, { ...call, token: context.appToken }, options.token, schema);
    return fallbackOnRefusal(
      inspection.map(({ value }) => value),
      [],
    );
  });
}

const schema = objectTo(
  { data: node({ is_valid: flag, scopes: texts }) },
  // The platform may still list the scopes of a dead token.
  ({ data: { is_valid, scopes, error } }) =>
    is_valid === false || error !== undefined ? [] : [...(scopes ?? [])],
);

export interface InspectTokenOptions extends UserCallOptions {
  /** Token to inspect: a user, page or system user token of this app. */
  readonly token: string;
}

/**
 * Reads the details of a token: its owner, its expiry and its permissions.
 *
 * A dead token is a value, with `is_valid: false` and the reason in `error`. An ApiError means that the platform could
 * not inspect it, for example because the app id and secret do not match.
 *
 * Tokens of the photo-sharing platform's own login cannot be inspected.
 *
 * Source: platform reference, Debug Token.
 *
 * @example
 * const info = await inspectToken(context, { token });
 * if (info.isOk() && !info.value.is_valid) console.log(info.value.error?.action);
 */
export function inspectToken(
  context: PageContext,
  options: InspectTokenOptions,
): ResultAsync<TokenInfo, Failure> {
  const checked = check(context, options, { token: rule.token });
  return perform(context, 'inspectToken', checked, (call, options) =>
    inspect(context, { ...call, token: context.appToken }, options.token, models.tokenInfoSchema).map(
      (said) => models.inspected(said, options.token),
    ),
  );
}

export interface RevokeOptions extends UserCallOptions {
  /** @default 'me', the user that the token belongs to */
  readonly userId?: string | undefined;
}

/**
 * Withdraws all permissions of the app, as if the user had removed it. The user's tokens then no longer work.
 *
 * After a lost response it is sent again. If the platform then says that the app was removed, the call succeeds.
 *
 * Source: platform reference, User permissions.
 *
 * @example
 * const revoked = await revoke(context, { token });
 * if (revoked.isOk()) console.log('the app is removed');
 */
export function revoke(context: PageContext, options: RevokeOptions): ResultAsync<boolean, Failure> {
  const checked = check(context, options, { token: rule.token, userId: rule.optional(rule.id) });
  return perform(context, 'revoke', checked, (call, { userId = 'me' }) =>
    send(context, {
      ...call,
      method: DELETE,
      path: path`${userId}/permissions`,
      schema: successSchema,
    }).orElse((failure) => (showsRemoval(failure) ? ok(true) : err(failure))),
  );
}

/**
 * Whether a refusal says that the app was removed, and its outcome is unknown: an earlier attempt, whose response was
 * lost, may have done it.
 */
function showsRemoval(failure: RequestFailure): boolean {
  if (failure.name === 'TransportError') return false;
  const { status = 0, code, subcode, outcome } = failure;
  return code === 190 && subcode === 458 && status >= 400 && status < 500 && outcome === 'unknown';
}

export interface MeOptions extends UserCallOptions {
  /** User token. A page token is refused: a Page has no email. */
  readonly token: string;
}

/**
 * Reads the profile of the user that the token belongs to.
 *
 * The email address needs `email` too. Source: platform reference, User.
 *
 * @example
 * const profile = await me(context, { token });
 * if (profile.isOk()) console.log(profile.value.name);
 */
export function me(context: PageContext, options: MeOptions): ResultAsync<Profile, Failure> {
  const checked = check(context, options, { token: rule.token });
  return performRequest(context, 'me', checked, () => ({
    path: 'me',
    query: { fields: 'id,name,email,picture.type(large)' },
    // A Page has no `email`: the refusal tells whose token it is.
    schema: profileSchema,
  }));
}

const authType = rule.oneOf('rerequest', 'reauthenticate', 'reauthorize');

const someScopes = rule.optional(rule.names);
