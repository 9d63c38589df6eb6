import { describe, expect, test } from 'vitest';

import { publishCarousel } from '../../../src/pics/publishing/carousel.ts';
import { imageAddress, mediaAddress } from '../../../src/pics/publishing/options.ts';
import { publish, publishContainer, publishStory } from '../../../src/pics/publishing/publish.ts';
import { picsContext, token } from '../../support/context.ts';
import { faultIn } from '../../support/rules.ts';

const address = 'https://example.com/a.jpg';

describe('the address of media', () => {
  test.each([
    [address, undefined],
    ['http://example.com/a.jpg', 'must begin with https:'],
    ['xhttps://example.com/a.jpg', 'must be an https address'],
    ['/a.jpg', 'must be an https address'],
    ['', 'must be an https address'],
    [undefined, 'must be an https address'],
  ])('for %j, the rule says %j', (value, fault) => {
    expect(faultIn(mediaAddress, value)).toBe(fault);
  });

  test.each(['./a.jpg', new Blob(['x']), undefined])('of an image cannot be a file: %j', (value) => {
    expect(faultIn(imageAddress, value)).toBe('must be the https address of an image, not a file');
    expect(faultIn(imageAddress, address)).toBeUndefined();
  });

  test('of an image says that it must be by https', () => {
    expect(faultIn(imageAddress, 'http://example.com/a.jpg')).toBe('must begin with https:');
  });
});

describe('what an account would publish at once', () => {
  const imageUrl = address;
  const calls = {
    publish: (more: object) => publish(picsContext(), { token, imageUrl, ...more }),
    publishStory: (more: object) => publishStory(picsContext(), { token, imageUrl, ...more }),
    publishCarousel: (more: object) =>
      publishCarousel(picsContext(), { token, imageUrls: [imageUrl, imageUrl], ...more }),
    publishContainer: (more: object) =>
      publishContainer(picsContext(), { token, containerId: '18', ...more }),
  };

  test.each(Object.entries(calls))(
    'is not published by %s if another time or a draft is asked for',
    async (_, call) => {
      for (const [option, value, fault] of [
        ['scheduledAt', new Date(), 'is not an option; the options are '],
        ['draft', true, 'is not an option; the options are '],
        ['published', false, 'must be left out, or true: it is published at once'],
        ['publishAt', 1_800_000_000, 'is not an option; the options are '],
      ] as const) {
        expect((await call({ [option]: value }))._unsafeUnwrapErr()).toMatchObject({
          name: 'ConfigurationError',
          option,
          message: expect.stringContaining(`${option} ${fault}`),
        });
      }
    },
  );
});
