export {
  type PageComment,
  type PageCommentAttachment,
  pageCommentSchema,
  type PicsComment,
  picsCommentSchema,
} from './comments.ts';
export {
  type Audio,
  audioSchema,
  type BusinessAccount,
  businessAccountSchema,
  type CollaborationInvite,
  collaborationInviteSchema,
  type Collaborator,
  collaboratorSchema,
  type Hashtag,
  hashtagSchema,
} from './discovery.ts';
export type { InnerList, Raw } from './fields.ts';
export {
  type Contact,
  type ContactProfile,
  contactProfileSchema,
  type Conversation,
  type Message,
  type MessageAttachment,
  type MessageReaction,
  messageSchema,
  type MessageStory,
  type Paging,
  pagingSchema,
  type Participant,
  participantSchema,
  type Partner,
  type SentMessage,
  sentMessageSchema,
  type StoryLink,
  type Thread,
  threadSchema,
} from './inbox.ts';
export {
  breakdownSchema,
  type DemographicCut,
  type Demographics,
  type Metrics,
  metricsSchema,
  type PageMetrics,
  pageMetricsSchema,
  type PageMetricValue,
} from './insights.ts';
export {
  type AdContext,
  adContextSchema,
  type Lead,
  type LeadAnswer,
  type LeadForm,
  leadFormSchema,
  type LeadQuestion,
  leadSchema,
} from './leads.ts';
export {
  type ContainerStatus,
  type ContainerStatusEvent,
  containerStatusSchema,
  type Media,
  type MediaChild,
  mediaSchema,
  type PublishingLimit,
  publishingLimitSchema,
} from './media.ts';
export {
  type Greeting,
  type IceBreaker,
  type IceBreakers,
  type MenuItem,
  type MessengerProfile,
  messengerProfileSchema,
  type PersistentMenu,
} from './messengerProfile.ts';
export { type Page, type PageProfile, pageProfileSchema, pageSchema } from './page.ts';
export {
  type PagePost,
  pagePostSchema,
  type ScheduledPost,
  scheduledPostSchema,
  type Story,
  storySchema,
  type VideoStoryPhase,
  type VideoStoryStatus,
  videoStoryStatusSchema,
} from './posts.ts';
export {
  type BlockedUser,
  blockedUserSchema,
  type PicsProfile,
  picsProfileSchema,
  type Profile,
  profileSchema,
} from './profiles.ts';
export {
  type CatalogProduct,
  catalogProductSchema,
  type MediaProductTag,
  mediaProductTagSchema,
  type ProductCatalog,
  productCatalogSchema,
} from './shop.ts';
export {
  type GranularScope,
  type TokenBundle,
  type TokenFault,
  type TokenInfo,
  tokenInfoSchema,
  tokenResponseSchema,
} from './tokens.ts';
export {
  type Acknowledgement,
  acknowledgementSchema,
  type Created,
  createdSchema,
  type Published,
  type PublishedCarousel,
  type PublishedPhoto,
  type PublishedPhotos,
  type PublishedPhotoStory,
  type PublishedReel,
  type PublishedVideo,
  type PublishedVideoStory,
} from './written.ts';
