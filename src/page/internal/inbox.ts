import { listOf, oneOf } from '../../core/options/check.ts';
import { pagePlatform } from '../../core/platform.ts';
import { type ContentBounds, textUpTo } from '../../messaging/contentRules.ts';
import type { Inbox } from '../../messaging/inbox.ts';

/** The fields of a message. */
export const messageFields = 'id,created_time,from,to,message,attachments,shares,sticker,reactions';

/** The fields of a partner's profile. The photo-sharing ones would be refused. */
export const contactFields = 'first_name,last_name,name,profile_pic';

/** The inbox of a Page. */
export function inboxOf(pageId: string): Inbox {
  return { node: pageId, platform: pagePlatform, contactFields };
}

/** The properties of the profile of a Page's inbox. */
export const profileProperties = [
  'greeting',
  'get_started',
  'ice_breakers',
  'persistent_menu',
  'whitelisted_domains',
  'account_linking_url',
] as const;

export type ProfileProperty = (typeof profileProperties)[number];

/** The rule for properties of the profile. */
export const profileNames = listOf(oneOf(...profileProperties), 1);

/** The bounds of what a Page can send. */
export const contentBounds: ContentBounds = {
  text: textUpTo(2000),
  buttons: ['web_url', 'postback', 'phone_number', 'account_link'],
  takesPosts: false,
};
