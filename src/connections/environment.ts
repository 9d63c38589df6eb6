import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError } from '../core/errors.ts';
import type { Environment } from '../core/settings.ts';
import { createPageContextFromEnv, type PageContext } from '../page/context.ts';
import {
  createPicsContextFromEnv,
  createPicsContextViaPagesFromEnv,
  type PicsContext,
} from '../pics/context.ts';
import type { ConnectionClient } from './requirements.ts';

/** The client with the name that `--client` gives, or the usual one. */
export function clientIn(
  name: string | undefined,
  usual: ConnectionClient,
): Result<ConnectionClient, ConfigurationError> {
  const client = (['page', 'pics-login', 'pics-pages'] as const).find((one) => one === (name ?? usual));
  return client === undefined
    ? err(new ConfigurationError('--client must be page, pics-login or pics-pages.', 'client'))
    : ok(client);
}

/** The variable that holds a client's token. */
export function tokenVariable(client: ConnectionClient): 'PICS_TOKEN' | 'PAGE_TOKEN' {
  return client === 'pics-login' ? 'PICS_TOKEN' : 'PAGE_TOKEN';
}

/**
 * The client that the environment has a token for. With a Page token and an account, it is `pics-pages`; `--page`
 * counts more than `PICS_USER_ID`.
 */
export function usualClient(
  env: Environment,
  named: { readonly page?: string | undefined; readonly account?: string | undefined },
): ConnectionClient {
  const isOfPage =
    Boolean(env['PAGE_TOKEN']) || (!env['PICS_TOKEN'] && Boolean(env['PAGE_APP_ID'] || !env['PICS_APP_ID']));
  if (!isOfPage) return 'pics-login';
  if (named.account !== undefined) return 'pics-pages';
  return named.page === undefined && env['PICS_USER_ID'] ? 'pics-pages' : 'page';
}

export function contextOf(
  client: ConnectionClient,
  options: { readonly env: Environment },
): Result<PageContext | PicsContext, ConfigurationError> {
  if (client === 'page') return createPageContextFromEnv(options);
  if (client === 'pics-login') return createPicsContextFromEnv(options);
  return createPicsContextViaPagesFromEnv(options);
}
