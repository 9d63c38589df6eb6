import { expect, test } from 'vitest';

import { memoryJournal } from '../src/core/index.ts';
import { catalogue } from './hostile/catalogue.ts';
import { pageContext, picsContext, picsPageContext } from './support/context.ts';

/** Options without which something would be published that is not what was meant. */
const contents: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  page: {
    message: 'Hi',
    link: 'https://example.com',
    photoUrl: 'https://example.com/a.jpg',
    photo: new Uint8Array(4),
    photos: [{ photoUrl: 'https://example.com/a.jpg' }, { photoUrl: 'https://example.com/b.jpg' }],
    videoUrl: 'https://example.com/a.mp4',
    video: new Uint8Array(4),
    isAiGenerated: true,
  },
  pics: {
    caption: 'Hi',
    imageUrl: 'https://example.com/a.jpg',
    imageUrls: ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
    items: [{ imageUrl: 'https://example.com/a.jpg' }, { imageUrl: 'https://example.com/b.jpg' }],
    videoUrl: 'https://example.com/a.mp4',
    video: new Uint8Array(4),
    altText: 'A door',
    isAiGenerated: true,
    poll: { options: ['1', '2'] },
    commentPrompt: true,
  },
};
const fetch = (): Promise<Response> => Promise.reject(new Error('nothing may be sent'));
const options = { fetch, journal: memoryJournal() };
const contexts = {
  page: pageContext(options),
  login: picsContext(options),
  viaPages: picsPageContext(options),
};

const publishing = catalogue().filter(
  ({ name, exported, kinds }) =>
    'idempotencyKey' in kinds &&
    (/^page\/(?:publish|replyComment)/.test(name) ||
      ['publish', 'publishCarousel', 'publishStory'].includes(exported)),
);

test('publishing functions are known', () => {
  expect(publishing.length).toBeGreaterThan(14);
});

test.each(publishing)('$name refuses the content of others', async ({ name, call, kinds, variants }) => {
  expect.hasAssertions();
  const [platform = ''] = name.split('/');
  const resultOf = async (given: object): Promise<string> => {
    // An aborted call ends where it would send something.
    const result: unknown = await call(contexts, { ...given, signal: AbortSignal.abort() });
    const { error } = result as { readonly error?: { readonly name: string; readonly option?: string } };
    return error?.option ?? error?.name ?? 'sent';
  };
  for (const given of variants) {
    if ((await resultOf(given)) !== 'TransportError') continue;
    const foreign = Object.entries(contents[platform] ?? {}).filter(([option]) => !(option in kinds));
    for (const [option, value] of foreign) {
      expect([option, await resultOf({ ...given, [option]: value })]).toEqual([option, option]);
    }
  }
});
