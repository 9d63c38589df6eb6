import type { Call } from '../../core/http/types.ts';
import { listOf, oneOf, text } from '../../core/options/check.ts';
import type { ContentBounds } from '../../messaging/contentRules.ts';
import type { Inbox } from '../../messaging/inbox.ts';
import type { ProfileCall } from '../../messaging/profile.ts';
import type { PicsCallOptions, PicsContext } from '../context.ts';
import { accountOf } from './account.ts';

/** The fields of a message. */
export const messageFields =
  'id,created_time,from,to,message,attachments,shares,story,reactions,is_unsupported';

/** The fields of a partner's profile. */
export const contactFields =
  'name,username,profile_pic,follower_count,is_user_follow_business,is_business_follow_user,is_verified_user';

/**
 * The node that has the inbox: that of the Page's account, or of the token's. Call this after `accountId` has checked
 * `pageId`.
 */
export function inboxOf({ mode, platform }: PicsContext, pageId: string | undefined): Inbox {
  return {
    node: accountOf(mode === 'page' ? pageId : undefined),
    platform: platform.words.picsPlatform,
    contactFields,
  };
}

/** The node that sends: the account's Page, or the account. Call this after `accountId` has checked `pageId`. */
export function senderOf(
  { mode }: PicsContext,
  { pageId, picsUserId }: Pick<InboxOptions, 'pageId' | 'picsUserId'>,
): string {
  return accountOf(mode === 'page' ? pageId : picsUserId);
}

/** Options of calls for the inbox of an account. */
export interface InboxOptions extends PicsCallOptions {
  /**
   * The account, in login mode. Required there with an `idempotencyKey`.
   * @default the token's owner
   */
  readonly picsUserId?: string | undefined;
  /** Page of the account. Required in page mode. */
  readonly pageId?: string | undefined;
}

/** The properties of the profile of an account's inbox. */
export const profileProperties = ['ice_breakers', 'persistent_menu'] as const;

export type ProfileProperty = (typeof profileProperties)[number];

/** The rule for properties of the profile. */
export const profileNames = listOf(oneOf(...profileProperties), 1);

/** A call to the messenger profile of the account's inbox. */
export function profileCall(
  context: PicsContext,
  own: Parameters<typeof senderOf>[1],
  call: Call,
): ProfileCall {
  const { mode, platform } = context;
  return {
    ...call,
    node: senderOf(context, own),
    platform: mode === 'page' ? platform.words.picsPlatform : undefined,
  };
}

/** The longest text that an account can send, in bytes of UTF-8. */
const mostBytes = 1000;

/** The bounds of what an account can send. */
export const contentBounds: ContentBounds = {
  text: (value) => {
    const fault = text(value);
    if (fault !== undefined) return fault;
    const bytes = new TextEncoder().encode(String(value)).length;
    return bytes > mostBytes ? `must have at most ${mostBytes} bytes of UTF-8, not ${bytes}` : undefined;
  },
  buttons: ['web_url', 'postback'],
  takesPosts: true,
};
