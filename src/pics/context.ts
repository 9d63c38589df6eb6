import type { Result } from 'neverthrow';

import { type Context, type ContextOptions, createContext } from '../core/context.ts';
import type { ConfigurationError } from '../core/errors.ts';
import type { CallOptions } from '../core/http/types.ts';
import * as rule from '../core/options/rules.ts';
import { checkSettings, type Environment, fromEnvironment, type ToFailure } from '../core/settings.ts';

/** The context of the photo-sharing functions. */
export interface PicsContext extends Context {
  /**
   * `login` uses the photo-sharing graph with the account's own token, and the account is `me`; `page` uses the page
   * graph with a page token, and calls about an account need its id.
   */
  readonly mode: 'login' | 'page';
  readonly appId: string | undefined;
}

export interface PicsContextOptions extends ContextOptions {
  /** Id of the photo-sharing app. Only `loginUrl` and `exchangeCode` need it. */
  readonly appId?: string | undefined;
  /** Secret of the photo-sharing app. If given, requests are signed with it. */
  readonly appSecret?: string | undefined;
}

export interface PicsPageContextOptions extends ContextOptions {
  /** Secret of the page app that the page tokens belong to. */
  readonly appSecret: string;
  /** Id of that app. Only `inspectToken` needs it. */
  readonly appId?: string | undefined;
}

/**
 * Creates a login-mode context: requests go to the photo-sharing graph, with a user's token.
 *
 * An empty app id or secret is not an error here, only in the functions that need it.
 *
 * @example
 * const context = createPicsContext({ appId, appSecret });
 */
export function createPicsContext(options: PicsContextOptions = {}): Result<PicsContext, ConfigurationError> {
  return create('login')(options);
}

/**
 * Creates a page-mode context: requests go to the page graph, with the page token that `pages` returns.
 *
 * Fails with ConfigurationError when `appSecret` is empty.
 *
 * @example
 * const context = createPicsContextViaPages({ appSecret });
 */
export function createPicsContextViaPages(
  options: PicsPageContextOptions,
): Result<PicsContext, ConfigurationError> {
  return create('page')(options);
}

function create(mode: PicsContext['mode']) {
  const rules = {
    appId: rule.optional(rule.credentialOrNone),
    appSecret: mode === 'page' ? rule.credential : rule.optional(rule.credentialOrNone),
  };
  const base = mode === 'page' ? 'graphUrl' : 'picsGraphUrl';
  return (options: PicsContextOptions, toFailure?: ToFailure): Result<PicsContext, ConfigurationError> =>
    checkSettings(options, rules, toFailure).andThen((options) => {
      const appId = options.appId || undefined;
      const secret = options.appSecret || undefined;
      return createContext(options, (platform) => platform[base], secret).map((context) =>
        Object.freeze(Object.assign(context, { mode, appId })),
      );
    });
}

export interface PicsEnvironmentOptions extends PicsContextOptions {
  /**
   * Variables to read.
   * @default `process.env`, where there is one
   */
  readonly env?: Environment | undefined;
}

/**
 * Creates a login-mode context from `PICS_APP_ID`, `PICS_APP_SECRET`, `GRAPH_VERSION`, `SDK_LICENSE_KEY` and
 * `PAGEPICS_PLATFORM`: the addresses of another platform as JSON, such as those of a sandbox. An option takes
 * precedence over its variable.
 *
 * Fails with a ConfigurationError that names the variable when a variable has a bad value.
 *
 * @example
 * const context = createPicsContextFromEnv();
 */
export function createPicsContextFromEnv(
  options: PicsEnvironmentOptions = {},
): Result<PicsContext, ConfigurationError> {
  return fromEnvironment(create('login'), options, { appId: 'PICS_APP_ID', appSecret: 'PICS_APP_SECRET' });
}

export interface PicsPageEnvironmentOptions extends Partial<PicsPageContextOptions> {
  /**
   * Variables to read.
   * @default `process.env`, where there is one
   */
  readonly env?: Environment | undefined;
}

/**
 * Creates a page-mode context from `PAGE_APP_ID`, `PAGE_APP_SECRET`, `GRAPH_VERSION`, `SDK_LICENSE_KEY` and
 * `PAGEPICS_PLATFORM`: the addresses of another platform as JSON, such as those of a sandbox. An option takes
 * precedence over its variable.
 *
 * Fails with a ConfigurationError that names the variable when the app secret is missing or empty, or a variable has a
 * bad value.
 *
 * @example
 * const context = createPicsContextViaPagesFromEnv();
 * if (context.isErr()) console.error(context.error.message);
 */
export function createPicsContextViaPagesFromEnv(
  options: PicsPageEnvironmentOptions = {},
): Result<PicsContext, ConfigurationError> {
  return fromEnvironment(create('page'), options, { appId: 'PAGE_APP_ID', appSecret: 'PAGE_APP_SECRET' });
}

/** Options of every function that takes a token. */
export interface PicsCallOptions extends CallOptions {
  /** User token in login mode, page token in page mode. */
  readonly token: string;
}
