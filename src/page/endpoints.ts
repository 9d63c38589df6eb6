// `export *` on purpose: it exports the function's own symbol, so that the client's methods keep its doc comment and
// its definition. `export { a } from` makes an alias, which has neither.
export * from './adContext.ts';
export * from './comments.ts';
export * from './deletePost.ts';
export * from './exchangeCode.ts';
export * from './grantedScopes.ts';
export * from './hideComment.ts';
export * from './inspectToken.ts';
export * from './lead.ts';
export * from './leadForms.ts';
export * from './leads.ts';
export * from './loginUrl.ts';
export * from './me.ts';
export * from './pages.ts';
export * from './portfolioPages.ts';
export * from './postInsights.ts';
export * from './posts.ts';
export * from './publishPhotoStory.ts';
export * from './publishPost.ts';
export * from './publishVideoStory.ts';
export * from './replyComment.ts';
export * from './revoke.ts';
export * from './stories.ts';
export * from './subscribePage.ts';
export * from './subscriptions.ts';
export * from './unsubscribePage.ts';
export * from './videoStoryStatus.ts';
