export { type Acknowledgement, acknowledgementSchema } from './acknowledgement.ts';
export { type AdContext, adContextSchema } from './adContext.ts';
export { type Contact, type ContactProfile, contactProfileSchema } from './contact.ts';
export { type Conversation, type Partner, type Thread, threadSchema } from './conversation.ts';
export { type Created, createdSchema } from './created.ts';
export { breakdownSchema, type DemographicCut, type Demographics } from './demographics.ts';
export { type Lead, type LeadAnswer, leadSchema } from './lead.ts';
export { type LeadForm, leadFormSchema, type LeadQuestion } from './leadForm.ts';
export {
  type Message,
  type MessageAttachment,
  type MessageReaction,
  messageSchema,
  type MessageStory,
  type Participant,
  participantSchema,
  type SentMessage,
  sentMessageSchema,
  type StoryLink,
} from './message.ts';
export { type Metrics, metricsSchema } from './metrics.ts';
export type { Raw } from './fields.ts';
export { type Page, pageSchema } from './page.ts';
export { type PageComment, type PageCommentAttachment, pageCommentSchema } from './pageComment.ts';
export { type PageMetrics, pageMetricsSchema, type PageMetricValue } from './pageInsights.ts';
export { type PageProfile, pageProfileSchema } from './pageProfile.ts';
export { type PagePost, pagePostSchema, type ScheduledPost, scheduledPostSchema } from './pagePost.ts';
export { type Paging, pagingSchema } from './paging.ts';
export { type PicsComment, picsCommentSchema } from './picsComment.ts';
export { type Profile, profileSchema } from './profile.ts';
export { tokenResponseSchema, type TokenBundle } from './tokenBundle.ts';
export { type GranularScope, type TokenFault, type TokenInfo, tokenInfoSchema } from './tokenInfo.ts';
export { type ContainerStatus, containerStatusSchema, type ContainerStatusEvent } from './containerStatus.ts';
export { type Media, type MediaChild, mediaSchema } from './media.ts';
export { type PicsProfile, picsProfileSchema } from './picsProfile.ts';
export type { Published, PublishedCarousel } from './published.ts';
export { type PublishingLimit, publishingLimitSchema } from './publishingLimit.ts';
export type { PublishedPhoto, PublishedPhotos } from './publishedPhoto.ts';
export type { PublishedReel, PublishedVideo } from './publishedVideo.ts';
export type { PublishedPhotoStory, PublishedVideoStory } from './publishedStory.ts';
export { type Story, storySchema } from './story.ts';
export { type VideoStoryPhase, type VideoStoryStatus, videoStoryStatusSchema } from './videoStoryStatus.ts';
