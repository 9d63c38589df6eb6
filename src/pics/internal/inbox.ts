import type { PicsContext } from '../context.ts';
import { accountOf } from './account.ts';

/** Who holds the conversations: the Page, or the token's owner. To be called once `accountId` has let `pageId` pass. */
export function inboxOf({ mode }: PicsContext, pageId: string | undefined): string {
  return accountOf(mode === 'page' ? pageId : undefined);
}
