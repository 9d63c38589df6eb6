import { livePlatform, pagePlatform } from '../../core/platform.ts';
import { linkedTo, type Task } from '../auth/grants.ts';
import { invalid } from '../errors.ts';
import type { PageNode } from '../page/nodes.ts';
import { loginMode, needs } from '../pics/access.ts';
import type { Call, OpenCall } from '../route.ts';
import { find, type World } from '../world.ts';

/** Messages need the token of the account or the Page, not that of a person. */
export const both = { hosts: ['graph', 'picsGraph'], tokens: ['page', 'pics'] } as const;
export const pageOnly = { hosts: ['graph'], tokens: ['page'] } as const;

/** The permissions that the inbox of an account needs. */
export const ofPics = needs(['manage_messages'], ['pages_manage_metadata']);

/** The permissions that a Page's own inbox needs. */
export const ofMessenger: readonly string[] = ['pages_messaging', 'pages_read_engagement'];

/** Whether something is in the inbox of a Page, not of an account. */
export function isOfPage(world: World, { ownerId }: { readonly ownerId: string }): boolean {
  return find(world, 'page', ownerId) !== undefined;
}

/** The permissions for reading something in an inbox. */
export function readingScopes(call: Call, of: { readonly ownerId: string }): readonly string[] {
  return isOfPage(call.world, of) ? ofMessenger : ofPics(call);
}

export function readingTasks(call: Call, of: { readonly ownerId: string }): readonly Task[] {
  return isOfPage(call.world, of) ? ['MESSAGING'] : [];
}

/** The permissions that a call needs for the inbox of a Page, or for that of its account. */
export function inboxScopes(call: Call): readonly string[] {
  return namesAccount(call) ? ofPics(call) : ofMessenger;
}

export function inboxTasks(call: Call): readonly Task[] {
  return namesAccount(call) ? [] : ['MESSAGING'];
}

/** The inbox that a call selects by its `platform`: that of the Page's account, or the Page's own. */
export function ownerOf(call: Call, page: PageNode): string | undefined {
  return namesAccount(call) ? linkedTo(call.world, call.token, page.id) : page.id;
}

export function namesAccount(call: OpenCall): boolean {
  const platform = call.params['platform']?.toLowerCase() ?? (loginMode(call) ? undefined : pagePlatform);
  if (platform === undefined || platform === livePlatform.words.picsPlatform) return true;
  return platform !== pagePlatform && invalid(`Param platform has an unknown value: ${platform}`);
}
