import { pagePlatform } from '../../core/platform.ts';
import type { Inbox } from '../../messaging/inbox.ts';

/** The fields of a message. */
export const messageFields = 'id,created_time,from,to,message,attachments,shares,sticker,reactions';

/** The fields of a partner's profile. The photo-sharing ones would be refused. */
export const contactFields = 'first_name,last_name,name,profile_pic';

/** The inbox of a Page. */
export function inboxOf(pageId: string): Inbox {
  return { node: pageId, platform: pagePlatform, contactFields };
}
