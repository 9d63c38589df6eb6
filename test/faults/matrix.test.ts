import type { ResultAsync } from 'neverthrow';
import { afterAll, describe, expect, test, vi } from 'vitest';

import * as page from '../../src/page/index.ts';
import * as pics from '../../src/pics/index.ts';
import { createContainer } from '../../src/pics/publishing/container.ts';
import type { EffectKind, Effect } from '../../src/sandbox/index.ts';
import { newTrace } from '../support/context.ts';
import { bench, tell, useRealSockets, type AnyFailure, type Bench, type Cut, type Said } from './support.ts';

useRealSockets();
vi.setConfig({ maxConcurrency: 24 });

/** How the response to a write fails to arrive. */
const faults: Readonly<Record<string, { readonly cut: Cut } | { readonly status: number } | 'hang'>> = {
  'response lost': { cut: 'close' },
  '500': { status: 500 },
  '502': { status: 502 },
  '503': { status: 503 },
  '504': { status: 504 },
  timeout: 'hang',
  'reset while sending': { cut: 'reset' },
  'reset while reading': { cut: 'truncate' },
};

/** A write, and the request that does it: the last one of the call if there are several. */
interface Write {
  /** Prepares what the write needs. */
  readonly prepare?: (at: Bench) => Promise<string>;
  readonly call: (at: Bench, prepared: string) => ResultAsync<unknown, AnyFailure>;
  readonly method?: 'POST' | 'DELETE';
  readonly path: RegExp;
  /** Earlier requests that match the same rule. */
  readonly skip?: number;
  /** Kind of its effect. */
  readonly kind: EffectKind;
}

interface OnceOnly extends Write {
  /** What the call reports if the write took effect, and if it did not. */
  readonly applied: Said;
  readonly notApplied: Said;
  /** The field with the id of the effect. */
  readonly id: string;
  /** The ids in the payload of a failure. */
  readonly names?: readonly string[];
}

const image = 'https://example.com/a.jpg';
const video = 'https://example.com/a.mp4';
const found = { applied: 'ok', notApplied: 'unknown' } as const;
/** What a list shows without its content may be a person's. */
const unnamed = { applied: 'unknown', notApplied: 'unknown' } as const;
const media = { path: /\/media_publish$/, kind: 'media', id: 'media_id', names: ['container_id'] } as const;
const withContact = (at: Bench): ReturnType<typeof onPage> & { readonly recipientId: string } => ({
  ...onPage(at),
  recipientId: at.page.contacts[0]?.id ?? '',
});
const login = (at: Bench): { readonly token: string } => ({ token: at.sandbox.account.token });
const viaPage = (at: Bench): { readonly token: string; readonly picsUserId: string } => ({
  token: at.page.token,
  picsUserId: at.page.picsId,
});
const onPage = (at: Bench): { readonly pageId: string; readonly pageToken: string } => ({
  pageId: at.page.id,
  pageToken: at.page.token,
});
const orderSent = (at: Bench): page.CreateMessageTemplateOptions => ({
  ...onPage(at),
  name: 'order_sent',
  language: 'en_US',
  components: [{ type: 'BODY', text: message }],
});
const onPost = (at: Bench): { readonly objectId: string; readonly pageToken: string } => ({
  objectId: at.page.postIds[0] ?? '',
  pageToken: at.page.token,
});
const message = 'Open until nine';
const twoPhotos = [{ photoUrl: image }, { photo: new Uint8Array(9) }];
const iceBreakers = [{ locale: 'default', call_to_actions: [{ question: 'Open?', payload: 'HOURS' }] }];
const tomorrow = (): Date => new Date(Date.now() + 86_400_000);

/** A container that an earlier call left behind. */
function leftContainer(context: pics.PicsContext, account: string, token: string): Promise<string> {
  const call = { trace: newTrace(), account, token, deadline: Infinity, signal: undefined };
  return createContainer(context, call, { image_url: image, caption: 'Left' }).match(
    (id) => id,
    (error) => {
      throw error;
    },
  );
}

const onceOnly: Readonly<Record<string, OnceOnly>> = {
  publishPost: {
    call: (at) => page.publishPost(at.context, { ...onPage(at), message }),
    path: /\/feed$/,
    kind: 'post',
    id: 'id',
    ...found,
  },
  // No list shows it, so that it cannot be looked up.
  'publishPost, unpublished': {
    call: (at) => page.publishPost(at.context, { ...onPage(at), message, published: false }),
    path: /\/feed$/,
    kind: 'post',
    id: 'id',
    applied: 'unknown',
    notApplied: 'unknown',
  },
  'publishPost, scheduled': {
    call: (at) => page.publishPost(at.context, { ...onPage(at), message, scheduledAt: tomorrow() }),
    path: /\/feed$/,
    kind: 'post',
    id: 'id',
    ...found,
  },
  'publishPost, a draft': {
    call: (at) => page.publishPost(at.context, { ...onPage(at), message, draft: true }),
    path: /\/feed$/,
    kind: 'post',
    id: 'id',
    applied: 'unknown',
    notApplied: 'unknown',
  },
  publishPhoto: {
    call: (at) => page.publishPhoto(at.context, { ...onPage(at), photo: new Uint8Array(9), message }),
    path: /\/photos$/,
    kind: 'photo',
    id: 'id',
    ...found,
  },
  'publishPhoto, scheduled': {
    call: (at) =>
      page.publishPhoto(at.context, { ...onPage(at), photoUrl: image, message, scheduledAt: tomorrow() }),
    path: /\/photos$/,
    kind: 'photo',
    id: 'id',
    ...found,
  },
  'publishPhoto without a text': {
    call: (at) => page.publishPhoto(at.context, { ...onPage(at), photoUrl: image }),
    path: /\/photos$/,
    kind: 'photo',
    id: 'id',
    applied: 'unknown',
    notApplied: 'unknown',
  },
  publishPhotos: {
    call: (at) => page.publishPhotos(at.context, { ...onPage(at), photos: twoPhotos }),
    path: /\/feed$/,
    kind: 'post',
    id: 'id',
    names: ['photo_ids'],
    ...found,
  },
  'publishPhotos, scheduled': {
    call: (at) =>
      page.publishPhotos(at.context, { ...onPage(at), photos: twoPhotos, scheduledAt: tomorrow() }),
    path: /\/feed$/,
    kind: 'post',
    id: 'id',
    names: ['photo_ids'],
    ...found,
  },
  publishPhotoStory: {
    call: (at) => page.publishPhotoStory(at.context, { ...onPage(at), photoUrl: image }),
    path: /\/photo_stories$/,
    kind: 'photo_story',
    id: 'post_id',
    names: ['photo_id'],
    ...found,
  },
  publishReel: {
    call: (at) => page.publishReel(at.context, { ...onPage(at), video: new Uint8Array(2000) }),
    path: /\/video_reels$/,
    skip: 1,
    kind: 'reel',
    id: 'video_id',
    names: ['video_id'],
    ...found,
  },
  'collaborator of publishReel': {
    call: (at) =>
      page
        .publishReel(at.context, { ...onPage(at), videoUrl: video, collaborators: ['404'] })
        .map(({ video_id }) => ({ id: '404', video_id })),
    path: /\/collaborators$/,
    kind: 'collaborator',
    id: 'id',
    names: ['video_id', 'not_invited'],
    applied: 'ok',
    notApplied: 'applied',
  },
  'publishReel, scheduled': {
    call: (at) => page.publishReel(at.context, { ...onPage(at), videoUrl: video, scheduledAt: tomorrow() }),
    path: /\/video_reels$/,
    skip: 1,
    kind: 'reel',
    id: 'video_id',
    names: ['video_id'],
    ...found,
  },
  publishVideo: {
    call: (at) => page.publishVideo(at.context, { ...onPage(at), video: new Uint8Array(2000) }),
    path: /\/videos$/,
    skip: 2,
    kind: 'video',
    id: 'video_id',
    names: ['video_id'],
    ...found,
  },
  'publishVideo, scheduled, with a thumbnail': {
    call: (at) =>
      page.publishVideo(at.context, {
        ...onPage(at),
        video: new Uint8Array(2000),
        thumbnail: new Uint8Array(9),
        scheduledAt: tomorrow(),
      }),
    path: /\/videos$/,
    skip: 2,
    kind: 'video',
    id: 'video_id',
    names: ['video_id'],
    ...found,
  },
  'publishVideo of an address': {
    call: (at) =>
      page.publishVideo(at.context, {
        ...onPage(at),
        videoUrl: video,
        title: message,
        uploadTimeoutMs: 3000,
      }),
    path: /\/videos$/,
    kind: 'video',
    id: 'video_id',
    ...found,
  },
  publishVideoStory: {
    call: (at) => page.publishVideoStory(at.context, { ...onPage(at), video: new Uint8Array(2000) }),
    path: /\/video_stories$/,
    skip: 1,
    kind: 'video_story',
    id: 'post_id',
    names: ['video_id'],
    ...found,
  },
  publishComment: {
    call: (at) => page.publishComment(at.context, { ...onPost(at), message }),
    path: /\/comments$/,
    kind: 'comment',
    id: 'id',
    ...found,
  },
  'publishComment with a photo': {
    call: (at) =>
      page.publishComment(at.context, { ...onPost(at), pageId: at.page.id, photo: new Uint8Array(9) }),
    path: /\/comments$/,
    kind: 'comment',
    id: 'id',
    names: ['photo_id'],
    ...found,
  },
  'publishComment with an address alone': {
    call: (at) => page.publishComment(at.context, { ...onPost(at), attachmentUrl: image }),
    path: /\/comments$/,
    kind: 'comment',
    id: 'id',
    applied: 'unknown',
    notApplied: 'unknown',
  },
  'replyComment on a Page': {
    call: (at) =>
      page.replyComment(at.context, {
        commentId: at.page.commentIds[0] ?? '',
        pageToken: at.page.token,
        message,
      }),
    path: /\/comments$/,
    kind: 'reply',
    id: 'id',
    ...found,
  },
  'publish an image': {
    call: (at) => pics.publish(at.pics, { ...login(at), imageUrl: image, caption: message }),
    ...media,
    ...found,
  },
  'publish an image in page mode': {
    call: (at) => pics.publish(at.viaPages, { ...viaPage(at), imageUrl: image, caption: message }),
    ...media,
    ...found,
  },
  'publish a Reel': {
    call: (at) => pics.publish(at.pics, { ...login(at), videoUrl: video, isReel: true }),
    ...media,
    applied: 'applied',
    notApplied: 'unknown',
  },
  'publish an uploaded Reel': {
    call: (at) => pics.publish(at.pics, { ...login(at), video: new Uint8Array(2000), caption: message }),
    ...media,
    ...found,
  },
  publishCarousel: {
    call: (at) =>
      pics.publishCarousel(at.pics, { ...login(at), imageUrls: [image, image], caption: message }),
    ...media,
    names: ['container_id', 'children'],
    ...found,
  },
  'publishCarousel of an image and videos': {
    call: (at) =>
      pics.publishCarousel(at.viaPages, {
        ...viaPage(at),
        items: [{ imageUrl: image }, { videoUrl: video, thumbOffsetMs: 0 }, { video: new Uint8Array(2000) }],
        caption: message,
      }),
    ...media,
    names: ['container_id', 'children'],
    ...found,
  },
  // Login mode has no list of stories: only the state of the container tells.
  publishStory: {
    call: (at) => pics.publishStory(at.pics, { ...login(at), imageUrl: image }),
    ...media,
    applied: 'applied',
    notApplied: 'unknown',
  },
  'publishStory in page mode': {
    call: (at) => pics.publishStory(at.viaPages, { ...viaPage(at), videoUrl: video }),
    ...media,
    applied: 'applied',
    notApplied: 'unknown',
  },
  // This process did not make the container: its media is not guessed at.
  publishContainer: {
    prepare: (at) => leftContainer(at.pics, 'me', at.sandbox.account.token),
    call: (at, containerId) => pics.publishContainer(at.pics, { ...login(at), containerId }),
    ...media,
    applied: 'applied',
    notApplied: 'unknown',
  },
  'publishContainer in page mode': {
    prepare: (at) => leftContainer(at.viaPages, at.page.picsId, at.page.token),
    call: (at, containerId) => pics.publishContainer(at.viaPages, { ...viaPage(at), containerId }),
    ...media,
    applied: 'applied',
    notApplied: 'unknown',
  },
  'publishComment on a medium': {
    call: (at) =>
      pics.publishComment(at.pics, {
        ...login(at),
        mediaId: at.sandbox.account.mediaIds[0] ?? '',
        message,
      }),
    path: /\/comments$/,
    kind: 'comment',
    id: 'id',
    ...found,
  },
  'replyComment on a medium': {
    call: (at) =>
      pics.replyComment(at.pics, {
        ...login(at),
        commentId: at.sandbox.account.commentIds[0] ?? '',
        message,
      }),
    path: /\/replies$/,
    kind: 'reply',
    id: 'id',
    ...found,
  },
  'replyMention to a caption': {
    prepare: mentioning,
    call: (at, mediaId) => pics.replyMention(at.viaPages, { ...viaPage(at), mediaId, message }),
    path: /\/mentions$/,
    kind: 'comment',
    id: 'id',
    ...found,
  },
  'replyMention to a comment': {
    prepare: mentioning,
    call: (at, mediaId) =>
      pics.replyMention(at.viaPages, {
        ...viaPage(at),
        mediaId,
        commentId: at.sandbox.addComment({ on: mediaId, message: `@${at.sandbox.account.username}?` }),
        message,
      }),
    path: /\/mentions$/,
    kind: 'reply',
    id: 'id',
    ...found,
  },
  // Login mode cannot read mentions.
  'replyMention in login mode': {
    prepare: mentioning,
    call: (at, mediaId) => pics.replyMention(at.pics, { ...login(at), mediaId, message }),
    path: /\/mentions$/,
    kind: 'comment',
    id: 'id',
    applied: 'unknown',
    notApplied: 'unknown',
  },
  'sendMessage of a Page': {
    call: (at) =>
      page.sendMessage(at.context, {
        ...onPage(at),
        recipientId: at.page.contacts.find(({ inWindow }) => inWindow)?.id ?? '',
        text: message,
      }),
    path: /\/messages$/,
    kind: 'message',
    id: 'message_id',
    ...found,
  },
  'sendMessage of a Page, a template': {
    call: (at) =>
      page.sendMessage(at.context, {
        ...onPage(at),
        recipientId: at.page.contacts.find(({ inWindow }) => inWindow)?.id ?? '',
        template: { type: 'generic', elements: [{ title: message, subtitle: 'Today' }] },
      }),
    path: /\/messages$/,
    kind: 'message',
    id: 'message_id',
    ...unnamed,
  },
  'sendMessage of a Page, by a message template': {
    prepare: async (at) => {
      (await page.createMessageTemplate(at.context, orderSent(at)))._unsafeUnwrap();
      return '';
    },
    call: (at) =>
      page.sendMessage(at.context, {
        ...onPage(at),
        recipientId: at.page.contacts.find(({ inWindow }) => !inWindow)?.id ?? '',
        utility: { name: 'order_sent', language: 'en_US' },
      }),
    path: /\/messages$/,
    kind: 'message',
    id: 'message_id',
    ...unnamed,
  },
  createMessageTemplate: {
    call: (at) => page.createMessageTemplate(at.context, orderSent(at)),
    path: /\/message_templates$/,
    kind: 'template',
    id: 'id',
    ...found,
  },
  'sendMessage, an image': {
    call: (at) =>
      pics.sendMessage(at.pics, {
        ...login(at),
        recipientId: customer(at),
        attachment: { type: 'image', url: image },
      }),
    path: /\/messages$/,
    kind: 'message',
    id: 'message_id',
    ...unnamed,
  },
  'sendMessage in page mode, a post': {
    call: (at) =>
      pics.sendMessage(at.viaPages, {
        token: at.page.token,
        pageId: at.page.id,
        recipientId: customer(at),
        mediaId: at.sandbox.account.mediaIds[0] ?? '',
      }),
    path: /\/messages$/,
    kind: 'message',
    id: 'message_id',
    ...unnamed,
  },
  sendMessage: {
    call: (at) => pics.sendMessage(at.pics, { ...login(at), recipientId: customer(at), text: message }),
    path: /\/messages$/,
    kind: 'message',
    id: 'message_id',
    ...found,
  },
  'sendMessage in page mode': {
    call: (at) =>
      pics.sendMessage(at.viaPages, {
        token: at.page.token,
        pageId: at.page.id,
        recipientId: customer(at),
        text: message,
      }),
    path: /\/messages$/,
    kind: 'message',
    id: 'message_id',
    ...found,
  },
};

/** A media of somebody else whose caption mentions the account. */
async function mentioning({ sandbox }: Bench): Promise<string> {
  return sandbox.addMedia({ by: 'ada', caption: `Great coffee, @${sandbox.account.username}!` });
}

function customer({ sandbox }: Bench): string {
  const { contacts } = sandbox.account;
  return contacts.find(({ inWindow, conversationId }) => inWindow && conversationId !== undefined)?.id ?? '';
}

interface Safe extends Write {
  /** The purpose of the call: in the end, there is exactly one of these. */
  readonly one?: EffectKind;
  /** What the call says where the lost write took effect. @default 'ok' */
  readonly applied?: Said;
}

/** Writes that are safe to repeat: they are retried, and succeed. */
const safe: Readonly<Record<string, Safe>> = {
  deletePost: {
    call: (at) => page.deletePost(at.context, { postId: at.page.postIds[0] ?? '', pageToken: at.page.token }),
    method: 'DELETE',
    path: /\/\d+_\d+$/,
    kind: 'delete',
    one: 'delete',
    // "No such object" is also what a missing permission is called.
    applied: 'unknown',
  },
  updatePost: {
    call: (at) =>
      page.updatePost(at.context, { postId: at.page.postIds[0] ?? '', pageToken: at.page.token, message }),
    path: /\/\d+_\d+$/,
    kind: 'post_update',
  },
  publishScheduledPost: {
    prepare: async (at) =>
      (await page.publishPost(at.context, { ...onPage(at), message, draft: true }))._unsafeUnwrap().id,
    call: (at, postId) => page.publishScheduledPost(at.context, { postId, pageToken: at.page.token }),
    path: /\/\d+_\d+$/,
    kind: 'post_update',
  },
  updateComment: {
    prepare: async (at) =>
      (await page.publishComment(at.context, { ...onPost(at), message: 'Old' }))._unsafeUnwrap().id,
    call: (at, commentId) => page.updateComment(at.context, { commentId, pageToken: at.page.token, message }),
    path: /\/\d+_\d+$/,
    kind: 'comment_update',
  },
  'deleteComment of a Page': {
    call: (at) =>
      page.deleteComment(at.context, { commentId: at.page.commentIds[0] ?? '', pageToken: at.page.token }),
    method: 'DELETE',
    path: /\/\d+_\d+$/,
    kind: 'delete',
    one: 'delete',
    applied: 'unknown',
  },
  like: {
    call: (at) => page.like(at.context, onPost(at)),
    path: /\/likes$/,
    kind: 'like',
  },
  'like, taken back': {
    call: (at) => page.like(at.context, { ...onPost(at), liked: false }),
    method: 'DELETE',
    path: /\/likes$/,
    kind: 'like',
  },
  'photo of publishComment': {
    call: (at) =>
      page.publishComment(at.context, { ...onPost(at), pageId: at.page.id, photo: new Uint8Array(9) }),
    path: /\/photos$/,
    kind: 'photo',
    one: 'comment',
  },
  'hideComment on a Page': {
    call: (at) =>
      page.hideComment(at.context, { commentId: at.page.commentIds[0] ?? '', pageToken: at.page.token }),
    path: /\/\d+_\d+$/,
    kind: 'comment_hide',
  },
  subscribePage: {
    call: (at) => page.subscribePage(at.context, onPage(at)),
    path: /\/subscribed_apps$/,
    kind: 'subscribe',
  },
  unsubscribePage: {
    call: (at) => page.unsubscribePage(at.context, onPage(at)),
    method: 'DELETE',
    path: /\/subscribed_apps$/,
    kind: 'unsubscribe',
  },
  subscribeApp: {
    call: (at) =>
      page.subscribeApp(at.context, {
        object: 'page',
        callbackUrl: 'https://app.test/webhooks',
        verifyToken: 'geheim',
        fields: ['feed'],
      }),
    path: /\/subscriptions$/,
    kind: 'app_subscribe',
  },
  unsubscribeApp: {
    call: (at) => page.unsubscribeApp(at.context, { object: 'page' }),
    method: 'DELETE',
    path: /\/subscriptions$/,
    kind: 'app_unsubscribe',
  },
  revoke: {
    call: (at) => page.revoke(at.context, { token: at.sandbox.user.token }),
    method: 'DELETE',
    path: /\/permissions$/,
    kind: 'revoke',
    one: 'revoke',
  },
  'photo of publishPhotos': {
    call: (at) => page.publishPhotos(at.context, { ...onPage(at), photos: twoPhotos }),
    path: /\/photos$/,
    kind: 'photo',
    one: 'post',
  },
  'photo of publishPhotoStory': {
    call: (at) => page.publishPhotoStory(at.context, { ...onPage(at), photoUrl: image }),
    path: /\/photos$/,
    kind: 'photo',
    one: 'photo_story',
  },
  'start of publishReel': {
    call: (at) => page.publishReel(at.context, { ...onPage(at), video: new Uint8Array(2000) }),
    path: /\/video_reels$/,
    kind: 'video_session',
    one: 'reel',
  },
  'thumbnail of publishReel': {
    call: (at) =>
      page.publishReel(at.context, { ...onPage(at), videoUrl: video, thumbnail: new Uint8Array(9) }),
    path: /\/thumbnails$/,
    kind: 'thumbnail',
    one: 'reel',
  },
  'start of publishVideo': {
    call: (at) => page.publishVideo(at.context, { ...onPage(at), video: new Uint8Array(2000) }),
    path: /\/videos$/,
    kind: 'video_session',
    one: 'video',
  },
  'part of publishVideo': {
    call: (at) =>
      page.publishVideo(at.context, { ...onPage(at), video: new Uint8Array(2000), uploadTimeoutMs: 3000 }),
    path: /\/videos$/,
    skip: 1,
    kind: 'upload',
    one: 'video',
  },
  'start of publishVideoStory': {
    call: (at) => page.publishVideoStory(at.context, { ...onPage(at), video: new Uint8Array(2000) }),
    path: /\/video_stories$/,
    kind: 'video_session',
    one: 'video_story',
  },
  'container of publish': {
    call: (at) => pics.publish(at.pics, { ...login(at), imageUrl: image }),
    path: /\/media$/,
    kind: 'container',
    one: 'media',
  },
  'container of an uploaded story': {
    call: (at) => pics.publishStory(at.viaPages, { ...viaPage(at), video: new Uint8Array(2000) }),
    path: /\/media$/,
    kind: 'container',
    one: 'media',
  },
  'child of publishCarousel': {
    call: (at) => pics.publishCarousel(at.viaPages, { ...viaPage(at), imageUrls: [image, image] }),
    path: /\/media$/,
    skip: 1,
    kind: 'container',
    one: 'media',
  },
  'hideComment on a medium': {
    call: (at) =>
      pics.hideComment(at.pics, { ...login(at), commentId: at.sandbox.account.commentIds[0] ?? '' }),
    path: /^\/\d+$/,
    kind: 'hide',
  },
  deleteComment: {
    call: (at) =>
      pics.deleteComment(at.pics, { ...login(at), commentId: at.sandbox.account.commentIds[0] ?? '' }),
    method: 'DELETE',
    path: /^\/\d+$/,
    kind: 'delete',
    one: 'delete',
    applied: 'unknown',
  },
  setCommentsEnabled: {
    call: (at) =>
      pics.setCommentsEnabled(at.pics, {
        ...login(at),
        mediaId: at.sandbox.account.mediaIds[0] ?? '',
        enabled: false,
      }),
    path: /^\/\d+$/,
    kind: 'comment_toggle',
  },
  deleteMedia: {
    call: (at) =>
      pics.deleteMedia(at.viaPages, {
        token: at.page.token,
        mediaId: at.sandbox.account.mediaIds[0] ?? '',
      }),
    method: 'DELETE',
    path: /^\/\d+$/,
    kind: 'delete',
    one: 'delete',
    applied: 'unknown',
  },
  // The platform takes one, and refuses another: the refusal shows that the lost one took effect.
  privateReply: {
    call: (at) =>
      pics.privateReply(at.pics, {
        ...login(at),
        commentId: at.sandbox.account.commentIds[0] ?? '',
        text: message,
      }),
    path: /\/messages$/,
    kind: 'private_reply',
    one: 'private_reply',
    applied: 'applied',
  },
  'privateReply in page mode': {
    call: (at) =>
      pics.privateReply(at.viaPages, {
        token: at.page.token,
        pageId: at.page.id,
        commentId: at.sandbox.account.commentIds[0] ?? '',
        attachment: { type: 'image', url: image },
      }),
    path: /\/messages$/,
    kind: 'private_reply',
    one: 'private_reply',
    applied: 'applied',
  },
  'privateReply of a Page': {
    call: (at) =>
      page.privateReply(at.context, {
        ...onPage(at),
        commentId: at.page.commentIds[0] ?? '',
        text: message,
      }),
    path: /\/messages$/,
    kind: 'private_reply',
    one: 'private_reply',
    applied: 'applied',
  },
  sendAction: {
    call: (at) => pics.sendAction(at.pics, { ...login(at), recipientId: customer(at), action: 'mark_seen' }),
    path: /\/messages$/,
    kind: 'sender_action',
  },
  takeThreadControl: {
    prepare: async ({ sandbox }) => {
      sandbox.tune({ threads: { routing: true } });
      return '';
    },
    call: (at) => page.takeThreadControl(at.context, withContact(at)),
    path: /\/take_thread_control$/,
    kind: 'thread_control',
  },
  createTestLead: {
    call: (at) =>
      page.createTestLead(at.context, { formId: at.page.formIds[0] ?? '', pageToken: at.page.token }),
    path: /\/test_leads$/,
    kind: 'test_lead',
    one: 'test_lead',
    // A form has one at a time: the platform refuses the second attempt.
    applied: 'unknown',
  },
  deleteTestLead: {
    prepare: async (at) => {
      const options = { formId: at.page.formIds[0] ?? '', pageToken: at.page.token };
      return (await page.createTestLead(at.context, options))._unsafeUnwrap().id;
    },
    call: (at, leadId) => page.deleteTestLead(at.context, { leadId, pageToken: at.page.token }),
    method: 'DELETE',
    path: /\/\d+$/,
    kind: 'delete',
    one: 'delete',
    applied: 'unknown',
  },
  requestThreadControl: {
    call: (at) => page.requestThreadControl(at.context, withContact(at)),
    path: /\/request_thread_control$/,
    kind: 'thread_control',
  },
  passThreadControl: {
    call: (at) => page.passThreadControl(at.context, withContact(at)),
    path: /\/pass_thread_control$/,
    kind: 'thread_control',
    applied: 'unknown',
  },
  'passThreadControl of an account': {
    call: (at) => pics.passThreadControl(at.pics, { ...login(at), recipientId: customer(at) }),
    path: /\/pass_thread_control$/,
    kind: 'thread_control',
    applied: 'unknown',
  },
  releaseThreadControl: {
    prepare: async (at) => {
      (await page.sendMessage(at.context, { ...withContact(at), text: 'Hi' }))._unsafeUnwrap();
      return '';
    },
    call: (at) => page.releaseThreadControl(at.context, withContact(at)),
    path: /\/release_thread_control$/,
    kind: 'thread_control',
    applied: 'unknown',
  },
  'releaseThreadControl of an account': {
    prepare: async (at) => {
      const to = { ...login(at), recipientId: customer(at), text: 'Hi' };
      (await pics.sendMessage(at.pics, to))._unsafeUnwrap();
      return '';
    },
    call: (at) => pics.releaseThreadControl(at.pics, { ...login(at), recipientId: customer(at) }),
    path: /\/release_thread_control$/,
    kind: 'thread_control',
    applied: 'unknown',
  },
  'sendAction of a Page': {
    call: (at) =>
      page.sendAction(at.context, {
        ...onPage(at),
        recipientId: at.page.contacts[0]?.id ?? '',
        action: 'typing_on',
      }),
    path: /\/messages$/,
    kind: 'sender_action',
  },
  sendReaction: {
    prepare: async ({ sandbox }) =>
      sandbox.receiveMessage({ contactId: sandbox.account.contacts[0]?.id ?? '', text: 'Thanks' }),
    call: (at, messageId) =>
      pics.sendReaction(at.pics, { ...login(at), recipientId: customer(at), messageId }),
    path: /\/messages$/,
    kind: 'reaction',
  },
  'sendReaction of a Page': {
    prepare: async ({ sandbox, page: { contacts } }) =>
      sandbox.receiveMessage({ contactId: contacts[0]?.id ?? '', text: 'Thanks' }),
    call: (at, messageId) =>
      page.sendReaction(at.context, {
        ...onPage(at),
        recipientId: at.page.contacts[0]?.id ?? '',
        messageId,
      }),
    path: /\/messages$/,
    kind: 'reaction',
  },
  uploadAttachment: {
    call: (at) =>
      pics
        .uploadAttachment(at.pics, { ...login(at), type: 'image', url: image, uploadTimeoutMs: 3000 })
        .andThen(({ attachment_id: attachmentId }) =>
          pics.sendMessage(at.pics, {
            ...login(at),
            recipientId: customer(at),
            attachment: { type: 'image', attachmentId },
          }),
        ),
    path: /\/message_attachments$/,
    kind: 'attachment',
    one: 'message',
  },
  'uploadAttachment of a Page, bytes': {
    call: (at) =>
      page
        .uploadAttachment(at.context, {
          ...onPage(at),
          type: 'file',
          file: new Uint8Array(2000),
          uploadTimeoutMs: 3000,
        })
        .andThen(({ attachment_id: attachmentId }) =>
          page.sendMessage(at.context, {
            ...onPage(at),
            recipientId: at.page.contacts[0]?.id ?? '',
            attachment: { type: 'file', attachmentId },
          }),
        ),
    path: /\/message_attachments$/,
    kind: 'attachment',
    one: 'message',
  },
  likeMedia: {
    call: (at) =>
      pics.likeMedia(at.viaPages, { ...viaPage(at), mediaId: at.sandbox.account.mediaIds[0] ?? '' }),
    path: /\/likes$/,
    kind: 'like',
  },
  answerInvite: {
    prepare: async ({ sandbox }) => sandbox.addMedia({ invites: [sandbox.account.username] }),
    call: (at, mediaId) => pics.answerInvite(at.viaPages, { ...viaPage(at), mediaId, accept: true }),
    path: /\/collaboration_invites$/,
    kind: 'invite_answer',
  },
  updateProductTags: {
    prepare: async (at) => {
      const [catalog] = (await pics.productCatalogs(at.viaPages, viaPage(at)))._unsafeUnwrap();
      const catalogId = catalog?.catalog_id ?? '';
      const found = await pics.searchProducts(at.viaPages, { ...viaPage(at), catalogId });
      return found._unsafeUnwrap()[0]?.product_id ?? '';
    },
    call: (at, productId) =>
      pics.updateProductTags(at.viaPages, {
        token: at.page.token,
        mediaId: at.sandbox.account.mediaIds[0] ?? '',
        productTags: [{ productId, x: 0, y: 1 }],
      }),
    path: /\/product_tags$/,
    kind: 'product_tags',
  },
  updateMessengerProfile: {
    call: (at) =>
      pics.updateMessengerProfile(at.viaPages, { token: at.page.token, pageId: at.page.id, iceBreakers }),
    path: /\/messenger_profile$/,
    kind: 'profile',
  },
  deleteMessengerProfile: {
    call: (at) => pics.deleteMessengerProfile(at.pics, { ...login(at), fields: ['ice_breakers'] }),
    method: 'DELETE',
    path: /\/messenger_profile$/,
    kind: 'profile',
  },
  'updateMessengerProfile of a Page': {
    call: (at) =>
      page.updateMessengerProfile(at.context, { ...onPage(at), getStarted: { payload: 'START' } }),
    path: /\/messenger_profile$/,
    kind: 'profile',
  },
  'deleteMessengerProfile of a Page': {
    call: (at) => page.deleteMessengerProfile(at.context, { ...onPage(at), fields: ['ice_breakers'] }),
    method: 'DELETE',
    path: /\/messenger_profile$/,
    kind: 'profile',
  },
  addCaptions: {
    prepare: async (at) =>
      (await page.publishVideo(at.context, { ...onPage(at), videoUrl: video }))._unsafeUnwrap().video_id,
    call: (at, videoId) =>
      page.addCaptions(at.context, {
        videoId,
        pageToken: at.page.token,
        captions: new Blob(['1\n00:00:01,000 --> 00:00:02,000\nHello\n']),
        locale: 'en_US',
        isDefault: true,
      }),
    path: /\/captions$/,
    kind: 'captions',
  },
  deleteMessageTemplate: {
    prepare: async (at) => {
      (await page.createMessageTemplate(at.context, orderSent(at)))._unsafeUnwrap();
      return '';
    },
    call: (at) => page.deleteMessageTemplate(at.context, { ...onPage(at), name: 'order_sent' }),
    method: 'DELETE',
    path: /\/message_templates$/,
    kind: 'delete',
    // "No such object" is also what a missing permission is called.
    applied: 'unknown',
  },
  blockUser: {
    call: (at) => page.blockUser(at.context, { ...onPage(at), userId: at.page.contacts[0]?.id ?? '' }),
    path: /\/blocked$/,
    kind: 'block',
  },
  unblockUser: {
    prepare: async (at) => {
      const userId = at.page.contacts[0]?.id ?? '';
      (await page.blockUser(at.context, { ...onPage(at), userId }))._unsafeUnwrap();
      return userId;
    },
    call: (at, userId) => page.unblockUser(at.context, { ...onPage(at), userId }),
    method: 'DELETE',
    path: /\/blocked$/,
    kind: 'unblock',
  },
  subscribeAccount: {
    call: (at) => pics.subscribeAccount(at.pics, login(at)),
    path: /\/subscribed_apps$/,
    kind: 'subscribe',
  },
};

type FaultName = keyof typeof faults;

/** Whether the fault applies before the write took effect, or after. */
const sides = { applied: true, 'not applied': false } as const;

function cells<T>(writes: Readonly<Record<string, T>>): [string, FaultName, keyof typeof sides, T][] {
  return Object.entries(writes).flatMap(([name, write]) =>
    Object.keys(faults).flatMap((fault) =>
      (Object.keys(sides) as (keyof typeof sides)[]).map(
        (side): [string, FaultName, keyof typeof sides, T] => [name, fault, side, write],
      ),
    ),
  );
}

/** Adds the fault, which applies once. */
async function meet(
  at: Bench,
  { prepare, call, method = 'POST', path, skip = 0 }: Write,
  name: FaultName,
  applied: boolean,
): Promise<Awaited<ReturnType<typeof tell>> & { readonly requests: number }> {
  const prepared = (await prepare?.(at)) ?? '';
  const fits = new RegExp(`^${method} .*${path.source.replace(/^\^/, '')}`);
  const before = at.sent.length;
  const fault = faults[name] ?? 'hang';
  const rule = { method, path, skip, when: applied ? 'after' : 'before' } as const;
  if (fault === 'hang') at.sandbox.fault({ ...rule, hang: true });
  else if ('status' in fault) at.sandbox.fault({ ...rule, status: fault.status });
  else at.cut(fits, fault.cut, applied, skip);
  const told = await tell(call(at, prepared));
  return { ...told, requests: at.sent.slice(before).filter((one) => fits.test(one)).length - skip };
}

function benchFor(fault: FaultName): Promise<Bench> {
  return bench(fault === 'timeout' ? { timeoutMs: 3000 } : {});
}

const tally = new Map<string, number>();
afterAll(() => {
  console.log(
    `fault matrix: ${JSON.stringify(Object.fromEntries([...tally].toSorted(([a], [b]) => a.localeCompare(b))))}`,
  );
});

describe.concurrent('a write that must happen once', () => {
  test.for(cells(onceOnly))('%s: %s, %s', async ([, fault, side, write], { expect: check }) => {
    await using at = await benchFor(fault);
    const told = await meet(at, write, fault, sides[side]);
    const effects = at.sandbox.effects(write.kind);

    check(effects).toHaveLength(sides[side] ? 1 : 0);
    check({ said: told.said, requests: told.requests }).toEqual({
      said: sides[side] ? write.applied : write.notApplied,
      requests: 1,
    });
    if (told.said === 'ok') check(told.value).toMatchObject({ [write.id]: effects[0]?.id });
    else check(Object.keys(payloadOf(told.error))).toEqual(check.arrayContaining([...(write.names ?? [])]));
    const key = `once-only, ${side}: ${told.said}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
  });
});

describe.concurrent('a write that is safe to repeat', () => {
  test.for(cells(safe))('%s: %s, %s', async ([, fault, side, write], { expect: check }) => {
    await using at = await benchFor(fault);
    const told = await meet(at, write, fault, sides[side]);

    check(told).toMatchObject({ said: sides[side] ? (write.applied ?? 'ok') : 'ok' });
    check(told.requests).toBeGreaterThan(1);
    if (write.one === undefined) check(distinct(at.sandbox.effects(write.kind))).toHaveLength(1);
    else check(at.sandbox.effects(write.one)).toHaveLength(1);
    const key = `safe, ${side}: ${told.said}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
  });
});

test('the matrix has every cell', () => {
  const count = (writes: object): number => Object.keys(writes).length * 8 * 2;
  expect([cells(onceOnly).length, cells(safe).length]).toEqual([count(onceOnly), count(safe)]);
});

function payloadOf(error: AnyFailure | undefined): object {
  const payload = error !== undefined && 'payload' in error ? error.payload : undefined;
  return typeof payload === 'object' && payload !== null ? payload : {};
}

/** Repeated effects that change nothing count once. */
function distinct(effects: readonly Effect[]): string[] {
  return [...new Set(effects.map(({ kind, id, content }) => JSON.stringify([kind, id, content])))];
}
