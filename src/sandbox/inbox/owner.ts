import { livePlatform, pagePlatform } from '../../core/platform.ts';
import { invalid } from '../errors.ts';
import type { PageNode } from '../page/nodes.ts';
import { loginMode, needs } from '../pics/access.ts';
import type { Call, OpenCall } from '../route.ts';
import { find, type World } from '../world.ts';

const ofPics = needs(['manage_messages']);

/** Whether it is a Page, and not an account, whose inbox holds something. */
export function isOfPage(world: World, { ownerId }: { readonly ownerId: string }): boolean {
  return find(world, 'page', ownerId) !== undefined;
}

/** The permissions that reading something of an inbox needs. */
export function readingScopes(call: Call, of: { readonly ownerId: string }): readonly string[] {
  return isOfPage(call.world, of) ? ['pages_messaging'] : ofPics(call);
}

/** The permissions that listing the conversations of a Page needs, or those of its account. */
export function listingScopes(call: Call): readonly string[] {
  return namesAccount(call)
    ? ofPics(call)
    : ['pages_messaging', 'pages_manage_metadata', 'pages_read_engagement'];
}

/** The inbox of a Page that a call means by its `platform`: that of its account, or its own. */
export function ownerOf(call: Call, page: PageNode): string | undefined {
  return namesAccount(call) ? page.picsId : page.id;
}

export function namesAccount(call: OpenCall): boolean {
  const platform = call.params['platform']?.toLowerCase() ?? (loginMode(call) ? undefined : pagePlatform);
  if (platform === undefined || platform === livePlatform.words.picsPlatform) return true;
  return platform !== pagePlatform && invalid(`Param platform has an unknown value: ${platform}`);
}
