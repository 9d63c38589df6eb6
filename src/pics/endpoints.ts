// `export *` on purpose: it exports the function's own symbol, so that the client's methods keep its doc comment and
// its definition. `export { a } from` makes an alias, which has neither. A line comment starts a group: README.md and
// docs/functions.md list the functions by them (\`npm run api\`).

// [Login](docs/login.md) and [tokens](docs/tokens.md)
export * from './loginUrl.ts';
export * from './exchangeCode.ts';
export * from './refreshToken.ts';
export * from './inspectToken.ts';

// [Publishing](docs/photo-sharing.md#publishing)
export * from './publish.ts';
export * from './publishCarousel.ts';
export * from './publishStory.ts';
export * from './publishContainer.ts';
export * from './containerStatus.ts';
export * from './publishingLimit.ts';

// [Account and media](docs/photo-sharing.md#account-and-media)
export * from './profile.ts';
export * from './media.ts';
export * from './iterateMedia.ts';
export * from './mediaDetails.ts';
export * from './stories.ts';
export * from './deleteMedia.ts';

// [Comments](docs/photo-sharing.md#comments)
export * from './comments.ts';
export * from './iterateComments.ts';
export * from './publishComment.ts';
export * from './replyComment.ts';
export * from './hideComment.ts';
export * from './deleteComment.ts';
export * from './setCommentsEnabled.ts';

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

// [Webhook subscription](docs/webhooks.md)
export * from './subscribeAccount.ts';

// [Hashtags](docs/community.md#hashtags), [other accounts](docs/community.md#other-accounts) and [mentions](docs/community.md#mentions-and-tags)
export * from './hashtagId.ts';
export * from './hashtagMedia.ts';
export * from './recentHashtags.ts';
export * from './businessDiscovery.ts';
export * from './taggedMedia.ts';
export * from './mentionedMedia.ts';
export * from './mentionedComment.ts';
export * from './replyMention.ts';
export * from './likeMedia.ts';

// [Co-authors](docs/community.md#co-authors), [music](docs/community.md#music) and [products](docs/community.md#products)
export * from './collaborationInvites.ts';
export * from './answerInvite.ts';
export * from './collaborators.ts';
export * from './searchAudio.ts';
export * from './productCatalogs.ts';
export * from './searchProducts.ts';
export * from './productTags.ts';
export * from './updateProductTags.ts';

// [Insights](docs/photo-sharing.md#insights)
export * from './insights.ts';
export * from './mediaInsights.ts';
export * from './demographics.ts';
