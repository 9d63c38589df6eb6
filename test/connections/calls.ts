import type { Result, ResultAsync } from 'neverthrow';

import type { Context, ContextOptions } from '../../src/core/context.ts';
import type { Platform } from '../../src/core/platform.ts';
import type { PageContext } from '../../src/page/context.ts';
import { createPageContext } from '../../src/page/context.ts';
import * as page from '../../src/page/endpoints.ts';
import { createPicsContext, createPicsContextViaPages, type PicsContext } from '../../src/pics/context.ts';
import * as pics from '../../src/pics/endpoints.ts';
import {
  createSandbox,
  type Sandbox,
  type SandboxAccount,
  type SandboxPage,
} from '../../src/sandbox/index.ts';

/** Where calls are made: the first Page of a sandbox, and its account. */
export interface Place {
  readonly sandbox: Sandbox;
  readonly page: PageContext;
  readonly login: PicsContext;
  readonly viaPages: PicsContext;
  readonly first: SandboxPage;
  readonly account: SandboxAccount;
}

/** A fresh sandbox, whose clock moves only when it is advanced. */
export function openPlace(): Place {
  const now = Date.UTC(2026, 9, 5, 12);
  const sandbox = createSandbox({
    now: () => now,
    strict: true,
    posts: 2,
    comments: 2,
    leads: 1,
    callbacks: async ({ url }) => new Response(new URL(url).searchParams.get('hub.challenge')),
  });
  return placeIn(sandbox, sandbox);
}

/** Contexts for a sandbox, which send their requests there. */
export function placeIn(
  sandbox: Sandbox,
  {
    platform,
    fetch,
    retry,
  }: {
    readonly platform: Platform;
    readonly fetch?: Sandbox['fetch'];
    readonly retry?: ContextOptions['retry'];
  },
): Place {
  const { app, picsApp, clock, account } = sandbox;
  const common = { platform, fetch, retry, clock };
  const [first] = sandbox.pages;
  if (first === undefined) throw new Error('the sandbox has Pages');
  return {
    sandbox,
    first,
    account,
    page: createPageContext({ ...common, appId: app.id, appSecret: app.secret })._unsafeUnwrap(),
    login: createPicsContext({ ...common, appId: picsApp.id, appSecret: picsApp.secret })._unsafeUnwrap(),
    viaPages: createPicsContextViaPages({ ...common, appId: app.id, appSecret: app.secret })._unsafeUnwrap(),
  };
}

/** The tokens that a call is made with. */
export interface Tokens {
  /** The one that is checked. */
  readonly token: string;
  /** The Page token that it gives, or is. */
  readonly pageToken: string;
}

/** What a function returns before it is awaited. */
type Outcome = ResultAsync<unknown, Error> | Result<unknown, Error> | AsyncIterator<Result<unknown, Error>>;

/** Makes what the call is about, by a token that may do everything, and returns the call. */
type Prepare = (place: Place) => Promise<(tokens: Tokens) => Outcome>;

/** A call that needs nothing made before. */
function plain(call: (place: Place, tokens: Tokens) => Outcome): Prepare {
  return async (place) => (tokens) => call(place, tokens);
}

const webhooks = {
  object: 'page',
  callbackUrl: 'https://app.example/webhooks',
  verifyToken: 'verify-token',
  fields: ['feed'],
} as const;
const redirectUri = 'https://app.example/callback';
const imageUrl = 'https://cdn.example/a.jpg';
const videoUrl = 'https://cdn.example/a.mp4';
const captions = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';

async function codeOf(place: Place, context: Context, address: Result<string, Error>): Promise<string> {
  const callback = await place.sandbox.authorize(address._unsafeUnwrap());
  return callback.searchParams.get('code') ?? `no code for ${context.graphBase}`;
}

/** A call on a video that is there. */
function onVideo(call: (place: Place, tokens: Tokens, videoId: string) => Outcome): Prepare {
  return async (place) => {
    const at = { pageId: place.first.id, pageToken: place.first.token };
    const made = await page.publishVideoStory(place.page, { ...at, videoUrl });
    const { video_id } = made._unsafeUnwrap();
    return (tokens) => call(place, tokens, video_id);
  };
}

const onScheduled: Prepare = async (place) => {
  const { sandbox, first } = place;
  const at = { pageId: first.id, pageToken: first.token };
  const scheduledAt = new Date(sandbox.now() + 86_400_000);
  const { id } = (
    await page.publishPost(place.page, { ...at, message: 'Soon', scheduledAt })
  )._unsafeUnwrap();
  return ({ pageToken }) => page.publishScheduledPost(place.page, { postId: id, pageToken });
};

export type Calls = Readonly<Record<string, Prepare>>;

/** A call of each page function that succeeds with a token that may do everything. */
export const pageCalls: Calls = {
  loginUrl: plain(({ page: context }) => page.loginUrl(context, { redirectUri, state: 's' })),
  exchangeCode: async (place) => {
    const code = await codeOf(
      place,
      place.page,
      page.loginUrl(place.page, { redirectUri, scopes: ['email'] }),
    );
    return () => page.exchangeCode(place.page, { code, redirectUri });
  },
  permissions: plain(({ page: context }, { token }) => page.permissions(context, { token })),
  grantedScopes: plain(({ page: context }, { token }) => page.grantedScopes(context, { token })),
  inspectToken: plain(({ page: context }, { token }) => page.inspectToken(context, { token })),
  revoke: plain(({ page: context }, { token }) => page.revoke(context, { token })),
  me: plain(({ page: context }, { token }) => page.me(context, { token })),
  pages: plain(({ page: context }, { token }) => page.pages(context, { token })),
  pageDetails: plain(({ page: context, first }, { token }) =>
    page.pageDetails(context, { token, pageId: first.id }),
  ),
  portfolioPages: plain(({ page: context }, { token }) =>
    page.portfolioPages(context, { token }).map(({ pages, skipped }) => (skipped.length === 0 ? pages : [])),
  ),
  searchPlaces: plain(({ page: context, first }, { token }) =>
    page.searchPlaces(context, { token, query: first.name }),
  ),
  publishPost: plain(({ page: context, first }, { pageToken }) =>
    page.publishPost(context, { pageId: first.id, pageToken, message: 'Open until nine.' }),
  ),
  posts: plain(({ page: context, first }, { pageToken }) =>
    page.posts(context, { pageId: first.id, pageToken }),
  ),
  iteratePosts: plain(({ page: context, first }, { pageToken }) =>
    page.iteratePosts(context, { pageId: first.id, pageToken }),
  ),
  feed: plain(({ page: context, first }, { pageToken }) =>
    page.feed(context, { pageId: first.id, pageToken }),
  ),
  iterateFeed: plain(({ page: context, first }, { pageToken }) =>
    page.iterateFeed(context, { pageId: first.id, pageToken }),
  ),
  postDetails: plain(({ page: context, first }, { pageToken }) =>
    page.postDetails(context, { postId: first.postIds[0] ?? '', pageToken }),
  ),
  postInsights: plain(({ page: context, first }, { pageToken }) =>
    page.postInsights(context, { postId: first.postIds[0] ?? '', pageToken }),
  ),
  deletePost: plain(({ page: context, first }, { pageToken }) =>
    page.deletePost(context, { postId: first.postIds[0] ?? '', pageToken }),
  ),
  publishPhoto: plain(({ page: context, first }, { pageToken }) =>
    page.publishPhoto(context, { pageId: first.id, pageToken, photoUrl: imageUrl }),
  ),
  publishPhotos: plain(({ page: context, first }, { pageToken }) =>
    page.publishPhotos(context, {
      pageId: first.id,
      pageToken,
      photos: [{ photoUrl: imageUrl }, { photoUrl: imageUrl }],
    }),
  ),
  publishVideo: plain(({ page: context, first }, { pageToken }) =>
    page.publishVideo(context, { pageId: first.id, pageToken, videoUrl }),
  ),
  publishReel: plain(({ page: context, first }, { pageToken }) =>
    page.publishReel(context, { pageId: first.id, pageToken, videoUrl }),
  ),
  videoStatus: onVideo(({ page: context }, { pageToken }, videoId) =>
    page.videoStatus(context, { videoId, pageToken }),
  ),
  addCaptions: onVideo(({ page: context }, { pageToken }, videoId) =>
    page.addCaptions(context, { videoId, pageToken, captions: new Blob([captions]), locale: 'en_US' }),
  ),
  videos: plain(({ page: context, first }, { pageToken }) =>
    page.videos(context, { pageId: first.id, pageToken }),
  ),
  reels: plain(({ page: context, first }, { pageToken }) =>
    page.reels(context, { pageId: first.id, pageToken }),
  ),
  photos: plain(({ page: context, first }, { pageToken }) =>
    page.photos(context, { pageId: first.id, pageToken }),
  ),
  reactions: plain(({ page: context, first }, { pageToken }) =>
    page.reactions(context, { objectId: first.postIds[0] ?? '', pageToken }),
  ),
  scheduledPosts: plain(({ page: context, first }, { pageToken }) =>
    page.scheduledPosts(context, { pageId: first.id, pageToken }),
  ),
  updatePost: plain(({ page: context, first }, { pageToken }) =>
    page.updatePost(context, { postId: first.postIds[0] ?? '', pageToken, message: 'Open until ten.' }),
  ),
  publishScheduledPost: onScheduled,
  pageProfile: plain(({ page: context, first }, { pageToken }) =>
    page.pageProfile(context, { pageId: first.id, pageToken }),
  ),
  pageStatus: plain(({ page: context, first }, { pageToken }) =>
    page.pageStatus(context, { pageId: first.id, pageToken }),
  ),
  videoInsights: onVideo(({ page: context }, { pageToken }, videoId) =>
    page.videoInsights(context, { videoId, pageToken }),
  ),
  pageInsights: plain(({ page: context, first }, { pageToken }) =>
    page.pageInsights(context, { pageId: first.id, pageToken }).map(({ metrics }) => metrics),
  ),
  publishPhotoStory: plain(({ page: context, first }, { pageToken }) =>
    page.publishPhotoStory(context, { pageId: first.id, pageToken, photoUrl: imageUrl }),
  ),
  publishVideoStory: plain(({ page: context, first }, { pageToken }) =>
    page.publishVideoStory(context, { pageId: first.id, pageToken, videoUrl }),
  ),
  videoStoryStatus: onVideo(({ page: context }, { pageToken }, videoId) =>
    page.videoStoryStatus(context, { videoId, pageToken }),
  ),
  stories: plain(({ page: context, first }, { pageToken }) =>
    page.stories(context, { pageId: first.id, pageToken }),
  ),
  conversations: plain(({ page: context, first }, { pageToken }) =>
    page.conversations(context, { pageId: first.id, pageToken }),
  ),
  messages: plain(({ page: context, first }, { pageToken }) =>
    page.messages(context, { conversationId: first.conversationIds[0] ?? '', pageToken }),
  ),
  messageDetails: async ({ page: context, first }) => {
    const conversationId = first.conversationIds[0] ?? '';
    const found = await page.messages(context, { conversationId, pageToken: first.token });
    const messageId = found._unsafeUnwrap().data[0]?.id ?? '';
    return ({ pageToken }) => page.messageDetails(context, { messageId, pageToken });
  },
  iterateConversations: plain(({ page: context, first }, { pageToken }) =>
    page.iterateConversations(context, { pageId: first.id, pageToken }),
  ),
  iterateMessages: plain(({ page: context, first }, { pageToken }) =>
    page.iterateMessages(context, { conversationId: first.conversationIds[0] ?? '', pageToken }),
  ),
  contact: plain(({ page: context, first }, { pageToken }) =>
    page.contact(context, { psid: first.contacts.find(({ consent }) => consent)?.id ?? '', pageToken }),
  ),
  sendMessage: plain(({ page: context, first }, { pageToken }) =>
    page.sendMessage(context, { ...toPerson(first), pageToken, text: 'Hi' }),
  ),
  messageTemplates: plain(({ page: context, first }, { pageToken }) =>
    page.messageTemplates(context, { pageId: first.id, pageToken }),
  ),
  createMessageTemplate: plain(({ page: context, first }, { pageToken }) =>
    page.createMessageTemplate(context, { ...orderSent(first), pageToken }),
  ),
  deleteMessageTemplate: async ({ page: context, first }) => {
    const template = { ...orderSent(first), pageToken: first.token };
    (await page.createMessageTemplate(context, template))._unsafeUnwrap();
    return ({ pageToken }) =>
      page.deleteMessageTemplate(context, { pageId: first.id, pageToken, name: 'order_sent' });
  },
  privateReply: plain(({ page: context, first }, { pageToken }) =>
    page.privateReply(context, {
      pageId: first.id,
      pageToken,
      commentId: first.commentIds[0] ?? '',
      text: 'Hi',
    }),
  ),
  threadOwner: plain(({ page: context, first }, { pageToken }) =>
    page.threadOwner(context, { ...toPerson(first), pageToken }),
  ),
  takeThreadControl: async ({ page: context, first, sandbox }) => {
    sandbox.tune({ threads: { routing: true } });
    return ({ pageToken }) => page.takeThreadControl(context, { ...toPerson(first), pageToken });
  },
  passThreadControl: plain(({ page: context, first }, { pageToken }) =>
    page.passThreadControl(context, { ...toPerson(first), pageToken }),
  ),
  requestThreadControl: plain(({ page: context, first }, { pageToken }) =>
    page.requestThreadControl(context, { ...toPerson(first), pageToken }),
  ),
  releaseThreadControl: async ({ page: context, first }) => {
    const sent = await page.sendMessage(context, { ...toPerson(first), pageToken: first.token, text: 'Hi' });
    sent._unsafeUnwrap();
    return ({ pageToken }) => page.releaseThreadControl(context, { ...toPerson(first), pageToken });
  },
  sendAction: plain(({ page: context, first }, { pageToken }) =>
    page.sendAction(context, { ...toPerson(first), pageToken, action: 'typing_on' }),
  ),
  sendReaction: async ({ page: context, first }) => {
    const conversationId = first.contacts.find(({ inWindow }) => inWindow)?.conversationId ?? '';
    const found = await page.messages(context, { conversationId, pageToken: first.token });
    const messageId = found._unsafeUnwrap().data.find(({ from }) => from?.id !== first.id)?.id ?? '';
    return ({ pageToken }) =>
      page.sendReaction(context, { ...toPerson(first), pageToken, messageId, reaction: 'love' });
  },
  uploadAttachment: plain(({ page: context, first }, { pageToken }) =>
    page.uploadAttachment(context, { pageId: first.id, pageToken, type: 'image', url: imageUrl }),
  ),
  comments: plain(({ page: context, first }, { pageToken }) =>
    page.comments(context, { postId: first.postIds[0] ?? '', pageToken }),
  ),
  iterateComments: plain(({ page: context, first }, { pageToken }) =>
    page.iterateComments(context, { postId: first.postIds[0] ?? '', pageToken }),
  ),
  commentDetails: plain(({ page: context, first }, { pageToken }) =>
    page.commentDetails(context, { commentId: first.commentIds[0] ?? '', pageToken }),
  ),
  publishComment: plain(({ page: context, first }, { pageToken }) =>
    page.publishComment(context, { objectId: first.postIds[0] ?? '', pageToken, message: 'Hi' }),
  ),
  replyComment: plain(({ page: context, first }, { pageToken }) =>
    page.replyComment(context, { commentId: first.commentIds[0] ?? '', pageToken, message: 'Hi' }),
  ),
  hideComment: plain(({ page: context, first }, { pageToken }) =>
    page.hideComment(context, { commentId: first.commentIds[0] ?? '', pageToken }),
  ),
  updateComment: async (place) => {
    const { page: context, first } = place;
    const options = { objectId: first.postIds[0] ?? '', pageToken: first.token, message: 'Hi' };
    const { id } = (await page.publishComment(context, options))._unsafeUnwrap();
    return ({ pageToken }) => page.updateComment(context, { commentId: id, pageToken, message: 'Hello' });
  },
  deleteComment: plain(({ page: context, first }, { pageToken }) =>
    page.deleteComment(context, { commentId: first.commentIds[0] ?? '', pageToken }),
  ),
  like: plain(({ page: context, first }, { pageToken }) =>
    page.like(context, { objectId: first.postIds[0] ?? '', pageToken }),
  ),
  visitorPosts: plain(({ page: context, first }, { pageToken }) =>
    page.visitorPosts(context, { pageId: first.id, pageToken }),
  ),
  taggedPosts: plain(({ page: context, first }, { pageToken }) =>
    page.taggedPosts(context, { pageId: first.id, pageToken }),
  ),
  blockedUsers: plain(({ page: context, first }, { pageToken }) =>
    page.blockedUsers(context, { pageId: first.id, pageToken }),
  ),
  blockUser: plain(({ page: context, first }, { pageToken }) =>
    page.blockUser(context, { pageId: first.id, pageToken, userId: first.contacts[0]?.id ?? '' }),
  ),
  unblockUser: plain(({ page: context, first }, { pageToken }) =>
    page.unblockUser(context, { pageId: first.id, pageToken, userId: first.contacts[0]?.id ?? '' }),
  ),
  messengerProfile: plain(({ page: context, first }, { pageToken }) =>
    page.messengerProfile(context, { pageId: first.id, pageToken }),
  ),
  updateMessengerProfile: plain(({ page: context, first }, { pageToken }) =>
    page.updateMessengerProfile(context, { pageId: first.id, pageToken, getStarted: { payload: 'START' } }),
  ),
  deleteMessengerProfile: plain(({ page: context, first }, { pageToken }) =>
    page.deleteMessengerProfile(context, { pageId: first.id, pageToken, fields: ['greeting'] }),
  ),
  lead: plain(({ page: context, first }, { pageToken }) =>
    page.lead(context, { leadgenId: first.leadIds[0] ?? '', pageToken }),
  ),
  leads: plain(({ page: context, first }, { pageToken }) =>
    page.leads(context, { formId: first.formIds[0] ?? '', pageToken }),
  ),
  iterateLeads: plain(({ page: context, first }, { pageToken }) =>
    page.iterateLeads(context, { formId: first.formIds[0] ?? '', pageToken }),
  ),
  leadForms: plain(({ page: context, first }, { pageToken }) =>
    page.leadForms(context, { pageId: first.id, pageToken }),
  ),
  leadForm: plain(({ page: context, first }, { pageToken }) =>
    page.leadForm(context, { formId: first.formIds[0] ?? '', pageToken }),
  ),
  createTestLead: plain(({ page: context, first }, { pageToken }) =>
    page.createTestLead(context, { formId: first.formIds[0] ?? '', pageToken }),
  ),
  deleteTestLead: async ({ page: context, first }) => {
    const options = { formId: first.formIds[0] ?? '', pageToken: first.token };
    const { id: leadId } = (await page.createTestLead(context, options))._unsafeUnwrap();
    return ({ pageToken }) => page.deleteTestLead(context, { leadId, pageToken });
  },
  adContext: plain(({ page: context, first }, { token }) =>
    page.adContext(context, { adId: first.adId, token }),
  ),
  subscribePage: plain(({ page: context, first }, { pageToken }) =>
    page.subscribePage(context, { pageId: first.id, pageToken }),
  ),
  subscriptions: plain(({ page: context, first }, { pageToken }) =>
    page.subscriptions(context, { pageId: first.id, pageToken }),
  ),
  unsubscribePage: plain(({ page: context, first }, { pageToken }) =>
    page.unsubscribePage(context, { pageId: first.id, pageToken }),
  ),
  appSubscriptions: plain(({ page: context }) => page.appSubscriptions(context)),
  subscribeApp: plain(({ page: context }) => page.subscribeApp(context, webhooks)),
  unsubscribeApp: async ({ page: context }) => {
    await page.subscribeApp(context, webhooks);
    return () => page.unsubscribeApp(context, { object: 'page' });
  },
};

function orderSent({ id }: SandboxPage) {
  const components = [{ type: 'BODY', text: 'It is on its way.' }];
  return { pageId: id, name: 'order_sent', language: 'en_US', components };
}

function toPerson({ id, contacts }: SandboxPage): { readonly pageId: string; readonly recipientId: string } {
  return { pageId: id, recipientId: contacts.find(({ inWindow }) => inWindow)?.id ?? '' };
}

/** The options that say which account or Page is meant, for a mode. */
interface At {
  readonly context: PicsContext;
  readonly token: string;
  readonly own: { readonly token: string; readonly picsUserId?: string };
  readonly inbox: { readonly token: string; readonly picsUserId: string; readonly pageId?: string };
}

type PicsCall = (at: At, place: Place) => Outcome;

function onImage(call: (at: At, mediaId: string) => Outcome): PicsCall {
  return (at, { account }) => call(at, account.mediaIds[0] ?? '');
}

function onComment(call: (at: At, commentId: string) => Outcome): PicsCall {
  return (at, { account }) => call(at, account.commentIds[0] ?? '');
}

function withAccount(
  call: (at: At, own: { readonly token: string; readonly picsUserId: string }, place: Place) => Outcome,
): PicsCall {
  return (at, place) => call(at, { token: at.token, picsUserId: place.account.userId }, place);
}

function withPerson(call: (at: At, to: At['inbox'] & { readonly recipientId: string }) => Outcome): PicsCall {
  return (at, { account }) =>
    call(at, { ...at.inbox, recipientId: account.contacts.find(({ inWindow }) => inWindow)?.id ?? '' });
}

/** A call of each photo-sharing function; what has to be made before is made by a token that may do everything. */
const ofPics: Readonly<
  Record<string, PicsCall | { readonly before: (at: At, place: Place) => Promise<PicsCall> }>
> = {
  loginUrl: ({ context }) => pics.loginUrl(context, { redirectUri, state: 's' }),
  exchangeCode: {
    before: async ({ context }, place) => {
      const code = await codeOf(place, context, pics.loginUrl(context, { redirectUri }));
      return () => pics.exchangeCode(context, { code, redirectUri });
    },
  },
  refreshToken: ({ context, token }) => pics.refreshToken(context, { token }),
  inspectToken: ({ context, token }) => pics.inspectToken(context, { token }),
  publish: ({ context, own }) => pics.publish(context, { ...own, imageUrl }),
  publishCarousel: ({ context, own }) =>
    pics.publishCarousel(context, { ...own, imageUrls: [imageUrl, imageUrl] }),
  publishStory: ({ context, own }) => pics.publishStory(context, { ...own, imageUrl }),
  publishContainer: {
    before: async (at, { sandbox }) => {
      const { context, own } = at;
      sandbox.tune({ containers: { processingMs: 60_000 } });
      const made = await pics.publish(context, { ...own, videoUrl, waitTimeoutMs: 0 });
      const { containerId = '' } = made._unsafeUnwrapErr() as { readonly containerId?: string };
      sandbox.advance(120_000);
      return ({ own: checked }) => pics.publishContainer(context, { ...checked, containerId });
    },
  },
  containerStatus: {
    before: async ({ context, own }) => {
      const made = await pics.publish(context, { ...own, imageUrl });
      const { container_id: containerId } = made._unsafeUnwrap();
      return ({ token }) => pics.containerStatus(context, { token, containerId });
    },
  },
  publishingLimit: ({ context, own }) => pics.publishingLimit(context, own),
  profile: ({ context, own }) => pics.profile(context, own),
  media: ({ context, own }) => pics.media(context, own),
  iterateMedia: ({ context, own }) => pics.iterateMedia(context, own),
  mediaDetails: onImage(({ context, token }, mediaId) => pics.mediaDetails(context, { token, mediaId })),
  stories: ({ context, own }) => pics.stories(context, own),
  deleteMedia: onImage(({ context, token }, mediaId) => pics.deleteMedia(context, { token, mediaId })),
  comments: onImage(({ context, token }, mediaId) => pics.comments(context, { token, mediaId })),
  iterateComments: onImage(({ context, token }, mediaId) =>
    pics.iterateComments(context, { token, mediaId }),
  ),
  commentDetails: onComment(({ context, token }, commentId) =>
    pics.commentDetails(context, { token, commentId }),
  ),
  replies: onComment(({ context, token }, commentId) => pics.replies(context, { token, commentId })),
  iterateReplies: onComment(({ context, token }, commentId) =>
    pics.iterateReplies(context, { token, commentId }),
  ),
  publishComment: onImage(({ context, token }, mediaId) =>
    pics.publishComment(context, { token, mediaId, message: 'Hi' }),
  ),
  replyComment: onComment(({ context, token }, commentId) =>
    pics.replyComment(context, { token, commentId, message: 'Hi' }),
  ),
  hideComment: onComment(({ context, token }, commentId) => pics.hideComment(context, { token, commentId })),
  deleteComment: onComment(({ context, token }, commentId) =>
    pics.deleteComment(context, { token, commentId }),
  ),
  setCommentsEnabled: onImage(({ context, token }, mediaId) =>
    pics.setCommentsEnabled(context, { token, mediaId, enabled: false }),
  ),
  conversations: ({ context, inbox }) => pics.conversations(context, inbox),
  messages: ({ context, token }, { account }) =>
    pics.messages(context, { token, conversationId: account.conversationIds[0] ?? '' }),
  messageDetails: {
    before: async ({ context, token }, { account }) => {
      const conversationId = account.conversationIds[0] ?? '';
      const found = await pics.messages(context, { token, conversationId });
      const messageId = found._unsafeUnwrap().data[0]?.id ?? '';
      return (at) => pics.messageDetails(at.context, { token: at.token, messageId });
    },
  },
  iterateConversations: ({ context, inbox }) => pics.iterateConversations(context, inbox),
  iterateMessages: ({ context, token }, { account }) =>
    pics.iterateMessages(context, { token, conversationId: account.conversationIds[0] ?? '' }),
  contact: ({ context, token }, { account }) =>
    pics.contact(context, { token, igsid: account.contacts.find(({ consent }) => consent)?.id ?? '' }),
  sendMessage: withPerson(({ context }, to) => pics.sendMessage(context, { ...to, text: 'Hi' })),
  privateReply: onComment(({ context, inbox }, commentId) =>
    pics.privateReply(context, { ...inbox, commentId, text: 'Hi' }),
  ),
  passThreadControl: withPerson(({ context }, to) => pics.passThreadControl(context, to)),
  releaseThreadControl: {
    before: async (at, { account }) => {
      const recipientId = account.contacts.find(({ inWindow }) => inWindow)?.id ?? '';
      (await pics.sendMessage(at.context, { ...at.inbox, recipientId, text: 'Hi' }))._unsafeUnwrap();
      return withPerson(({ context }, to) => pics.releaseThreadControl(context, to));
    },
  },
  sendAction: withPerson(({ context }, to) => pics.sendAction(context, { ...to, action: 'mark_seen' })),
  sendReaction: {
    before: async ({ context, token }, { account }) => {
      const { id, conversationId = '' } = account.contacts.find(({ inWindow }) => inWindow) ?? {};
      const found = await pics.messages(context, { token, conversationId });
      const messageId = found._unsafeUnwrap().data.find(({ from }) => from?.id === id)?.id ?? '';
      return withPerson((at, to) => pics.sendReaction(at.context, { ...to, messageId, reaction: 'love' }));
    },
  },
  uploadAttachment: ({ context, inbox }) =>
    pics.uploadAttachment(context, { ...inbox, type: 'image', url: imageUrl }),
  messengerProfile: ({ context, inbox }) => pics.messengerProfile(context, inbox),
  updateMessengerProfile: ({ context, inbox }) =>
    pics.updateMessengerProfile(context, {
      ...inbox,
      iceBreakers: [{ locale: 'default', call_to_actions: [{ question: 'Open?', payload: 'OPEN' }] }],
    }),
  deleteMessengerProfile: ({ context, inbox }) =>
    pics.deleteMessengerProfile(context, { ...inbox, fields: ['ice_breakers'] }),
  replyMention: ({ context, own }, { sandbox }) =>
    pics.replyMention(context, { ...own, mediaId: sandbox.addMedia({ caption: '@harbour' }), message: 'Hi' }),
  taggedMedia: ({ context, own }) => pics.taggedMedia(context, own),
  mentionedMedia: withAccount(({ context }, own, { sandbox }) =>
    pics.mentionedMedia(context, { ...own, mediaId: sandbox.addMedia({ caption: '@harbour' }) }),
  ),
  mentionedComment: withAccount(({ context }, own, { sandbox }) => {
    const commentId = sandbox.addComment({ on: sandbox.addMedia(), message: '@harbour' });
    return pics.mentionedComment(context, { ...own, commentId });
  }),
  likeMedia: withAccount(({ context }, own, { account }) =>
    pics.likeMedia(context, { ...own, mediaId: account.mediaIds[0] ?? '' }),
  ),
  businessDiscovery: withAccount(({ context }, own) =>
    pics.businessDiscovery(context, { ...own, username: 'harbour' }),
  ),
  hashtagId: withAccount(({ context }, own) => pics.hashtagId(context, { ...own, name: 'coffee' })),
  hashtagMedia: {
    before: async ({ context, token }, { account }) => {
      const made = await pics.hashtagId(context, { token, picsUserId: account.userId, name: 'coffee' });
      const hashtagId = made._unsafeUnwrap().id;
      return withAccount((at, own) => pics.hashtagMedia(at.context, { ...own, hashtagId, order: 'top' }));
    },
  },
  recentHashtags: withAccount(({ context }, own) => pics.recentHashtags(context, own)),
  collaborationInvites: withAccount(({ context }, own) => pics.collaborationInvites(context, own)),
  answerInvite: withAccount(({ context }, own, { sandbox }) => {
    const mediaId = sandbox.addMedia({ by: 'ada', invites: ['harbour'] });
    return pics.answerInvite(context, { ...own, mediaId, accept: true });
  }),
  mediaPoll: onImage(({ context, token }, mediaId) => pics.mediaPoll(context, { token, mediaId })),
  promptResponses: onImage(({ context, token }, mediaId) =>
    pics.promptResponses(context, { token, mediaId }),
  ),
  collaborators: onImage(({ context, token }, mediaId) => pics.collaborators(context, { token, mediaId })),
  searchAudio: withAccount(({ context }, own) => pics.searchAudio(context, { ...own, kind: 'music' })),
  productCatalogs: withAccount(({ context }, own) => pics.productCatalogs(context, own)),
  searchProducts: {
    before: async ({ context, token }, { account }) => {
      const made = await pics.productCatalogs(context, { token, picsUserId: account.userId });
      const catalogId = made._unsafeUnwrap()[0]?.catalog_id ?? '';
      return withAccount((at, own) => pics.searchProducts(at.context, { ...own, catalogId }));
    },
  },
  productTags: onImage(({ context, token }, mediaId) => pics.productTags(context, { token, mediaId })),
  updateProductTags: {
    before: async ({ context, token }, { account }) => {
      const own = { token, picsUserId: account.userId };
      const catalogId = (await pics.productCatalogs(context, own))._unsafeUnwrap()[0]?.catalog_id ?? '';
      const productId =
        (await pics.searchProducts(context, { ...own, catalogId }))._unsafeUnwrap()[0]?.product_id ?? '';
      return onImage((at, mediaId) =>
        pics.updateProductTags(at.context, {
          token: at.token,
          mediaId,
          productTags: [{ productId, x: 0.5, y: 0 }],
        }),
      );
    },
  },
  subscribeAccount: ({ context, own }) => pics.subscribeAccount(context, own),
  insights: ({ context, own }) => pics.insights(context, own),
  insightSeries: ({ context, own }) => pics.insightSeries(context, { ...own, metrics: ['reach'] }),
  mediaInsights: onImage(({ context, token }, mediaId) => pics.mediaInsights(context, { token, mediaId })),
  demographics: ({ context, own }) =>
    pics.demographics(context, own).map(({ age }) => (age.available ? age.values : {})),
};

function atIn(mode: 'login' | 'viaPages', { login, viaPages, first, account }: Place, tokens: Tokens): At {
  const token = mode === 'login' ? tokens.token : tokens.pageToken;
  const picsUserId = account.userId;
  return mode === 'login'
    ? { context: login, token, own: { token }, inbox: { token, picsUserId } }
    : {
        context: viaPages,
        token,
        own: { token, picsUserId },
        inbox: { token, picsUserId, pageId: first.id },
      };
}

/** A call of each function of a mode. */
export function picsCalls(mode: 'login' | 'viaPages'): Calls {
  return Object.fromEntries(
    Object.entries(ofPics).map(([name, call]): [string, Prepare] => [
      name,
      async (place) => {
        const full = { token: place.account.token, pageToken: place.first.token };
        const made = typeof call === 'function' ? call : await call.before(atIn(mode, place, full), place);
        return (tokens) => made(atIn(mode, place, tokens), place);
      },
    ]),
  );
}

/**
 * Whether a call succeeded. Some functions return nothing instead of a failure: an empty object, an empty list, or a
 * contact that is not available.
 */
async function succeeds(outcome: Outcome): Promise<boolean> {
  const result = 'next' in outcome ? (await outcome.next()).value : await outcome;
  if (result === undefined) return true;
  const settled = result as Result<unknown, Error>;
  if (settled.isErr()) return false;
  const value = settled.value;
  if (typeof value !== 'object' || value === null) return value !== false;
  return 'available' in value ? value.available === true : true;
}

/** Functions that return nothing instead of a failure. */
const silent = [
  'adContext',
  'demographics',
  'grantedScopes',
  'mediaInsights',
  'pageInsights',
  'portfolioPages',
  'postInsights',
];

/** As {@link succeeds}, by the function that was called. */
export async function worked(name: string, outcome: Outcome): Promise<boolean> {
  if (!silent.includes(name)) return succeeds(outcome);
  const result = await (outcome as ResultAsync<object, Error>);
  return result.isOk() && Object.keys(result.value).length > 0;
}
