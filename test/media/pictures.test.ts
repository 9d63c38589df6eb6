import { describe, expect, test } from 'vitest';

import { inspectImage, inspectMedia } from '../../src/media/index.ts';
import { be, box, bytesOf, exif, factsOf, fileOf, jpeg, profile, segment, tiff } from './support.ts';

const icc = (bytes: Uint8Array): Uint8Array => segment(0xe2, 'ICC_PROFILE\0', 1, 1, bytes);
const srgb = [
  [0.436, 0.2224, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7139],
];
const displayP3 = [
  [0.5151, 0.2412, -0.0011],
  [0.292, 0.6922, 0.0418],
  [0.1571, 0.0666, 0.7841],
];
const adobe = [
  [0.6097, 0.3111, 0.0195],
  [0.2053, 0.6257, 0.0609],
  [0.1492, 0.0632, 0.7446],
];
const comment = segment(0xfe, new Uint8Array(60_000));
const mpf = (...types: readonly number[]): Uint8Array => {
  const list = types.map((type) => bytesOf(be(type, 4), new Uint8Array(12)));
  return segment(0xe2, 'MPF\0', tiff([[0xb002, 7, types.length * 16, be(26, 4)]]), ...list);
};

describe('a JPEG', () => {
  test.each([
    [
      'plain',
      jpeg(),
      { width: 1080, height: 1350, image: { process: 'baseline', components: 3, colour: 'untagged' } },
    ],
    ['progressive', jpeg({ marker: 0xc2 }), { image: { process: 'progressive' } }],
    ['arithmetic', jpeg({ marker: 0xc9 }), { image: { process: 'arithmetic' } }],
    ['lossless', jpeg({ marker: 0xc3 }), { image: { process: 'lossless' } }],
    ['of 12 bits', jpeg({ marker: 0xc1, bits: 12 }), { image: { process: 'extended', bitDepth: 12 } }],
    ['gray', jpeg({ components: 1 }), { image: { components: 1, colour: 'gray' } }],
    ['for print', jpeg({ components: 4 }), { image: { components: 4, colour: 'cmyk' } }],
    ['turned', jpeg({ before: [exif(6)] }), { width: 1350, height: 1080, image: { orientation: 6 } }],
    ['mirrored', jpeg({ before: [exif(4)] }), { width: 1080, height: 1350, image: { orientation: 4 } }],
    ['with an orientation that is none', jpeg({ before: [exif(9)] }), { image: { orientation: 1 } }],
    [
      'turned after a long comment',
      jpeg({ before: [comment, comment, exif(8)] }),
      { image: { orientation: 8 } },
    ],
    ['turned after its frame', jpeg({ after: [exif(5)] }), { width: 1350, image: { orientation: 5 } }],
    ['with a profile', jpeg({ before: [icc(profile('RGB ', srgb))] }), { image: { colour: 'srgb' } }],
    ['of a phone', jpeg({ before: [icc(profile('RGB ', displayP3))] }), { image: { colour: 'display_p3' } }],
    ['of an editor', jpeg({ before: [icc(profile('RGB ', adobe))] }), { image: { colour: 'adobe_rgb' } }],
    ['with fill bytes', jpeg({ before: [bytesOf(0xff, 0xff, 0xff), exif(6)] }), { width: 1350 }],
    ['whose height follows', jpeg({ height: 0 }), { stored: { width: 1080, height: 0 } }],
    [
      'of a stereo camera',
      jpeg({ before: [mpf(0x2003_0000, 0x02_0002)] }),
      { image: { isMultiPicture: true } },
    ],
    ['with a preview', jpeg({ before: [mpf(0x2003_0000, 0x01_0002)] }), { image: { isMultiPicture: false } }],
    [
      'with a gain map',
      jpeg({
        before: [
          mpf(0x2003_0000, 0),
          segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x hdrgm:Version="1.0"/>'),
        ],
      }),
      { image: { isMultiPicture: false, hasGainMap: true } },
    ],
  ])('%s', async (_, bytes, facts) => {
    expect(await factsOf(bytes)).toMatchObject({ kind: 'image', format: 'jpeg', ...facts });
  });

  test('without a height has none', async () => {
    const facts = await factsOf(jpeg({ height: 0 }));

    expect(facts).not.toHaveProperty('height');
    expect(facts).not.toHaveProperty('width');
  });

  test('has the size of its frame, not of the thumbnail in its EXIF', async () => {
    const thumbnail = jpeg({ width: 160, height: 120 });

    expect(await factsOf(jpeg({ before: [segment(0xe1, 'Exif\0\0', tiff([]), thumbnail)] }))).toMatchObject({
      width: 1080,
      height: 1350,
    });
  });

  test('whose profile is in parts, in any order, has its colours', async () => {
    const bytes = profile('RGB ', displayP3);
    const part = (number: number, from: number, to?: number): Uint8Array =>
      segment(0xe2, 'ICC_PROFILE\0', number, 2, bytes.subarray(from, to));

    expect(await factsOf(jpeg({ before: [part(2, 150), part(1, 0, 150)] }))).toMatchObject({
      image: { colour: 'display_p3' },
    });
  });

  test('of the colour space "uncalibrated" is not known to be Adobe RGB, unless it says so', async () => {
    const details = (...entries: Parameters<typeof tiff>[0]): Uint8Array => {
      // A list after the first one, and one after that.
      const [own, third] = [entries.slice(0, -1), entries.slice(-1)];
      const first = tiff([[0x8769, 4, 1, be(26, 4)]]);
      const second = tiff([...own, [0xa005, 4, 1, be(26 + 6 + (own.length + 1) * 12, 4)]]).subarray(8);
      return segment(0xe1, 'Exif\0\0', first, second, tiff(third).subarray(8));
    };
    const uncalibrated = [0xa001, 3, 1, bytesOf(0xff, 0xff, 0, 0)] as const;
    const [alone, adobe98] = [bytesOf('R98\0'), bytesOf('R03\0')].map((name) =>
      jpeg({ before: [details(uncalibrated, [1, 2, 4, name])] }),
    );

    expect((await factsOf(alone ?? '')).image?.colour).toBe('untagged');
    expect((await factsOf(adobe98 ?? '')).image?.colour).toBe('adobe_rgb');
  });

  test('reads its header only', async () => {
    const facts = await factsOf({
      size: 5_000_000,
      read: async (offset, length) => {
        const all = new Uint8Array(5_000_000);
        all.set(jpeg());
        return all.subarray(offset, offset + length);
      },
    });

    expect(facts).toMatchObject({ width: 1080, bytesRead: 65_536, requests: 1 });
  });

  test('of a header of megabytes is read in few reads, or where it is at hand, in small ones', async () => {
    const bytes = jpeg({ before: Array.from({ length: 30 }, () => comment), after: [exif(6)] });
    const far = await factsOf({
      size: bytes.length,
      read: async (offset, length) => bytes.subarray(offset, offset + length),
    });
    const near = await factsOf(bytes);

    expect(far).toMatchObject({ width: 1350, requests: expect.toSatisfy((requests) => requests < 8) });
    expect(near).toMatchObject({ width: 1350, bytesRead: expect.toSatisfy((read) => read < 150_000) });
  });
});

test.each([
  [
    'png',
    bytesOf('\x89PNG\r\n\x1a\n', be(13, 4), 'IHDR', be(40, 4), be(30, 4), 8, 2),
    { width: 40, height: 30 },
  ],
  ['gif', bytesOf('GIF89a', 40, 0, 30, 0), { width: 40, height: 30, image: { isAnimated: false } }],
  ['gif', bytesOf('GIF89a', 40, 0, 30, 0, 0, 0, 0, '!\xff\x0bNETSCAPE2.0'), { image: { isAnimated: true } }],
  [
    'webp',
    bytesOf('RIFF\0\0\0\0WEBPVP8X', be(0, 4), 2, 0, 0, 0, 39, 0, 0, 29, 0, 0),
    { width: 40, height: 30 },
  ],
  [
    'webp',
    bytesOf('RIFF\0\0\0\0WEBPVP8 ', be(0, 4), 0, 0, 0, 0x9d, 1, 0x2a, 40, 0, 30, 0),
    { width: 40, height: 30 },
  ],
  ['webp', bytesOf('RIFF\0\0\0\0WEBPVP8L', be(0, 4), 0x2f, 39, 0x40, 7, 0), { width: 40, height: 30 }],
  [
    'bmp',
    bytesOf('BM', be(0, 4), be(0, 4), be(0, 4), 40, 0, 0, 0, 40, 0, 0, 0, 0xe2, 0xff, 0xff, 0xff),
    { width: 40, height: 30 },
  ],
  [
    'tiff',
    tiff([
      [256, 3, 1, bytesOf(be(40, 2), 0, 0)],
      [257, 4, 1, be(30, 4)],
      [0x112, 3, 1, bytesOf(0, 6, 0, 0)],
    ]),
    { width: 30, height: 40 },
  ],
])('the size of a %s', async (format, bytes, facts) => {
  expect(await factsOf(bytes)).toMatchObject({ kind: 'image', format, ...facts });
});

test.each([
  ['heic', 'heic', 'mif1'],
  ['heic', 'mif1', 'heic'],
  ['avif', 'avif', 'mif1'],
  ['avif', 'mif1', 'avif'],
])(
  'the size of a %s with the brands %s and %s is that of its first picture, turned',
  async (format, ...brands) => {
    const size = (width: number, height: number): Uint8Array =>
      box('ispe', be(0, 4), be(width, 4), be(height, 4));
    const bytes = bytesOf(
      box('ftyp', brands[0], be(0, 4), brands[1]),
      box(
        'meta',
        be(0, 4),
        box('pitm', be(0, 4), be(7, 2)),
        box(
          'iprp',
          box('ipco', size(512, 512), size(4032, 3024), box('irot', 1)),
          box('ipma', be(0, 4), be(2, 4), be(1, 2), 1, 1, be(7, 2), 2, 2, 0x83),
        ),
      ),
    );

    expect(await factsOf(bytes)).toMatchObject({
      kind: 'image',
      format,
      width: 3024,
      height: 4032,
      stored: { width: 4032, height: 3024 },
      rotation: 270,
    });
  },
);

test.each([
  ['plain', ''],
  ['named as in a JPEG', 'Exif\0\0'],
])('a WebP is turned by its EXIF, which stands behind the picture: %s', async (_, name) => {
  const orientation = bytesOf(name, tiff([[0x112, 3, 1, bytesOf(be(6, 2), 0, 0)]]));
  const chunk = (type: string, body: Uint8Array): Uint8Array =>
    bytesOf(type, body.length, 0, 0, 0, body, ...(body.length % 2 ? [0] : []));
  const header = chunk('VP8X', bytesOf(8, 0, 0, 0, 39, 0, 0, 29, 0, 0));
  const bytes = bytesOf(
    'RIFF\0\0\0\0WEBP',
    header,
    chunk('VP8 ', new Uint8Array(33)),
    chunk('EXIF', orientation),
  );

  expect(await factsOf(bytes)).toMatchObject({ width: 30, height: 40, image: { orientation: 6 } });
  expect(await factsOf(bytes.subarray(0, 80))).toMatchObject({ width: 40, height: 30 });
});

// Of a file at hand, the first kilobyte is read, and then as much again and more.
test('a JPEG tells the same wherever its segments begin', async () => {
  const xmp = segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', '<x hdrgm:Version="1.0"/>');
  const tellers = [exif(6), icc(profile('RGB ', displayP3)), xmp, mpf(0x20002, 0x20002)];
  const wrong: unknown[] = [];
  for (let length = 960; length < 1030; length++)
    for (const [at, teller] of tellers.entries()) {
      const filled = segment(0xed, new Uint8Array(length));
      const [moved, first] = await Promise.all([
        factsOf(jpeg({ before: [filled, teller] })),
        factsOf(jpeg({ before: [teller] })),
      ]);
      if (JSON.stringify(moved.image) !== JSON.stringify(first.image)) wrong.push([length, at]);
    }

  expect(wrong).toEqual([]);
});

describe('an animated picture is one with several pictures', () => {
  const gif = (...blocks: readonly Uint8Array[]): Uint8Array =>
    bytesOf('GIF89a', 40, 0, 30, 0, 0x80, 0, 0, new Uint8Array(6), ...blocks, 0x3b);
  const loop = bytesOf('!', 0xff, 11, 'NETSCAPE2.0', 3, 1, 0, 0, 0);
  const control = bytesOf('!', 0xf9, 4, 0, 5, 0, 0, 0);
  /** With a palette of its own, and so many bytes. */
  const one = (length = 3): Uint8Array => {
    const parts = Array.from({ length: Math.ceil(length / 255) }, () => bytesOf(255, new Uint8Array(255)));
    return bytesOf(',', 0, 0, 0, 0, 40, 0, 30, 0, 0x80, new Uint8Array(6), 2, ...parts, 0);
  };
  test.each([
    ['one picture', false, gif(one())],
    ['one picture and a loop', false, gif(loop, control, one())],
    ['two pictures', true, gif(one(), one())],
    ['two pictures and a loop', true, gif(loop, control, one(), control, one())],
    ['two pictures, the first of 300 kB', true, gif(control, one(300_000), control, one())],
    ['one picture of 300 kB', false, gif(loop, one(300_000))],
    ['one picture, and a comment', false, gif(one(), bytesOf('!', 0xfe, 4, ',,,,', 0))],
    // Too long to look, so the loop tells.
    ['a first picture of 5 MB and a loop', true, gif(loop, one(5_000_000), one())],
  ])('a GIF with %s: %s', async (_, isAnimated, bytes) => {
    expect((await factsOf(bytes)).image?.isAnimated).toBe(isAnimated);
    const read = async (offset: number, length: number): Promise<Uint8Array> =>
      bytes.subarray(offset, offset + length);
    const far = await factsOf({ size: bytes.length, read });
    expect([far.image?.isAnimated, far.incomplete]).toEqual([isAnimated, undefined]);
    const few = await inspectMedia(bytes, { maxBytes: 65_536 });
    expect(few._unsafeUnwrap().incomplete).toBeUndefined();
  });

  test('a GIF of many tiny parts costs no time', { timeout: 20_000 }, async () => {
    const parts = new Uint8Array(1_000_000).map((_, at) => (at % 2 ? 0 : 1));
    const bytes = gif(bytesOf(',', new Uint8Array(10), parts));
    expect((await factsOf(bytes)).image?.isAnimated).toBe(false);
  });

  test.each([
    [1, false],
    [2, true],
  ])('a PNG that says it has %i', async (count, isAnimated) => {
    const header = bytesOf(
      '\x89PNG\r\n\x1a\n',
      be(13, 4),
      'IHDR',
      be(40, 4),
      be(30, 4),
      8,
      2,
      0,
      0,
      0,
      be(0, 4),
    );
    const bytes = bytesOf(header, be(8, 4), 'acTL', be(count, 4), be(0, 4), be(0, 4), be(0, 4), 'IDAT');
    expect((await factsOf(bytes)).image?.isAnimated).toBe(isAnimated);
  });

  test.each([
    [1, false],
    [2, true],
  ])('a WebP that has %i', async (count, isAnimated) => {
    const chunk = (type: string, body: Uint8Array): Uint8Array => bytesOf(type, body.length, 0, 0, 0, body);
    const frames = Array.from({ length: count }, () => chunk('ANMF', new Uint8Array(40)));
    const header = chunk('VP8X', bytesOf(2, 0, 0, 0, 39, 0, 0, 29, 0, 0));
    const bytes = bytesOf('RIFF\0\0\0\0WEBP', header, chunk('ANIM', new Uint8Array(6)), ...frames);
    expect(await factsOf(bytes)).toMatchObject({ width: 40, height: 30, image: { isAnimated } });
  });
});

describe('how a picture was made, by its XMP', () => {
  const source = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
  test.each([
    ['an attribute', `<x Iptc4xmpExt:DigitalSourceType="${source}trainedAlgorithmicMedia"/>`],
    ['an element', `<a:DigitalSourceType>${source}trainedAlgorithmicMedia</a:DigitalSourceType>`],
    ['a resource', `<a:DigitalSourceType rdf:resource="${source}trainedAlgorithmicMedia"/>`],
  ])('as %s', async (_, xmp) => {
    const of = { image: { digitalSource: 'trainedAlgorithmicMedia' } };
    expect(
      await factsOf(jpeg({ before: [segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', xmp)] })),
    ).toMatchObject(of);
  });

  test('that of another picture says nothing', async () => {
    expect((await factsOf(jpeg())).image).not.toHaveProperty('digitalSource');
  });
});

test('a PNG with a profile has colours that its header does not tell', async () => {
  const header = bytesOf(
    '\x89PNG\r\n\x1a\n',
    be(13, 4),
    'IHDR',
    be(40, 4),
    be(30, 4),
    8,
    2,
    0,
    0,
    0,
    be(0, 4),
  );
  const bytes = bytesOf(header, be(0, 4), 'iCCP', be(0, 4));

  expect((await factsOf(header)).image).toMatchObject({ colour: 'untagged' });
  expect((await factsOf(bytes)).image).not.toHaveProperty('colour');
});

test.each([
  ['avif', 'avis', true],
  ['avif', 'avif', false],
  ['heic', 'msf1', true],
])('a file of the brand %s %s moves: %s', async (format, brand, isAnimated) => {
  expect(await factsOf(box('ftyp', brand, be(0, 4)))).toMatchObject({ format, image: { isAnimated } });
});

test.each([
  ['matroska', 'video', bytesOf(0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82, 0x88, 'matroska')],
  ['webm', 'video', bytesOf(0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82, 0x84, 'webm')],
  ['mpegts', 'video', bytesOf(0x47, new Uint8Array(187), 0x47, new Uint8Array(187), 0x47)],
  ['mpegts', 'video', bytesOf(be(0, 4), 0x47, new Uint8Array(191), 0x47, new Uint8Array(191), 0x47)],
  ['avi', 'video', bytesOf('RIFF\0\0\0\0AVI ')],
  ['mp3', 'audio', bytesOf('ID3\x04')],
  ['mp3', 'audio', bytesOf(0xff, 0xfb, 0x90)],
  ['aac', 'audio', bytesOf(0xff, 0xf1, 0x50)],
  ['wav', 'audio', bytesOf('RIFF\0\0\0\0WAVE')],
  ['flac', 'audio', bytesOf('fLaC\0')],
  ['aiff', 'audio', bytesOf('FORM\0\0\0\0AIFC')],
  ['caf', 'audio', bytesOf('caff\0\x01')],
  ['pdf', 'unknown', bytesOf('%PDF-1.7')],
  ['html', 'unknown', bytesOf('\n<!DOCTYPE html>')],
  ['unknown', 'unknown', bytesOf('hello')],
])('a file that begins like %s is of the kind %s', async (format, kind, bytes) => {
  expect(await factsOf(bytes)).toMatchObject({ format, kind, size: bytes.length });
});

test('inspectImage names its options where one is none', async () => {
  const loose = inspectImage as (source: unknown, options: object) => ReturnType<typeof inspectImage>;
  expect((await loose(new Uint8Array(), { maxbytes: 7 }))._unsafeUnwrapErr()).toMatchObject({
    name: 'ConfigurationError',
    option: 'maxbytes',
    message: 'maxbytes is not an option; the options are signal, maxBytes',
  });
});

test('inspectImage reads pictures like inspectMedia, and of videos the format', async () => {
  const picture = jpeg({ before: [exif(6)] });

  expect((await inspectImage(picture))._unsafeUnwrap()).toEqual(await factsOf(picture));
  expect((await inspectImage(fileOf('default.mp4')))._unsafeUnwrap()).toEqual({
    kind: 'video',
    format: 'mp4',
    size: 124_324,
    bytesRead: 1024,
    requests: 1,
  });
});
