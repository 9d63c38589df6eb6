// `export *` on purpose: it exports the function's own symbol, so that the client's methods keep its doc comment and
// its definition. `export { a } from` makes an alias, which has neither. A line comment starts a group: README.md and
// docs/functions.md list the functions by them (\`npm run api\`).

// [Login](docs/login.md) and [tokens](docs/tokens.md)
export * from './loginUrl.ts';
export * from './exchangeCode.ts';
export * from './grantedScopes.ts';
export * from './inspectToken.ts';
export * from './revoke.ts';
export * from './me.ts';
export * from './pages.ts';
export * from './portfolioPages.ts';

// [Posts](docs/pages.md#posts-and-insights)
export * from './publishPost.ts';
export * from './posts.ts';
export * from './iteratePosts.ts';
export * from './postInsights.ts';
export * from './deletePost.ts';

// [Photos](docs/pages.md#photos)
export * from './publishPhoto.ts';
export * from './publishPhotos.ts';

// [Videos and Reels](docs/pages.md#videos-and-reels)
export * from './publishVideo.ts';
export * from './publishReel.ts';
export * from './videoStatus.ts';
export * from './addCaptions.ts';

// [Plans](docs/pages.md#scheduled-posts-and-drafts)
export * from './scheduledPosts.ts';
export * from './updatePost.ts';
export * from './publishScheduledPost.ts';

// [The Page itself](docs/pages.md#the-page-itself)
export * from './pageProfile.ts';
export * from './pageInsights.ts';

// [Stories](docs/pages.md#stories)
export * from './publishPhotoStory.ts';
export * from './publishVideoStory.ts';
export * from './videoStoryStatus.ts';
export * from './stories.ts';

// [Inbox](docs/inbox.md)
export * from './conversations.ts';
export * from './messages.ts';
export * from './iterateConversations.ts';
export * from './iterateMessages.ts';
export * from './contact.ts';
export * from './sendMessage.ts';
export * from './privateReply.ts';
export * from './sendAction.ts';
export * from './sendReaction.ts';
export * from './uploadAttachment.ts';
export * from './messengerProfile.ts';
export * from './updateMessengerProfile.ts';
export * from './deleteMessengerProfile.ts';

// [Comments](docs/pages.md#comments)
export * from './comments.ts';
export * from './iterateComments.ts';
export * from './publishComment.ts';
export * from './replyComment.ts';
export * from './hideComment.ts';
export * from './updateComment.ts';
export * from './deleteComment.ts';
export * from './like.ts';

// [People and what they post](docs/community.md#visitors-of-a-page)
export * from './visitorPosts.ts';
export * from './taggedPosts.ts';
export * from './blockedUsers.ts';
export * from './blockUser.ts';
export * from './unblockUser.ts';

// [Leads](docs/pages.md#leads)
export * from './lead.ts';
export * from './leads.ts';
export * from './iterateLeads.ts';
export * from './leadForms.ts';
export * from './adContext.ts';

// [Webhook subscription](docs/pages.md#webhook-subscription)
export * from './subscribePage.ts';
export * from './subscriptions.ts';
export * from './unsubscribePage.ts';

// [What the app receives](docs/webhooks.md#what-the-app-receives)
export * from './appSubscriptions.ts';
export * from './subscribeApp.ts';
export * from './unsubscribeApp.ts';
