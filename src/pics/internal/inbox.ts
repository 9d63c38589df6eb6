import type { PicsContext } from '../context.ts';
import { accountOf } from './account.ts';

/** The node that has the conversations: the Page, or the token's account. Call it after `accountId` has checked `pageId`. */
export function inboxOf({ mode }: PicsContext, pageId: string | undefined): string {
  return accountOf(mode === 'page' ? pageId : undefined);
}
