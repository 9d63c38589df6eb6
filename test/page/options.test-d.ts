import { test } from 'vitest';

import type {
  BlockUserOptions,
  IterateLeadsOptions,
  LeadsOptions,
  PublishCommentOptions,
  PublishPhotoOptions,
  PublishPhotosOptions,
  PublishPhotoStoryOptions,
  PublishPostOptions,
  PublishReelOptions,
  PublishVideoOptions,
  PublishVideoStoryOptions,
} from '../../src/page/endpoints.ts';

const pageId = '42';
const pageToken = 'token';

function takesPhoto(_options: PublishPhotoStoryOptions): void {}
function takesVideo(_options: PublishVideoStoryOptions): void {}

function takesPost(_options: PublishPostOptions): void {}

test('a post is published now, later or not at all', () => {
  const post = { pageId, pageToken, message: 'Hello' };
  takesPost({ ...post, published: true, draft: false });
  takesPost({ ...post, scheduledAt: new Date(), published: false });
  takesPost({ ...post, draft: true });
  // Of a row whose time may be missing.
  const row: { readonly at?: Date; readonly isDraft: boolean } = { isDraft: false };
  takesPost({ ...post, scheduledAt: row.at });
  takesPost({ ...post, ...(row.at && { scheduledAt: row.at }) });
  takesPost({ ...post, draft: row.isDraft });
  // @ts-expect-error two times
  takesPost({ ...post, scheduledAt: 1_800_000_000, published: true });
  // @ts-expect-error a draft has no time
  takesPost({ ...post, draft: true, scheduledAt: 1_800_000_000 });
});

function takesLeads(_options: LeadsOptions): void {}
function takesWalk(_options: IterateLeadsOptions): void {}

test('leads are those of a form or of an ad', () => {
  takesLeads({ pageToken, formId: '72', since: 1_800_000_000 });
  takesLeads({ pageToken, adId: '61', formId: undefined });
  takesWalk({ pageToken, adId: '61', onUnreadable: () => undefined });
  // @ts-expect-error neither
  takesLeads({ pageToken });
  // @ts-expect-error both
  takesLeads({ pageToken, formId: '72', adId: '61' });
  // @ts-expect-error perhaps neither
  takesWalk({ pageToken, formId: undefined as string | undefined });
});

function takesComment(_options: PublishCommentOptions): void {}

test('a comment has text, an image or both', () => {
  const on = { objectId: '42_1', pageToken };
  takesComment({ ...on, message: 'Hi' });
  takesComment({ ...on, message: 'Hi', attachmentUrl: 'https://example.com/a.jpg' });
  takesComment({ ...on, photo: './a.jpg', pageId });
  const row: { readonly image?: string } = {};
  takesComment({ ...on, message: 'Hi', attachmentUrl: row.image });
  // @ts-expect-error nothing
  takesComment(on);
  // @ts-expect-error a photo needs the Page
  takesComment({ ...on, photo: './a.jpg' });
  // @ts-expect-error two images
  takesComment({ ...on, photo: './a.jpg', pageId, attachmentUrl: 'https://example.com/a.jpg' });
});

function takesOnePhoto(_options: PublishPhotoOptions): void {}
function takesPhotos(_options: PublishPhotosOptions): void {}

test('a photo is an address or bytes', () => {
  takesOnePhoto({ pageId, pageToken, photoUrl: 'https://example.com/a.jpg', published: true });
  takesOnePhoto({ pageId, pageToken, photo: './a.jpg', scheduledAt: new Date() });
  // @ts-expect-error none
  takesOnePhoto({ pageId, pageToken });
  // @ts-expect-error both
  takesOnePhoto({ pageId, pageToken, photo: './a.jpg', photoUrl: 'https://example.com/a.jpg' });
  // @ts-expect-error two times
  takesOnePhoto({ pageId, pageToken, photo: './a.jpg', scheduledAt: new Date(), published: true });
  takesPhotos({ pageId, pageToken, photos: [{ photo: './a.jpg', altText: 'A' }, { photoId: '5' }] });
  // @ts-expect-error both
  takesPhotos({ pageId, pageToken, photos: [{ photo: './a.jpg', photoUrl: 'https://example.com/a.jpg' }] });
});

test('a photo story is of one photo', () => {
  takesPhoto({ pageId, pageToken, photoUrl: 'https://example.com/a.jpg' });
  takesPhoto({ pageId, pageToken, photoId: '5', photoUrl: undefined });
  takesPhoto({ pageId, pageToken, photo: './a.jpg' });
  // @ts-expect-error none
  takesPhoto({ pageId, pageToken });
  // @ts-expect-error two
  takesPhoto({ pageId, pageToken, photoUrl: 'https://example.com/a.jpg', photoId: '5' });
  // @ts-expect-error perhaps none
  takesPhoto({ pageId, pageToken, photoId: undefined as string | undefined });
});

function takesReel(_options: PublishReelOptions): void {}
function takesFilm(_options: PublishVideoOptions): void {}

test('a video or Reel is of one video', () => {
  takesReel({ pageId, pageToken, video: './a.mp4', title: 'A', scheduledAt: new Date() });
  takesFilm({ pageId, pageToken, videoUrl: 'https://example.com/a.mp4', thumbnail: new Blob() });
  // @ts-expect-error none
  takesReel({ pageId, pageToken });
  // @ts-expect-error two
  takesFilm({ pageId, pageToken, video: './a.mp4', videoUrl: 'https://example.com/a.mp4' });
});

test('a video story is of one video', () => {
  takesVideo({ pageId, pageToken, videoUrl: 'https://example.com/a.mp4', waitTimeoutMs: 0 });
  takesVideo({ pageId, pageToken, video: './a.mp4' });
  takesVideo({ pageId, pageToken, video: new Uint8Array(), uploadAttempts: 1 });
  // @ts-expect-error none
  takesVideo({ pageId, pageToken });
  // @ts-expect-error two
  takesVideo({ pageId, pageToken, video: './a.mp4', videoUrl: 'https://example.com/a.mp4' });
});

function takesPeople(_options: BlockUserOptions): void {}

test('one person is blocked, or several', () => {
  takesPeople({ pageId, pageToken, userId: '8' });
  takesPeople({ pageId, pageToken, userIds: ['8', '9'], userId: undefined });
  // @ts-expect-error none
  takesPeople({ pageId, pageToken });
  // @ts-expect-error both
  takesPeople({ pageId, pageToken, userId: '8', userIds: ['9'] });
});
