import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { withOutcome } from '../core/deriveError.ts';
import type { ConfigurationError, Failure } from '../core/errors.ts';
import { addressOf } from '../core/http/addresses.ts';
import { POST } from '../core/http/methods.ts';
import { afterRejection } from '../core/http/retry.ts';
import { perform, safeTry, send, withOperation } from '../core/http/send.ts';
import type { CallOptions } from '../core/http/types.ts';
import { inspect } from '../core/lowLevel/inspect.ts';
import { check, toError } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import type { TokenBundle, TokenInfo } from '../models/tokens.ts';
import { inspected, tokenInfoSchema, tokenResponseSchema, toTokenBundle } from '../models/tokens.ts';
import { checkInMode, isRequired, onlyIn } from './accountOptions.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

export interface LoginUrlOptions {
  /** The callback address, exactly as the app lists it: it is sent letter by letter, and must be ASCII. */
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
  /**
   * Lets the person log in again although the browser is logged in: to choose another account, or to decide anew about
   * permissions.
   * @default false
   */
  readonly forceReauth?: boolean | undefined;
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
 */
export function loginUrl(context: PicsContext, options: LoginUrlOptions): Result<string, LoginUrlFailure> {
  const checked = checkInMode('login', context, options, {
    redirectUri: rule.exactUrl,
    state: rule.optional(rule.text),
    scopes: someScopes,
    forceReauth: rule.optional(rule.flag),
    signal: rule.noSignal,
  });
  return withOperation(
    'loginUrl',
    checked.andThen(({ redirectUri, state, scopes = defaultScopes, forceReauth }) => {
      const { appId, graphBase, platform } = context;
      if (appId === undefined) return err(toError(rule.faultOf(isRequired, 'appId')));
      const scope = scopes.map((name) => name.replace(/^pics_/, platform.words.picsScopePrefix)).join(',');
      const query = {
        client_id: appId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
        force_reauth: forceReauth,
      };
      return ok(addressOf(graphBase, { path: platform.picsAuthUrl, query }));
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
 */
export function exchangeCode(
  context: PicsContext,
  options: ExchangeCodeOptions,
): ResultAsync<TokenBundle, Failure> {
  const checked = check(
    context,
    options,
    { code: rule.token, redirectUri: rule.exactUrl },
    onlyIn('login'),
    checkApp,
  );
  return perform(context, 'exchangeCode', checked, (call, options) => {
    const { appId, secret, platform, clock } = context;
    // The platform appends `#_` to the callback address, which is not part of the code.
    const code = options.code.replace(/#_$/, '');
    const request = {
      ...call,
      secrets: [code, secret],
      schema: tokenResponseSchema,
      tokens: 'only' as const,
    };
    return safeTry(async function* () {
      const short = yield* send(context, {
        ...request,
        method: POST,
        path: platform.picsTokenUrl,
        form: {
          client_id: appId,
          client_secret: secret,
          grant_type: 'authorization_code',
          redirect_uri: options.redirectUri,
          code,
        },
        mayRepeat: afterRejection,
      });
      const long = yield* send(context, {
        ...request,
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

function checkApp(_: unknown, { appId, secret }: PicsContext): rule.Fault | undefined {
  const missing = appId === undefined ? 'appId' : secret === undefined ? 'appSecret' : undefined;
  return missing && rule.faultOf(isRequired, missing);
}

export interface RefreshTokenOptions extends PicsCallOptions {
  /** Long-lived token, at least 24 hours old and not expired. */
  readonly token: string;
}

/**
 * Refreshes a long-lived token. The new one is valid for 60 days from now. Login mode only.
 *
 * Fails with ApiError when no token arrives.
 *
 * Source: Business Login for the photo-sharing platform.
 *
 * @example
 * const bundle = await refreshToken(context, { token });
 * if (bundle.isOk()) console.log(bundle.value.expires_at);
 */
export function refreshToken(
  context: PicsContext,
  options: RefreshTokenOptions,
): ResultAsync<TokenBundle, Failure> {
  const checked = checkInMode('login', context, options, { token: rule.token });
  return perform(context, 'refreshToken', checked, (call) =>
    send(context, {
      ...call,
      path: tokenAddress(context, 'refresh_access_token'),
      query: { grant_type: context.platform.words.picsRefreshGrant },
      schema: tokenResponseSchema,
      tokens: 'only' as const,
    }).map((response) => toTokenBundle(response, context.clock)),
  );
}

export interface InspectTokenOptions extends PicsCallOptions {
  /** Page token to inspect. */
  readonly token: string;
}

/**
 * Reads the details of a page token: its owner, its expiry and its permissions. Page mode only, with a context that has
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
 */
export function inspectToken(
  context: PicsContext,
  options: InspectTokenOptions,
): ResultAsync<TokenInfo, Failure> {
  const checked = check(
    context,
    options,
    { token: rule.token },
    onlyIn('page', ': to test a token of login mode, read its profile'),
    () => (context.appId === undefined ? rule.faultOf(isRequired, 'appId') : undefined),
  );
  return perform(context, 'inspectToken', checked, (call, options) =>
    inspect(
      context,
      { ...call, token: `${context.appId}|${context.secret}` },
      options.token,
      tokenInfoSchema,
    ).map((said) => inspected(said, options.token)),
  );
}

/**
 * Address of an endpoint for long-lived tokens, which has no version in its path. The platform documents only a GET with
 * everything in its query, and refuses a POST, so this address holds the token and the secret with either transport.
 */
function tokenAddress({ platform }: PicsContext, edge: string): string {
  return `${platform.picsGraphUrl.replace(/\/+$/, '')}/${edge}`;
}

const someScopes = rule.optional(rule.names);
