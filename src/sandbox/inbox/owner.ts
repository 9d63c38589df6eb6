import { livePlatform, pagePlatform } from '../../core/platform.ts';
import { linkedTo, type Task } from '../auth/grants.ts';
import { invalid } from '../errors.ts';
import type { PageNode } from '../page/nodes.ts';
import { loginMode, needs } from '../pics/access.ts';
import type { Call, OpenCall } from '../route.ts';
import { find, type World } from '../world.ts';

/** Messages are for the token of the account or the Page, and not for that of a person. */
export const both = { hosts: ['graph', 'picsGraph'], tokens: ['page', 'pics'] } as const;
export const pageOnly = { hosts: ['graph'], tokens: ['page'] } as const;

/** The permissions that the inbox of an account needs. */
export const ofPics = needs(['manage_messages'], ['pages_manage_metadata']);

/** The permissions that a Page's own inbox needs. */
export const ofMessenger: readonly string[] = ['pages_messaging', 'pages_read_engagement'];

/** Whether it is a Page, and not an account, whose inbox holds something. */
export function isOfPage(world: World, { ownerId }: { readonly ownerId: string }): boolean {
  return find(world, 'page', ownerId) !== undefined;
}

/** What reading something of an inbox needs. */
export function readingScopes(call: Call, of: { readonly ownerId: string }): readonly string[] {
  return isOfPage(call.world, of) ? ofMessenger : ofPics(call);
}

export function readingTasks(call: Call, of: { readonly ownerId: string }): readonly Task[] {
  return isOfPage(call.world, of) ? ['MESSAGING'] : [];
}

/** What a call needs that means the inbox of a Page, or that of its account. */
export function inboxScopes(call: Call): readonly string[] {
  return namesAccount(call) ? ofPics(call) : ofMessenger;
}

export function inboxTasks(call: Call): readonly Task[] {
  return namesAccount(call) ? [] : ['MESSAGING'];
}

/** The inbox of a Page that a call means by its `platform`: that of its account, or its own. */
export function ownerOf(call: Call, page: PageNode): string | undefined {
  return namesAccount(call) ? linkedTo(call.world, call.token, page.id) : page.id;
}

export function namesAccount(call: OpenCall): boolean {
  const platform = call.params['platform']?.toLowerCase() ?? (loginMode(call) ? undefined : pagePlatform);
  if (platform === undefined || platform === livePlatform.words.picsPlatform) return true;
  return platform !== pagePlatform && invalid(`Param platform has an unknown value: ${platform}`);
}
