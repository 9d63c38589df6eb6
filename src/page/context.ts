import { err, type Result } from 'neverthrow';

import { type Context, type ContextOptions, createContext } from '../core/context.ts';
import { ConfigurationError } from '../core/errors.ts';
import { check, optional, text } from '../core/options/check.ts';
import { type Environment, readVariable, sharedFromEnvironment } from '../core/options/env.ts';
import { hide } from '../core/options/secrets.ts';

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
 * Makes the context of the page functions.
 *
 * Fails with ConfigurationError when `appId` or `appSecret` is empty, or a setting is out of its bounds.
 *
 * @example
 * const context = createPageContext({ appId, appSecret });
 * if (context.isOk()) console.log(context.value.graphBase);
 */
export function createPageContext(options: PageContextOptions): Result<PageContext, ConfigurationError> {
  const invalid = check(options, { appId: text, appSecret: text, configId: optional(text) });
  if (invalid) return err(invalid);
  const { appId, appSecret, configId } = options;
  return createContext(options, (platform) => platform.graphUrl, appSecret).map((context) =>
    Object.freeze(hide(Object.assign(context, { appId, configId }), { appToken: `${appId}|${appSecret}` })),
  ) as Result<PageContext, ConfigurationError>;
}

export interface PageEnvironmentOptions extends Partial<PageContextOptions> {
  /**
   * Variables to read.
   * @default `process.env`, where there is one
   */
  readonly env?: Environment | undefined;
}

/**
 * Makes the context of the page functions from `PAGE_APP_ID`, `PAGE_APP_SECRET`, `PAGE_CONFIG_ID`,
 * `GRAPH_VERSION` and `SDK_LICENSE_KEY`. An option takes precedence over its variable.
 *
 * Fails with ConfigurationError when the app id or secret is missing or empty.
 *
 * @example
 * const context = createPageContextFromEnv();
 * if (context.isErr()) console.error(context.error.message);
 */
export function createPageContextFromEnv(
  options: PageEnvironmentOptions = {},
): Result<PageContext, ConfigurationError> {
  const invalid = check(options, {});
  if (invalid) return err(invalid);
  const { env, ...rest } = options;
  const appId = options.appId ?? readVariable(env, 'PAGE_APP_ID');
  const appSecret = options.appSecret ?? readVariable(env, 'PAGE_APP_SECRET');
  if (appId === undefined) return err(new ConfigurationError('PAGE_APP_ID is not set', 'PAGE_APP_ID'));
  if (appSecret === undefined)
    return err(new ConfigurationError('PAGE_APP_SECRET is not set', 'PAGE_APP_SECRET'));
  return createPageContext({
    ...rest,
    ...sharedFromEnvironment(env, options),
    appId,
    appSecret,
    configId: options.configId ?? readVariable(env, 'PAGE_CONFIG_ID'),
  });
}
