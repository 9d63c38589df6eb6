import { type Bound, type BaseClient, createClient } from '../core/client.ts';
import {
  createPicsContext,
  createPicsContextFromEnv,
  createPicsContextViaPages,
  createPicsContextViaPagesFromEnv,
  type PicsContext,
  type PicsContextOptions,
  type PicsEnvironmentOptions,
  type PicsPageContextOptions,
  type PicsPageEnvironmentOptions,
} from './context.ts';
import * as endpoints from './endpoints.ts';

/** Every photo-sharing function as a method that throws. */
export interface PicsClient extends Bound<typeof endpoints>, BaseClient<PicsContext> {}

/**
 * Creates a login-mode client whose methods are the photo-sharing functions, with the context bound and failures
 * thrown.
 *
 * @throws {ConfigurationError} when a setting is out of bounds
 *
 * @example
 * await using client = createPicsClient({ appId, appSecret });
 * const media = await client.media({ token });
 */
export function createPicsClient(options?: PicsContextOptions): PicsClient {
  return createClient(createPicsContext(options), endpoints);
}

/**
 * Creates a page-mode client: its token is the page token of a Page with a linked account.
 *
 * @throws {ConfigurationError} when `appSecret` is empty, or a setting is out of bounds
 *
 * @example
 * await using client = createPicsClientViaPages({ appSecret });
 * const media = await client.media({ token: page.access_token, picsUserId });
 */
export function createPicsClientViaPages(options: PicsPageContextOptions): PicsClient {
  return createClient(createPicsContextViaPages(options), endpoints);
}

/**
 * Creates a login-mode client from the environment, as `createPicsContextFromEnv` does.
 *
 * @throws {ConfigurationError} when a setting is out of bounds
 */
export function createPicsClientFromEnv(options?: PicsEnvironmentOptions): PicsClient {
  return createClient(createPicsContextFromEnv(options), endpoints);
}

/**
 * Creates a page-mode client from the environment, as `createPicsContextViaPagesFromEnv` does.
 *
 * @throws {ConfigurationError} when `PAGE_APP_SECRET` is missing or empty, or a setting is out of bounds
 */
export function createPicsClientViaPagesFromEnv(options?: PicsPageEnvironmentOptions): PicsClient {
  return createClient(createPicsContextViaPagesFromEnv(options), endpoints);
}
