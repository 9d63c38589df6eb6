import { type Bound, type BaseClient, createClient } from '../core/client.ts';
import type { PageContext, PageContextOptions, PageEnvironmentOptions } from './context.ts';
import { createPageContext, createPageContextFromEnv } from './context.ts';
import * as endpoints from './endpoints.ts';

/** Every page function as a method that throws. */
export interface PageClient extends Bound<typeof endpoints>, BaseClient<PageContext> {}

/**
 * Creates a client whose methods are the page functions, with the context bound and failures thrown.
 *
 * @throws {ConfigurationError} when `appId` or `appSecret` is empty, or a setting is out of bounds
 *
 * @example
 * await using client = createPageClient({ appId, appSecret });
 * const post = await client.publishPost({ pageId, pageToken, message: 'Open until nine.' });
 */
export function createPageClient(options: PageContextOptions): PageClient {
  return createClient(createPageContext(options), endpoints);
}

/**
 * Creates a page client from the environment, as `createPageContextFromEnv` does.
 *
 * @throws {ConfigurationError} when `PAGE_APP_ID` or `PAGE_APP_SECRET` is missing or empty
 */
export function createPageClientFromEnv(options?: PageEnvironmentOptions): PageClient {
  return createClient(createPageContextFromEnv(options), endpoints);
}
