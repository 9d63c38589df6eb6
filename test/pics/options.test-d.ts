import { test } from 'vitest';

import type { PublishOptions, PublishStoryOptions } from '../../src/pics/endpoints.ts';

const token = 'token';
const imageUrl = 'https://example.com/a.jpg';
const videoUrl = 'https://example.com/a.mp4';

function takesPost(_options: PublishOptions): void {}
function takesStory(_options: PublishStoryOptions): void {}

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

test('a story is an image or a video', () => {
  takesStory({ token, imageUrl });
  takesStory({ token, videoUrl, waitTimeoutMs: 0 });
  // @ts-expect-error none
  takesStory({ token });
  // @ts-expect-error two
  takesStory({ token, imageUrl, videoUrl });
});
