// `export *` on purpose: see page/endpoints.ts.
export * from './comments.ts';
export * from './contact.ts';
export * from './conversations.ts';
export * from './deleteComment.ts';
export * from './demographics.ts';
export * from './hideComment.ts';
export * from './insights.ts';
export * from './mediaInsights.ts';
export * from './messages.ts';
export * from './profile.ts';
export * from './replyComment.ts';
export * from './sendMessage.ts';
export * from './subscribeAccount.ts';
