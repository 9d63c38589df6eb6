import { test } from 'vitest';

import type {
  LikeMediaOptions,
  PublishCarouselOptions,
  PublishOptions,
  PublishStoryOptions,
  UpdateMessengerProfileOptions,
} from '../../src/pics/endpoints.ts';

const token = 'token';
const imageUrl = 'https://example.com/a.jpg';
const videoUrl = 'https://example.com/a.mp4';

function takesPost(_options: PublishOptions): void {}
function takesCarousel(_options: PublishCarouselOptions): void {}
function takesStory(_options: PublishStoryOptions): void {}
function takesLike(_options: LikeMediaOptions): void {}
function takesProfile(_options: UpdateMessengerProfileOptions): void {}

test('a like is of a media or of a comment', () => {
  takesLike({ token, picsUserId: '17', mediaId: '9' });
  takesLike({ token, picsUserId: '17', commentId: '7', liked: false });
  // @ts-expect-error none
  takesLike({ token, picsUserId: '17' });
  // @ts-expect-error two
  takesLike({ token, picsUserId: '17', mediaId: '9', commentId: '7' });
});

test('the profile of an account has questions and a menu', () => {
  const call_to_actions = [{ question: 'Open?', payload: 'HOURS' }];
  takesProfile({ token, iceBreakers: [{ locale: 'default', call_to_actions }] });
  // @ts-expect-error a question comes back by its payload
  takesProfile({ token, iceBreakers: [{ locale: 'default', call_to_actions: [{ question: 'Open?' }] }] });
  // @ts-expect-error a greeting is for Pages
  takesProfile({ token, greeting: [{ locale: 'default', text: 'Hello' }] });
});

test('a post is an image or a video', () => {
  takesPost({ token, imageUrl, caption: 'Open!' });
  takesPost({ token, videoUrl, isReel: true, shareToFeed: false });
  takesPost({ token, videoUrl, imageUrl: undefined });
  // @ts-expect-error none
  takesPost({ token });
  // @ts-expect-error two
  takesPost({ token, imageUrl, videoUrl });
  // @ts-expect-error perhaps none
  takesPost({ token, imageUrl: undefined as string | undefined });
});

test('a post takes the options of its own kind only', () => {
  // @ts-expect-error an image is no Reel
  takesPost({ token, imageUrl, isReel: true });
  // @ts-expect-error an image is in the feed anyway
  takesPost({ token, imageUrl, shareToFeed: true });
  // @ts-expect-error no option at all
  takesPost({ token, imageUrl, captoin: 'Open!' });
});

test('a video is uploaded, or fetched from its address', () => {
  const video = new Uint8Array(1);
  takesPost({
    token,
    video,
    thumbOffsetMs: 0,
    uploadAttempts: 4,
    uploadTimeoutMs: 1000,
    onProgress: () => 0,
  });
  takesPost({ token, videoUrl, onProgress: ({ phase, sentBytes }) => [phase, sentBytes] });
  takesStory({ token, video: './story.mp4' });
  takesCarousel({
    token,
    items: [{ video: new Blob() }, { video: new URL('file:///a.mp4'), thumbOffsetMs: 0 }],
  });
  // @ts-expect-error two
  takesPost({ token, video, videoUrl });
  // @ts-expect-error two
  takesPost({ token, video, imageUrl });
  // @ts-expect-error an image is not uploaded
  takesPost({ token, imageUrl, uploadAttempts: 2 });
  // @ts-expect-error a video has no alternative text
  takesPost({ token, video, altText: 'A door' });
  // @ts-expect-error two
  takesStory({ token, video, videoUrl });
  // @ts-expect-error an image is not uploaded
  takesStory({ token, imageUrl, onProgress: () => 0 });
  // @ts-expect-error two
  takesCarousel({ token, items: [{ video, videoUrl }, { imageUrl }] });
});

test('a post tells what its kind has', () => {
  const placed = { username: 'ada', x: 0.5, y: 0.5 };
  takesPost({ token, imageUrl, altText: 'A door', userTags: [placed], productTags: [{ productId: '5' }] });
  takesPost({ token, imageUrl, locationId: '1', collaborators: ['bob'], isAiGenerated: true });
  takesPost({ token, videoUrl, coverUrl: imageUrl, thumbOffsetMs: 0, audioName: 'Waves', trial: 'MANUAL' });
  takesPost({ token, videoUrl, userTags: [{ username: 'ada' }], locationId: '1', collaborators: ['bob'] });
  // @ts-expect-error a tag in an image has a place
  takesPost({ token, imageUrl, userTags: [{ username: 'ada' }] });
  // @ts-expect-error a tag in a video has none
  takesPost({ token, videoUrl, userTags: [placed] });
  // @ts-expect-error a video has no alternative text
  takesPost({ token, videoUrl, altText: 'A door' });
  // @ts-expect-error a video has no products
  takesPost({ token, videoUrl, productTags: [] });
  // @ts-expect-error an image has no cover
  takesPost({ token, imageUrl, coverUrl: imageUrl });
  // @ts-expect-error an image has no frames
  takesPost({ token, imageUrl, thumbOffsetMs: 0 });
  takesPost({ token, videoUrl, audio: { audioId: '5', audioVolume: 80, videoVolume: 0 } });
  // @ts-expect-error an image has no music
  takesPost({ token, imageUrl, audio: { audioId: '5' } });
  // @ts-expect-error an image has no audio
  takesPost({ token, imageUrl, audioName: 'Waves' });
  // @ts-expect-error an image is no trial Reel
  takesPost({ token, imageUrl, trial: 'MANUAL' });
});

test('a carousel is of addresses or of items, each with what its kind has', () => {
  const image = { imageUrl, altText: 'A door', userTags: [{ username: 'ada', x: 0, y: 1 }] };
  takesCarousel({ token, imageUrls: [imageUrl, imageUrl], isAiGenerated: true });
  takesCarousel({ token, items: [image, { videoUrl, thumbOffsetMs: 0 }], caption: 'All', locationId: '5' });
  // @ts-expect-error none
  takesCarousel({ token });
  // @ts-expect-error two
  takesCarousel({ token, imageUrls: [imageUrl, imageUrl], items: [image, image] });
  // @ts-expect-error an item is an image or a video
  takesCarousel({ token, items: [image, { imageUrl, videoUrl }] });
  // @ts-expect-error an image has no frames
  takesCarousel({ token, items: [image, { imageUrl, thumbOffsetMs: 0 }] });
  // @ts-expect-error a video has no tags here
  takesCarousel({ token, items: [image, { videoUrl, userTags: [{ username: 'ada' }] }] });
  // @ts-expect-error the caption is the carousel's
  takesCarousel({ token, items: [image, { imageUrl, caption: 'All' }] });
  // @ts-expect-error the tags are the items'
  takesCarousel({ token, items: [image, image], userTags: [] });
});

test('a story is an image or a video', () => {
  takesStory({ token, imageUrl });
  takesStory({ token, videoUrl, waitTimeoutMs: 0 });
  takesStory({
    token,
    imageUrl,
    isAiGenerated: true,
    userTags: [{ username: 'ada' }, { username: 'b', x: 0, y: 1 }],
  });
  // @ts-expect-error a story has no caption
  takesStory({ token, imageUrl, caption: 'Open!' });
  // @ts-expect-error none
  takesStory({ token });
  // @ts-expect-error two
  takesStory({ token, imageUrl, videoUrl });
});
