import type { Inbox } from '../../messaging/inbox.ts';
import type { PicsContext } from '../context.ts';
import { accountOf } from './account.ts';

/** The fields of a message. */
export const messageFields =
  'id,created_time,from,to,message,attachments,shares,story,reactions,is_unsupported';

/** The fields of a partner's profile. */
export const contactFields =
  'name,username,profile_pic,follower_count,is_user_follow_business,is_business_follow_user,is_verified_user';

/** The inbox of the Page's account, or of the token's. Call it after `accountId` has checked `pageId`. */
export function inboxOf({ mode, platform }: PicsContext, pageId: string | undefined): Inbox {
  return {
    node: accountOf(mode === 'page' ? pageId : undefined),
    platform: platform.words.picsPlatform,
    contactFields,
  };
}

/** The node that sends: the account's Page, or the account. Call it after `accountId` has checked `pageId`. */
export function senderOf(
  { mode }: PicsContext,
  { pageId, picsUserId }: { readonly pageId?: string | undefined; readonly picsUserId?: string | undefined },
): string {
  return accountOf(mode === 'page' ? pageId : picsUserId);
}
