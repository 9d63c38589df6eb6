import * as v from 'valibot';

import { fieldsOf } from '../core/options/check.ts';
import type { Misfit, Schema } from '../core/schema.ts';
import * as comments from './comments.ts';
import type { PageComment, PicsComment } from './comments.ts';
import * as discovery from './discovery.ts';
import type { Audio, BusinessAccount, CollaborationInvite, Collaborator, Hashtag } from './discovery.ts';
import * as inbox from './inbox.ts';
import type { ContactProfile, Message, Paging, Participant, SentMessage, Thread } from './inbox.ts';
import * as insights from './insights.ts';
import type { DemographicCut, Metrics, PageMetrics } from './insights.ts';
import * as leads from './leads.ts';
import type { AdContext, Lead, LeadForm } from './leads.ts';
import * as media from './media.ts';
import type { ContainerStatus, Media, PublishingLimit } from './media.ts';
import * as messengerProfile from './messengerProfile.ts';
import type { MessengerProfile } from './messengerProfile.ts';
import * as page from './page.ts';
import type { Page, PageProfile } from './page.ts';
import * as posts from './posts.ts';
import type { PagePost, ScheduledPost, Story, VideoStoryStatus } from './posts.ts';
import * as profiles from './profiles.ts';
import type { BlockedUser, PicsProfile, Profile } from './profiles.ts';
import * as shop from './shop.ts';
import type { CatalogProduct, MediaProductTag, ProductCatalog } from './shop.ts';
import * as tokens from './tokens.ts';
import type { TokenInfo, TokenResponse } from './tokens.ts';
import * as written from './written.ts';
import type { Acknowledgement, Created } from './written.ts';

/** Reads a {@link PageComment}. */
export const pageCommentSchema: v.GenericSchema<unknown, PageComment> = valibotOf(comments.pageCommentSchema);

/** Reads a {@link PicsComment}. */
export const picsCommentSchema: v.GenericSchema<unknown, PicsComment> = valibotOf(comments.picsCommentSchema);

/** Reads an {@link Audio}. */
export const audioSchema: v.GenericSchema<unknown, Audio> = valibotOf(discovery.audioSchema);

/** Reads a {@link BusinessAccount}. */
export const businessAccountSchema: v.GenericSchema<unknown, BusinessAccount> = valibotOf(
  discovery.businessAccountSchema,
);

/** Reads a {@link CollaborationInvite}. */
export const collaborationInviteSchema: v.GenericSchema<unknown, CollaborationInvite> = valibotOf(
  discovery.collaborationInviteSchema,
);

/** Reads a {@link Collaborator}. A sample of the platform spells a status `Accpeted`. */
export const collaboratorSchema: v.GenericSchema<unknown, Collaborator> = valibotOf(
  discovery.collaboratorSchema,
);

/** Reads a {@link Hashtag}. */
export const hashtagSchema: v.GenericSchema<unknown, Hashtag> = valibotOf(discovery.hashtagSchema);

/** Reads a {@link ContactProfile}. */
export const contactProfileSchema: v.GenericSchema<unknown, ContactProfile> = valibotOf(
  inbox.contactProfileSchema,
);

/** Reads a {@link Message}. */
export const messageSchema: v.GenericSchema<unknown, Message> = valibotOf(inbox.messageSchema);

/** Reads a {@link Paging}; its links are still as the platform sent them. */
export const pagingSchema: v.GenericSchema<unknown, Paging> = valibotOf(inbox.pagingSchema);

/** Reads a {@link Participant}. */
export const participantSchema: v.GenericSchema<unknown, Participant> = valibotOf(inbox.participantSchema);

/** Reads a {@link SentMessage}. */
export const sentMessageSchema: v.GenericSchema<unknown, SentMessage> = valibotOf(inbox.sentMessageSchema);

/** Reads a {@link Thread}. */
export const threadSchema: v.GenericSchema<unknown, Thread> = valibotOf(inbox.threadSchema);

/** Reads the numbers of one breakdown. */
export const breakdownSchema: v.GenericSchema<unknown, DemographicCut['values']> = valibotOf(
  insights.breakdownSchema,
);

/** Reads the metrics of an insights response: the total of each, or the first value of its series. */
export const metricsSchema: v.GenericSchema<unknown, Metrics> = valibotOf(insights.metricsSchema);

/** Reads the series of a Page's metrics. Values that the platform omits are omitted. */
export const pageMetricsSchema: v.GenericSchema<unknown, PageMetrics> = valibotOf(insights.pageMetricsSchema);

/** Reads an {@link AdContext} from an ad with its ad set and campaign. */
export const adContextSchema: v.GenericSchema<unknown, AdContext> = valibotOf(leads.adContextSchema);

/** Reads a {@link LeadForm}. */
export const leadFormSchema: v.GenericSchema<unknown, LeadForm> = valibotOf(leads.leadFormSchema);

/** Reads a {@link Lead}. */
export const leadSchema: v.GenericSchema<unknown, Lead> = valibotOf(leads.leadSchema);

/** Reads the state of a container. Its id is not read, since the caller knows it. */
export const containerStatusSchema: v.GenericSchema<unknown, Omit<ContainerStatus, 'id'>> = valibotOf(
  media.containerStatusSchema,
);

/** Reads a {@link Media}. */
export const mediaSchema: v.GenericSchema<unknown, Media> = valibotOf(media.mediaSchema);

/** Reads a {@link PublishingLimit}, which comes as a list with one entry. */
export const publishingLimitSchema: v.GenericSchema<unknown, PublishingLimit> = valibotOf(
  media.publishingLimitSchema,
);

/**
 * Reads a {@link MessengerProfile}; `asked` holds the requested properties. The platform lists the languages of a
 * property with or without its name, and ice breakers that were set in the older form without languages.
 */
export function messengerProfileSchema(asked: readonly string[]): v.GenericSchema<unknown, MessengerProfile> {
  return valibotOf(messengerProfile.messengerProfileSchema(asked));
}

/**
 * Reads a {@link PageProfile}.
 *
 * @param linkedAccount the field that holds the linked account, `platform.words.linkedAccount`
 */
export function pageProfileSchema(linkedAccount: string): v.GenericSchema<unknown, PageProfile> {
  return valibotOf(page.pageProfileSchema(linkedAccount));
}

/**
 * Reads a {@link Page}.
 *
 * @param linkedAccount the field that holds the linked account, `platform.words.linkedAccount`
 */
export function pageSchema(linkedAccount: string): v.GenericSchema<unknown, Page> {
  return valibotOf(page.pageSchema(linkedAccount));
}

/** Reads a {@link PagePost}. */
export const pagePostSchema: v.GenericSchema<unknown, PagePost> = valibotOf(posts.pagePostSchema);

/** Reads a {@link ScheduledPost}. */
export const scheduledPostSchema: v.GenericSchema<unknown, ScheduledPost> = valibotOf(
  posts.scheduledPostSchema,
);

/** Reads a {@link Story}. */
export const storySchema: v.GenericSchema<unknown, Story> = valibotOf(posts.storySchema);

/** Reads a {@link VideoStoryStatus}. A phase that is missing has not started. */
export const videoStoryStatusSchema: v.GenericSchema<unknown, VideoStoryStatus> = valibotOf(
  posts.videoStoryStatusSchema,
);

/** Reads a {@link BlockedUser}. Fields that are not in the type are kept. */
export const blockedUserSchema: v.GenericSchema<unknown, BlockedUser> = valibotOf(profiles.blockedUserSchema);

/** Reads a profile, flat or wrapped as `{ "data": [{ … }] }`. */
export const picsProfileSchema: v.GenericSchema<unknown, PicsProfile> = valibotOf(profiles.picsProfileSchema);

/** Reads a {@link Profile}. */
export const profileSchema: v.GenericSchema<unknown, Profile> = valibotOf(profiles.profileSchema);

/** Reads a {@link CatalogProduct}. */
export const catalogProductSchema: v.GenericSchema<unknown, CatalogProduct> = valibotOf(
  shop.catalogProductSchema,
);

/** Reads a {@link MediaProductTag}. */
export const mediaProductTagSchema: v.GenericSchema<unknown, MediaProductTag> = valibotOf(
  shop.mediaProductTagSchema,
);

/** Reads a {@link ProductCatalog}. */
export const productCatalogSchema: v.GenericSchema<unknown, ProductCatalog> = valibotOf(
  shop.productCatalogSchema,
);

/** Reads the `data` of a token inspection. */
export const tokenInfoSchema: v.GenericSchema<unknown, TokenInfo> = valibotOf(tokens.tokenInfoSchema);

/**
 * Reads the response of a token endpoint, flat or wrapped as `{ "data": [{ … }] }`. Only the token is required: the
 * code is used up, so an odd field must not lose the token.
 */
export const tokenResponseSchema: v.GenericSchema<unknown, TokenResponse> = valibotOf(
  tokens.tokenResponseSchema,
);

/** Reads `{ "success": true }`, which some endpoints send as a string. Other fields are kept. */
export const acknowledgementSchema: v.GenericSchema<unknown, Acknowledgement> = valibotOf(
  written.acknowledgementSchema,
);

/** Reads the id of an object that a write created. Other fields are kept. */
export const createdSchema: v.GenericSchema<unknown, Created> = valibotOf(written.createdSchema);

/** The schema of valibot that reads the same. Its issues quote nothing of a value that does not fit. */
function valibotOf<TOutput>(schema: Schema<TOutput>): v.GenericSchema<unknown, TOutput> {
  return v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const read = schema(dataset.value);
      if (read.expected === undefined) return read.value;
      const { expected, input, path } = read;
      const message = `Invalid type: Expected ${expected}`;
      addIssue({ expected, input, received: typeof input, message, path: pathOf(dataset.value, path) });
      return NEVER;
    }),
  );
}

/** A path as issues have it: each key with the value that has it. */
function pathOf(
  whole: unknown,
  keys: Misfit['path'] = [],
): [v.IssuePathItem, ...v.IssuePathItem[]] | undefined {
  let input = whole;
  const [first, ...more] = keys.map((key): v.IssuePathItem => {
    const value = fieldsOf(input)[key];
    const item = { type: 'unknown', origin: 'value', input, key, value } as const;
    input = value;
    return item;
  });
  return first && [first, ...more];
}
