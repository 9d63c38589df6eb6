import { path } from '../../core/http/path.ts';
import { oneOf } from '../../core/options/check.ts';
import type { PageContext } from '../context.ts';

const objects = ['page', 'pics', 'user', 'permissions'] as const;

/** What an app can receive events of: Pages, photo-sharing accounts, its users, or what these grant it. */
export type AppObject = (typeof objects)[number];

export const appObject = oneOf(...objects);

/** Where an app's subscriptions are, and the token of the app itself, for which they are. */
export function ofApp({ appId, appToken }: PageContext): { readonly path: string; readonly token: string } {
  return { path: path`${appId}/subscriptions`, token: appToken };
}

/** What the platform calls an object. */
export function objectName({ platform }: PageContext, object: AppObject): string {
  return object === 'pics' ? platform.words.picsPlatform : object;
}
