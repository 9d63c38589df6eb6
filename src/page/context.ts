import type { Result } from 'neverthrow';

import { type Context, type ContextOptions, createContext } from '../core/context.ts';
import type { ConfigurationError } from '../core/errors.ts';
import { hide } from '../core/http/redact.ts';
import type { CallOptions } from '../core/http/types.ts';
import * as rule from '../core/options/rules.ts';
import { checkSettings, type Environment, fromEnvironment, type ToFailure } from '../core/settings.ts';

/** The context of the page functions. */
export interface PageContext extends Context {
  readonly appId: string;
  /** App secret. Not enumerable. */
  readonly secret: string;
  /** `appId|appSecret`, the token of the app itself. Not enumerable. */
  readonly appToken: string;
  /** Configuration of the business login. */
  readonly configId: string | undefined;
}

export interface PageContextOptions extends ContextOptions {
  readonly appId: string;
  readonly appSecret: string;
  /** Configuration of the business login; without it, `loginUrl` asks for scopes. */
  readonly configId?: string | undefined;
}

/**
 * Creates the context of the page functions.
 *
 * Fails with ConfigurationError when `appId` or `appSecret` is empty, or a setting is out of bounds.
 *
 * @example
 * const context = createPageContext({ appId, appSecret });
 * if (context.isOk()) console.log(context.value.graphBase);
 */
export function createPageContext(options: PageContextOptions): Result<PageContext, ConfigurationError> {
  return create(options);
}

const rules = {
  appId: rule.credential,
  appSecret: rule.credential,
  configId: rule.optional(rule.credential),
};

function create(options: PageContextOptions, toFailure?: ToFailure): Result<PageContext, ConfigurationError> {
  return checkSettings(options, rules, toFailure).andThen((options) => {
    const { appId, appSecret, configId } = options;
    // `freeze` and `hide` give the type of its parts.
    return createContext(options, (platform) => platform.graphUrl, appSecret).map((context) =>
      Object.freeze(hide(Object.assign(context, { appId, configId }), { appToken: `${appId}|${appSecret}` })),
    ) as Result<PageContext, ConfigurationError>;
  });
}

export interface PageEnvironmentOptions extends Partial<PageContextOptions> {
  /**
   * Variables to read.
   * @default `process.env`, where there is one
   */
  readonly env?: Environment | undefined;
}

/**
 * Creates the context of the page functions from `PAGE_APP_ID`, `PAGE_APP_SECRET`, `PAGE_CONFIG_ID`, `GRAPH_VERSION`,
 * `SDK_LICENSE_KEY` and `PAGEPICS_PLATFORM`: the addresses of another platform as JSON, such as those of a sandbox. An
 * option takes precedence over its variable.
 *
 * Fails with a ConfigurationError that names the variable when the app id or secret is missing or empty, or a variable
 * has a bad value.
 *
 * @example
 * const context = createPageContextFromEnv();
 * if (context.isErr()) console.error(context.error.message);
 */
export function createPageContextFromEnv(
  options: PageEnvironmentOptions = {},
): Result<PageContext, ConfigurationError> {
  return fromEnvironment(create, options, {
    appId: 'PAGE_APP_ID',
    appSecret: 'PAGE_APP_SECRET',
    configId: 'PAGE_CONFIG_ID',
  });
}

/** Options of every function that takes a page token. */
export interface PageCallOptions extends CallOptions {
  /** Page token. */
  readonly pageToken: string;
}

/** Options of the functions that take a token other than a page token. */
export interface UserCallOptions extends CallOptions {
  /** User token. */
  readonly token: string;
}
