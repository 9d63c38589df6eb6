import assert from 'node:assert';

import { describe, expect, test } from 'vitest';

import { get } from '../../../src/core/lowLevel/request.ts';
import * as page from '../../../src/page/index.ts';
import * as pics from '../../../src/pics/index.ts';
import { pageContext, picsContext, token } from '../../support/context.ts';

/** Nothing may be sent. */
const fetch = (): never => assert.fail();
const onPage = pageContext({ fetch });
const onPics = picsContext({ fetch });

const own = { pageId: '42', pageToken: token };
const photoUrl = 'https://a.test/a.jpg';
const videoUrl = 'https://a.test/a.mp4';
const imageUrls = [photoUrl, photoUrl];

/** Calls that publish, each with further options. */
const calls = {
  publishPost: (more: object) => page.publishPost(onPage, { ...own, message: 'Hi', ...more }),
  publishPhoto: (more: object) => page.publishPhoto(onPage, { ...own, photoUrl, ...more }),
  publishPhotos: (more: object) =>
    page.publishPhotos(onPage, { ...own, photos: [{ photoUrl }, { photoUrl }], ...more }),
  publishVideo: (more: object) => page.publishVideo(onPage, { ...own, videoUrl, ...more }),
  publishReel: (more: object) => page.publishReel(onPage, { ...own, videoUrl, ...more }),
  publishPhotoStory: (more: object) => page.publishPhotoStory(onPage, { ...own, photoUrl, ...more }),
  publishVideoStory: (more: object) => page.publishVideoStory(onPage, { ...own, videoUrl, ...more }),
  publishComment: (more: object) =>
    page.publishComment(onPage, { objectId: '42_1', pageToken: token, message: 'Hi', ...more }),
  replyComment: (more: object) =>
    page.replyComment(onPage, { commentId: '1', pageToken: token, message: 'Hi', ...more }),
  sendMessage: (more: object) => page.sendMessage(onPage, { ...own, recipientId: '7', text: 'Hi', ...more }),
  publish: (more: object) => pics.publish(onPics, { token, imageUrl: photoUrl, ...more }),
  publishStory: (more: object) => pics.publishStory(onPics, { token, imageUrl: photoUrl, ...more }),
  publishCarousel: (more: object) => pics.publishCarousel(onPics, { token, imageUrls, ...more }),
};
type Name = keyof typeof calls;

const none = 'is not an option, and none has its effect';
const videos = 'is for publishVideo, publishReel and publishVideoStory only';

test.each<[Name, object, string]>([
  // What belongs to another function is said at once.
  ['publishPost', { imageUrl: photoUrl }, 'is not an option, and photoUrl is for publishPhoto only'],
  ['publishPost', { image: photoUrl }, 'is not an option, and photoUrl is for publishPhoto only'],
  ['publishPost', { images: imageUrls }, 'is not an option, and photos is for publishPhotos only'],
  ['publishPost', { media: imageUrls }, 'is not an option, and photos is for publishPhotos only'],
  ['publishPost', { url: 'https://a.test' }, 'is not an option: link is'],
  ['publishPhoto', { images: imageUrls }, 'is not an option, and photos is for publishPhotos only'],
  ['publishVideo', { message: 'Hi' }, 'is for posts only: a video has a description'],
  ['publishVideo', { caption: 'Hi' }, 'is not an option: description is'],
  ['publishReel', { message: 'Hi' }, 'is for posts only: a video has a description'],
  ['publishComment', { photoUrl }, 'is for publishPhoto only: a comment has an attachmentUrl'],
  ['publishComment', { image: photoUrl }, 'is not an option: attachmentUrl is'],
  ['publishComment', { url: photoUrl }, 'is not an option: attachmentUrl is'],
  ['replyComment', { photoUrl }, 'is not an option, and attachmentUrl is for publishComment only'],
  ['sendMessage', { image: photoUrl }, 'is not an option: attachment is'],
  ['sendMessage', { photos: imageUrls }, 'is not an option: images is'],
  ['publishCarousel', { altTexts: ['a', 'b'] }, 'is not an option, and altText is for items only'],
  ['publishPhotos', { altTexts: ['a', 'b'] }, 'is not an option, and altText is for items of photos only'],
  ['publishStory', { text: 'Hi' }, 'is not an option, and caption is for posts only'],
  // When, and whether at all.
  ['publishPost', { isDraft: true }, 'is not an option: draft is'],
  ['publishPost', { isDraft: false }, 'is not an option: draft is'],
  ['publishPost', { unpublished: true }, 'is not an option: published: false is'],
  ['publishPost', { publish: false }, 'is not an option: published: false is'],
  ['publishPost', { is_published: false }, 'is not an option: published: false is'],
  ['publishPost', { when: new Date() }, 'is not an option: scheduledAt is'],
  ['publishPost', { at: new Date() }, 'is not an option: scheduledAt is'],
  ['publishPost', { postAt: new Date() }, 'is not an option: scheduledAt is'],
  ['publishPhoto', { unpublished: true }, 'is not an option: published: false is'],
  ['publishPhoto', { draft: true }, 'is not an option: published: false is'],
  ['publishPhotos', { published: false }, 'is not an option: scheduledAt is'],
  ['publishPhotos', { draft: true }, 'is not an option: scheduledAt is'],
  ['publishVideo', { published: false }, 'is not an option: scheduledAt is'],
  ['publishReel', { isDraft: true }, 'is not an option: scheduledAt is'],
  ['publishPhotoStory', { unpublished: true }, 'is not an option, and draft is for posts only'],
  ['publishVideoStory', { when: 1 }, 'is not an option, and scheduledAt is for posts only'],
  ['publishComment', { scheduledAt: new Date() }, none],
  ['publishComment', { published: false }, none],
  ['publishComment', { hidden: true }, none],
  ['replyComment', { draft: true }, none],
  ['sendMessage', { sendAt: new Date() }, none],
  ['publish', { unpublished: true }, 'is not an option, and draft is for Pages only'],
  ['publish', { isDraft: true }, 'is not an option, and draft is for Pages only'],
  ['publishCarousel', { when: new Date() }, 'is not an option, and scheduledAt is for Pages only'],
  // For whom.
  ['publishPost', { privacy: 'SELF' }, 'is not an option: published: false is'],
  ['publishPost', { visibility: 'private' }, 'is not an option: published: false is'],
  ['publishPost', { hidden: true }, 'is not an option: published: false is'],
  ['publishPost', { private: true }, 'is not an option: published: false is'],
  ['publishPhotos', { privacy: { value: 'SELF' } }, none],
  ['publishVideo', { visibility: 'private' }, none],
  ['publish', { visibility: 'private' }, none],
  // What limits, labels, or adds.
  ...(
    [
      'publishPost',
      'publishPhoto',
      'publishPhotos',
      'publishPhotoStory',
      'publishComment',
      'replyComment',
      'sendMessage',
    ] as const
  ).flatMap((name): [Name, object, string][] => [
    [
      name,
      { is_ai_generated: true },
      name === 'sendMessage' ? none : `is not an option, and isAiGenerated ${videos}`,
    ],
    [name, { isAiGenerated: true }, name === 'sendMessage' ? none : videos],
    [name, { poll: { options: ['Tea', 'Coffee'] } }, none],
    [name, { commentPrompt: true }, none],
    [name, { audience: 'DE' }, none],
    [name, { expiresAt: 1 }, none],
  ]),
  ['publishPhoto', { targeting: { age_min: 21 } }, none],
  ['publishPhoto', { tags: ['7'] }, none],
  ['publishPhoto', { no_story: true }, none],
  ['publish', { tags: ['bob'] }, 'is not an option: userTags is'],
  ['publish', { firstComment: 'Hi' }, 'is not an option: publishComment adds one to what is out'],
  ['publish', { disable_comments: true }, none],
  ['publishComment', { altText: 'A door' }, none],
  ['publish', { feedTargeting: { age_min: 21 } }, none],
  ['publishCarousel', { is_ai_generated: true }, 'is not an option: isAiGenerated is'],
])('%s refuses %j', async (name, more, fault) => {
  const [option = ''] = Object.keys(more);
  expect((await calls[name](more))._unsafeUnwrapErr()).toMatchObject({
    name: 'ConfigurationError',
    option,
    message: `${option} ${fault}`,
  });
});

test('a field is not taken for no fields', async () => {
  const guess: object = { field: ['id'] };
  const listed = await page.posts(onPage, { ...own, ...guess });
  expect(listed._unsafeUnwrapErr().message).toBe('field is not an option: fields is');
});

test('a message of an account drops none of the options that one of a Page has', async () => {
  const more: object = { metadata: 'ticket 7' };
  const message = { token, recipientId: '7', text: 'Hi', ...more };
  const said = 'metadata is for sendMessage of a Page only';
  expect((await pics.sendMessage(onPics, message))._unsafeUnwrapErr().message).toBe(said);
  const reply = { ...own, commentId: '1', text: 'Hi', ...more };
  expect((await page.privateReply(onPage, reply))._unsafeUnwrapErr().message).toBe(said);
});

test.each([
  { timeoutMs: 5000 },
  { timeout: 5 },
  { deadlineMs: 5000 },
  { retry: { attempts: 1 } },
  // As other clients say it.
  { retry: false },
  { timeout: false },
  { lane: 'read' },
])('a setting of the context is not ignored in a call: %j', async (more: object) => {
  const message = `${Object.keys(more).join()} is not an option of a call: withOptions gives it to a context`;
  const refused = { error: { name: 'ConfigurationError', message } };
  expect(await page.me(onPage, { token, ...more })).toMatchObject(refused);
  expect(await calls.publish(more)).toMatchObject(refused);
  expect(await get(onPage, 'me', { token, ...more })).toMatchObject(refused);
});

test('words that limit a list, or a login, are not ignored', async () => {
  for (const name of ['since', 'after', 'before', 'order', 'offset']) {
    const more: object = { [name]: '2026-03-01' };
    const listed = await page.posts(onPage, { ...own, ...more });
    const cursor = 'is not an option: pages are read until there are limit entries';
    expect(listed._unsafeUnwrapErr().message).toBe(`${name} ${/since|order/.test(name) ? none : cursor}`);
  }
  const stream: object = { filter: 'stream' };
  const flat = await page.comments(onPage, { postId: '42_1', pageToken: token, ...stream });
  expect(flat._unsafeUnwrapErr().message).toBe('filter is not an option: replies is');
  const login = { redirectUri: 'https://a.test', state: 'x' };
  const again: object = { prompt: 'login' };
  const refused = pics.loginUrl(onPics, { ...login, ...again });
  expect(refused._unsafeUnwrapErr().message).toBe('prompt is not an option: forceReauth is');
});

describe('what changes nothing is ignored', () => {
  test.each<[Name, object]>([
    ['publishPost', { published: true, isPublished: true }],
    ['publishPost', { is_published: true }],
    ['publishPost', { publish: true }],
    ['publishPost', { id: '1', name: 'Bakery', picture: photoUrl, status: 'due', created_time: 'x' }],
    ['publishPost', { link: 'https://a.test', url: photoUrl }],
    [
      'publishPost',
      {
        isAiGenerated: false,
        firstComment: false,
        poll: null,
        collaborators: [],
        sponsorIds: [],
        expires_in: 5,
      },
    ],
    ['publishPhoto', { draft: false, url: photoUrl }],
    ['publishVideo', { published: true }],
    ['publishVideo', { scheduledAt: new Date(Date.now() + 3_600_000), published: false }],
    ['publishComment', { is_hidden: false, published: true, draft: false, scheduledAt: null }],
    ['replyComment', { from: { id: '7' }, like_count: 1, attachment: {}, can_hide: true, is_hidden: false }],
    ['publish', { published: true, draft: false, isDraft: false }],
  ])('%s takes %j', async (name, more) => {
    // It fails when it is sent.
    const { name: kind } = (await calls[name](more))._unsafeUnwrapErr();
    expect(kind).not.toBe('ConfigurationError');
  });
});
