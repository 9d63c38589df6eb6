import { describe, expect, test } from 'vitest';

import { encodeAddress, imageAddress, mediaAddress } from '../../../src/pics/publishing/options.ts';
import { faultIn } from '../../support/rules.ts';

const address = 'https://example.com/a.jpg';

describe('the address of media', () => {
  test.each([
    [address, undefined],
    ['http://example.com/a.jpg', 'must be an https address'],
    ['xhttps://example.com/a.jpg', 'must be an https address'],
    ['/a.jpg', 'must be an https address'],
    ['', 'must be an https address'],
    [undefined, 'must be an https address'],
  ])('for %j, the rule says %j', (value, fault) => {
    expect(faultIn(mediaAddress, value)).toBe(fault);
  });

  test.each(['./a.jpg', 'http://example.com/a.jpg', new Blob(['x']), undefined])(
    'of an image cannot be a file: %j',
    (value) => {
      expect(faultIn(imageAddress, value)).toBe(
        'must be the https address of an image; an image cannot be a file',
      );
      expect(faultIn(imageAddress, address)).toBeUndefined();
    },
  );

  test('stays as it is when it is ASCII, since it may be signed', () => {
    const signed = 'https://EXAMPLE.com/a/../b.jpg?sig=a~b|c';

    expect(encodeAddress(signed)).toBe(signed);
  });

  test.each([
    ['https://example.com/café.jpg', 'https://example.com/caf%C3%A9.jpg'],
    ['https://example.com/a b.jpg', 'https://example.com/a%20b.jpg'],
  ])('is encoded when it is not: %s', (value, encoded) => {
    expect(encodeAddress(value)).toBe(encoded);
  });
});
