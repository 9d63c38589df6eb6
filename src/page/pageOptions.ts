import * as rule from '../core/options/rules.ts';
import type { PageCallOptions } from './context.ts';

/** The Page that a call is about. */
export interface OnePageOptions extends PageCallOptions {
  readonly pageId: string;
}

export const pageRules = { pageId: rule.id, pageToken: rule.token };

/** The rules of a call about one post, one photo, or one video. */
export const ofPost = { postId: rule.id, pageToken: rule.token };
export const ofPhoto = { photoId: rule.id, pageToken: rule.token };
export const ofVideo = { videoId: rule.id, pageToken: rule.token };

/** The person of a Page's inbox whom a call is about. */
export interface RecipientOptions extends OnePageOptions {
  /** Page-scoped id of the person, as conversations and message events hold it. */
  readonly recipientId: string;
}

export const recipientRules = { pageId: rule.id, pageToken: rule.token, recipientId: rule.id };

/** What only moderators of a Page may do. */
export interface ModeratorOptions extends PageCallOptions {
  /** Page token of a user who is a moderator of the Page. */
  readonly pageToken: string;
}
