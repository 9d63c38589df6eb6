export type { PageComment, PageCommentAttachment, PicsComment } from './comments.ts';
export type { Audio, BusinessAccount, CollaborationInvite, Collaborator, Hashtag } from './discovery.ts';
export type { InnerList, Raw } from './fields.ts';
export type {
  Contact,
  ContactProfile,
  Conversation,
  Message,
  MessageAttachment,
  MessageReaction,
  MessageStory,
  Paging,
  Participant,
  Partner,
  SentMessage,
  StoryLink,
  Thread,
} from './inbox.ts';
export type { DemographicCut, Demographics, Metrics, PageMetrics, PageMetricValue } from './insights.ts';
export type { AdContext, Lead, LeadAnswer, LeadForm, LeadQuestion } from './leads.ts';
export type { ContainerStatus, ContainerStatusEvent, Media, MediaChild, PublishingLimit } from './media.ts';
export type {
  Greeting,
  IceBreaker,
  IceBreakers,
  MenuItem,
  MessengerProfile,
  PersistentMenu,
} from './messengerProfile.ts';
export type { Page, PageProfile } from './page.ts';
export type { PagePost, ScheduledPost, Story, VideoStoryPhase, VideoStoryStatus } from './posts.ts';
export type { BlockedUser, PicsProfile, Profile } from './profiles.ts';
export type { CatalogProduct, MediaProductTag, ProductCatalog } from './shop.ts';
export type { GranularScope, TokenBundle, TokenFault, TokenInfo } from './tokens.ts';
export type {
  Acknowledgement,
  Created,
  Published,
  PublishedCarousel,
  PublishedPhoto,
  PublishedPhotos,
  PublishedPhotoStory,
  PublishedReel,
  PublishedVideo,
  PublishedVideoStory,
} from './written.ts';
export * from './valibot.ts';
