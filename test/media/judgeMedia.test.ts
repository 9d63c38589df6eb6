import { describe, expect, test } from 'vitest';

import { ConfigurationError } from '../../src/core/errors.ts';
import {
  checkMedia,
  type ImageKind,
  judgeCarousel,
  judgeImage,
  judgeMedia,
  type MediaFacts,
  type MediaKind,
  mediaKinds,
  type MediaSeverity,
} from '../../src/media/index.ts';
import { knownOf, mediaRules } from '../../src/media/rules.ts';
import { isCI } from '../support/machine.ts';
import { fc } from '../support/property.ts';
import { factsOf, fileOf, jpeg } from './support.ts';

const imageKinds = mediaKinds.filter((kind): kind is ImageKind => /image|photo|cover|thumbnail/i.test(kind));

const reading = { bytesRead: 65_536, requests: 1 };

/** A picture without a fault. */
const picture: MediaFacts = {
  kind: 'image',
  format: 'jpeg',
  size: 500_000,
  width: 1080,
  height: 1350,
  stored: { width: 1080, height: 1350 },
  image: {
    process: 'baseline',
    components: 3,
    bitDepth: 8,
    orientation: 1,
    colour: 'srgb',
    isMultiPicture: false,
    hasGainMap: false,
    isAnimated: false,
  },
  ...reading,
};

/** The size of a file that is stored as it is shown. */
function sized(width: number, height: number): Pick<MediaFacts, 'width' | 'height' | 'stored'> {
  return { width, height, stored: { width, height } };
}

/** A video without a fault. */
const video: MediaFacts = {
  kind: 'video',
  format: 'mp4',
  size: 9_000_000,
  width: 1080,
  height: 1920,
  stored: { width: 1080, height: 1920 },
  rotation: 0,
  durationMs: 15_000,
  frameRate: { average: 30, isVariable: false },
  bitRate: 4_000_000,
  video: {
    codec: 'h264',
    entry: 'avc1',
    profile: 'High',
    chroma: '4:2:0',
    bitDepth: 8,
    scan: 'progressive',
    gop: 'closed',
  },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
  moov: 'front',
  editList: 'harmless',
  ...reading,
};

const clips = mediaKinds.filter((kind) => /reel|video/i.test(kind) && !kind.includes('message'));
const stream = (change: Partial<NonNullable<MediaFacts['video']>>): Partial<MediaFacts> => ({
  video: { codec: 'h264', entry: 'avc1', scan: 'progressive', gop: 'closed', ...change },
});
const sound = (change: Partial<NonNullable<MediaFacts['audio']>>): Partial<MediaFacts> => ({
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2, ...change },
});
const pixels = (change: Partial<NonNullable<MediaFacts['image']>>): Partial<MediaFacts> => ({
  image: { orientation: 1, isMultiPicture: false, hasGainMap: false, isAnimated: false, ...change },
});
const rate = (average: number): Partial<MediaFacts> => ({ frameRate: { average, isVariable: false } });

/** The file that a kind takes without a word, and what is changed of it. */
function changed(kind: MediaKind, change: Partial<MediaFacts>): MediaFacts {
  return { ...(clips.includes(kind) || kind.endsWith('Video') ? video : picture), ...change };
}

test('a file without a fault has no finding', () => {
  expect(
    ['page.reel', 'pics.reel', 'pics.storyVideo', 'page.videoStory'].flatMap((kind) =>
      judgeMedia(video, kind as MediaKind),
    ),
  ).toEqual([]);
  expect(
    [
      'pics.image',
      'pics.carouselImage',
      'page.photo',
      'page.thumbnail',
      'pics.messageImage',
      'page.messageImage',
    ].flatMap((kind) => judgeMedia(picture, kind as MediaKind)),
  ).toEqual([]);
});

const cases: readonly (readonly [kind: MediaKind, change: Partial<MediaFacts>, finding: string])[] = [
  ['pics.image', { format: 'webp' }, 'refused format webp'],
  ['pics.storyImage', { format: 'heic' }, 'refused format heic'],
  ['pics.cover', { format: 'mp4' }, 'refused format mp4'],
  ['pics.image', { format: 'png' }, 'risk format png'],
  ['pics.image', { size: 8_388_608 }, 'risk size 8.39 MB'],
  ['pics.image', { size: 8_388_609 }, 'refused size 8.39 MB'],
  ['pics.image', { width: 1200, height: 628 }, 'refused aspect_ratio 1.9108'],
  ['pics.image', { width: 1080, height: 1441 }, 'refused aspect_ratio 0.7495'],
  ['pics.image', { width: 1080, height: 1440 }, 'risk aspect_ratio 0.75'],
  ['pics.image', { width: 1080, height: 1351 }, 'risk aspect_ratio 0.7994'],
  ['pics.image', { width: 3000, height: 3000 }, 'changed resolution 3000 × 3000'],
  ['pics.image', { width: 300, height: 300 }, 'changed resolution 300 × 300'],
  ['pics.image', pixels({ colour: 'display_p3' }), 'changed colour display_p3'],
  ['pics.image', pixels({ colour: 'cmyk' }), 'risk colour cmyk'],
  ['pics.image', pixels({ process: 'arithmetic' }), 'risk process arithmetic'],
  ['pics.image', pixels({ process: 'extended', bitDepth: 12 }), 'risk process 12 bits'],
  ['pics.image', pixels({ isMultiPicture: true }), 'risk multi_picture several'],
  ['pics.storyImage', { width: 1920, height: 1080 }, 'changed aspect_ratio 1.7778'],
  ['pics.cover', { width: 1080, height: 1080 }, 'changed aspect_ratio 1'],
  ['pics.reel', { format: 'matroska' }, 'refused format matroska'],
  ['pics.reel', { format: 'jpeg' }, 'refused format jpeg'],
  ['pics.reel', { format: '3gp' }, 'risk format 3gp'],
  ['pics.reel', { size: 300_000_001 }, 'refused size 300 MB'],
  ['pics.storyVideo', { size: 100_000_001 }, 'refused size 100 MB'],
  ['pics.carouselVideo', { width: 1080, height: 1080, size: 100_000_001 }, 'risk size 100 MB'],
  ['pics.reel', { durationMs: 901_000 }, 'refused duration 901 s'],
  ['pics.reel', { durationMs: 2500 }, 'refused duration 2.5 s'],
  ['pics.storyVideo', { durationMs: 61_000 }, 'refused duration 61 s'],
  ['pics.carouselVideo', { width: 1080, height: 1080, durationMs: 61_000 }, 'risk duration 61 s'],
  ['pics.carouselVideo', { width: 1080, height: 1080, durationMs: 901_000 }, 'refused duration 901 s'],
  ['pics.carouselVideo', {}, 'risk aspect_ratio 0.5625'],
  ['pics.reel', rate(15), 'refused frame_rate 15 per second'],
  ['pics.reel', rate(120), 'refused frame_rate 120 per second'],
  ['pics.reel', { width: 1920, height: 1080 }, 'changed aspect_ratio 1.7778'],
  ['pics.reel', { width: 5, height: 1000 }, 'refused aspect_ratio 0.005'],
  ['pics.storyVideo', { width: 50, height: 1000 }, 'refused aspect_ratio 0.05'],
  ['pics.reel', { width: 2160, height: 3840 }, 'risk resolution 2160 × 3840'],
  ['pics.reel', stream({ codec: 'vp9' }), 'refused codec vp9'],
  ['pics.reel', stream({ otherCodecs: ['prores'] }), 'refused codec prores'],
  ['pics.reel', stream({ codec: 'dolby_vision' }), 'risk codec dolby_vision'],
  ['pics.reel', { isEncrypted: true }, 'refused encryption encrypted'],
  ['pics.reel', stream({ chroma: '4:4:4' }), 'risk chroma 4:4:4'],
  ['pics.reel', stream({ bitDepth: 10 }), 'risk bit_depth 10 bits'],
  ['pics.reel', stream({ bitDepth: 10, transfer: 'hlg' }), 'risk transfer hlg'],
  ['pics.reel', stream({ scan: 'maybe_interlaced' }), 'risk scan perhaps interlaced'],
  ['pics.reel', stream({ gop: 'open' }), 'risk gop open'],
  ['pics.reel', stream({ cleanAperture: { width: 1080, height: 1080 } }), 'risk clean_aperture 1080 × 1080'],
  ['pics.reel', { editList: 'hides', editMs: 1300 }, 'risk edit_list hides 1300 ms'],
  ['pics.reel', { ...rate(60), editList: 'delays', editMs: 34 }, 'risk edit_list delays 34 ms'],
  ['pics.reel', { editList: 'complex' }, 'risk edit_list several edits'],
  ['pics.reel', { moov: 'end' }, 'risk moov at the end'],
  ['pics.reel', { moov: 'fragmented' }, 'risk moov in parts'],
  ['pics.reel', { bitRate: 56_000_000 }, 'risk bit_rate 56 Mbit/s'],
  ['pics.reel', sound({ codec: 'opus' }), 'risk audio opus'],
  ['pics.reel', sound({ sampleRate: 96_000 }), 'risk audio 96000 Hz'],
  ['pics.reel', sound({ channels: 6 }), 'risk audio 6 channels'],
  ['page.photo', { format: 'mp4' }, 'refused format mp4'],
  ['page.photo', { format: 'webp' }, 'risk format webp'],
  ['page.photo', { size: 10_000_001 }, 'refused size 10 MB'],
  ['page.photo', { size: 4_000_001 }, 'risk size 4 MB'],
  ['page.photo', { format: 'png', size: 1_500_000 }, 'changed size 1.5 MB'],
  ['page.photo', { width: 4000, height: 3000 }, 'changed resolution 4000 × 3000'],
  ['page.photo', { format: 'gif', ...pixels({ isAnimated: true }) }, 'changed animation animated'],
  ['page.video', { format: 'jpeg' }, 'refused format jpeg'],
  ['page.video', { width: 1280, height: 720, format: 'webm' }, 'risk format webm'],
  ['page.video', { width: 1280, height: 720, durationMs: 1_300_000 }, 'risk duration 1300 s'],
  ['page.video', { width: 2000, height: 1000 }, 'risk aspect_ratio 2'],
  ['page.video', {}, 'risk aspect_ratio 0.5625'],
  [
    'pics.image',
    pixels({ digitalSource: 'trainedAlgorithmicMedia' }),
    'changed digital_source trainedAlgorithmicMedia',
  ],
  ['pics.reel', stream({ codec: 'hevc' }), 'risk codec hevc'],
  // What screens and encoders round is at risk.
  ['page.reel', sized(1366, 768), 'risk aspect_ratio 1.7786'],
  ['page.reel', sized(1080, 1921), 'risk aspect_ratio 0.5622'],
  ['page.reel', sized(720, 1281), 'risk aspect_ratio 0.5621'],
  ['page.reel', sized(1280, 712), 'refused aspect_ratio 1.7978'],
  ['page.reel', { format: 'avi' }, 'risk format avi'],
  ['page.reel', { size: 1_000_000_001 }, 'risk size 1000 MB'],
  ['page.reel', { width: 540, height: 1200 }, 'refused aspect_ratio 0.45'],
  ['page.reel', { width: 1920, height: 1080 }, 'risk aspect_ratio 1.7778'],
  ['page.reel', sized(360, 640), 'refused resolution 360 × 640'],
  // HandBrake's, which browsers show as 576 × 1024.
  ['page.reel', { ...sized(396, 704), stored: { width: 576, height: 704 } }, 'risk resolution 396 × 704'],
  ['page.reel', { ...sized(405, 720), stored: { width: 405, height: 900 } }, 'refused resolution 405 × 720'],
  ['page.videoStory', { width: 540, height: 900 }, 'risk resolution 540 × 900'],
  ['page.reel', { durationMs: 91_000 }, 'refused duration 91 s'],
  ['page.videoStory', { durationMs: 61_000 }, 'refused duration 61 s'],
  ['page.reel', rate(15), 'refused frame_rate 15 per second'],
  ['page.reel', rate(23.976), 'risk frame_rate 23.976 per second'],
  ['page.reel', stream({ codec: 'prores' }), 'risk codec prores'],
  ['page.thumbnail', { format: 'webp' }, 'risk format webp'],
  ['page.thumbnail', { size: 10_000_001 }, 'risk size 10 MB'],
  ['pics.messageImage', { format: 'webp' }, 'refused format webp'],
  ['pics.messageImage', { format: 'gif' }, 'risk format gif'],
  ['pics.messageImage', { size: 8_000_001 }, 'refused size 8 MB'],
  ['pics.messageVideo', { format: 'matroska' }, 'refused format matroska'],
  ['pics.messageVideo', { size: 25_000_001 }, 'refused size 25 MB'],
  ['pics.messageAudio', { format: 'mp3' }, 'refused format mp3'],
  ['pics.messageFile', { format: 'png' }, 'refused format png'],
  ['page.messageImage', { format: 'heic' }, 'risk format heic'],
  ['page.messageImage', { size: 8_000_001 }, 'risk size 8 MB'],
  ['page.messageImage', { size: 25_000_001 }, 'refused size 25 MB'],
  ['page.messageVideo', { format: 'matroska' }, 'risk format matroska'],
  ['page.messageAudio', { format: 'wav' }, 'risk format wav'],
  ['page.messageFile', { size: 25_000_001 }, 'refused size 25 MB'],
];

test.each(cases)('%s with %j: %s', (kind, change, finding) => {
  const findings = judgeMedia(changed(kind, change), kind);

  expect(findings.map(({ severity, property, found }) => `${severity} ${property} ${found}`)).toContain(
    finding,
  );
});

test.each([
  ['html', 'unknown', 'it is a page: take the file itself', undefined],
  // Nothing makes a picture of it.
  ['mp3', 'audio', undefined, undefined],
  ['pdf', 'unknown', undefined, undefined],
  ['mp4', 'video', 'publish it as a video', undefined],
  ['webp', 'image', 'save it as a JPEG', { format: 'jpeg' }],
  ['bmp', 'image', 'save it as a JPEG', { format: 'jpeg' }],
  // What neither sharp nor ffmpeg reads.
  [
    'heic',
    'image',
    'save it as a JPEG, such as heif-convert IN OUT.jpg && exiftool -Orientation= OUT.jpg',
    undefined,
  ],
] as const)('what mends %s as a picture is for its kind', (format, kind, remedy, fix) => {
  const [finding] = judgeMedia({ ...picture, format, kind }, 'pics.image');
  expect(finding?.property).toBe('format');
  expect(finding?.remedy).toBe(remedy);
  expect(finding?.fix).toEqual(fix);
});

test.each([
  ['webm', 'video', { format: 'mp4' }],
  ['3gp', 'video', { format: 'mp4' }],
  ['jpeg', 'image', { format: 'mp4' }],
  ['gif', 'image', { format: 'mp4' }],
  ['avif', 'image', 'publish it as a picture'],
  ['html', 'unknown', 'it is a page: take the file itself'],
  ['mp3', 'audio', undefined],
  ['pdf', 'unknown', undefined],
] as const)('what mends %s as a video is for it', (format, kind, mends) => {
  const [finding] = judgeMedia({ kind, format, size: 9, ...reading }, 'pics.reel');
  expect(finding?.property).toBe('format');
  if (typeof mends === 'object') expect(finding).toMatchObject({ fix: mends, remedy: 'save it as an MP4' });
  else expect([finding?.fix, finding?.remedy]).toEqual([undefined, mends]);
});

test('a fix is data, its words are made of it, and the numbers of its rule are there', () => {
  const found = cases.flatMap(([kind, change]) => judgeMedia(changed(kind, change), kind));
  expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  for (const finding of found) {
    if (finding.fix)
      expect([finding.property, finding.remedy]).toEqual([finding.property, expect.stringMatching(/./)]);
    // Whatever names a number as its end has it as one.
    if (/^(?:at most|[\d.]+ to) [\d.]+/.test(finding.rule) && finding.property !== 'items')
      expect([finding.rule, finding.limits?.most]).toEqual([finding.rule, expect.any(Number)]);
  }
  const only = (kind: MediaKind, change: Partial<MediaFacts>) => judgeMedia(changed(kind, change), kind)[0];
  expect(only('pics.reel', { durationMs: 901_000 })).toMatchObject({
    limits: { least: 3000, most: 900_000 },
    fix: { maxMs: 900_000 },
    remedy: 'keep the first 900 s',
  });
  expect(only('pics.reel', { durationMs: 2500 })).toMatchObject({ remedy: 'publish a longer video' });
  expect(only('pics.reel', { durationMs: 2500 })).not.toHaveProperty('fix');
  expect(only('pics.image', { size: 9_000_000 })).toMatchObject({ limits: { most: 8_388_608 } });
  expect(only('page.reel', rate(15))).toMatchObject({ limits: { least: 23, most: 60 } });
  expect(only('page.reel', sized(360, 640))).toMatchObject({ limits: { least: 540, longer: 960 } });
});

test('each rule is tried', () => {
  const found = new Set(
    cases.flatMap(([kind, change]) =>
      mediaRules.filter(
        ([, kinds, [, find]]) =>
          kinds.includes(kind) && typeof find(knownOf(changed(kind, change))) === 'string',
      ),
    ),
  );

  expect(
    mediaRules
      .filter((rule) => !found.has(rule))
      .map(([, [kind], [property, , rule]]) => [kind, property, rule]),
  ).toEqual([]);
});

test.each<[MediaKind, Partial<MediaFacts>]>([
  ['pics.image', { width: 1080, height: 566 }],
  ['pics.image', { width: 1200, height: 630 }],
  ['pics.image', { size: 8_000_000 }],
  ['pics.reel', { durationMs: 900_090 }],
  ['pics.reel', { durationMs: 2990 }],
  ['pics.reel', rate(23.976)],
  ['pics.reel', rate(60.02)],
  ['page.reel', rate(24)],
  // 607.5 pixels are 9:16.
  ['page.reel', { width: 608, height: 1080 }],
  ['pics.image', pixels({ process: 'progressive' })],
  ['pics.image', pixels({ hasGainMap: true })],
  ['pics.image', pixels({ orientation: 6 })],
  ['pics.reel', { editList: 'none' }],
  // Less than a frame.
  ['pics.reel', { editList: 'delays', editMs: 21 }],
  // By what the decoder of its sound needs first.
  ['pics.reel', { ...rate(60), editList: 'delays', editMs: 24 }],
  ['pics.reel', { editList: 'hides', editMs: 33 }],
  ['pics.image', pixels({ digitalSource: 'digitalCapture' })],
  // As exactly as it is known.
  ['page.reel', { frameRate: { average: 23.985, error: 0.016, isVariable: false } }],
  ['pics.reel', { frameRate: { average: 29.9, isVariable: true } }],
])('%s takes %j without a word', (kind, change) => {
  expect(judgeMedia(changed(kind, change), kind)).toEqual([]);
});

test('judgeImage says which kinds it knows', () => {
  // Not every caller has TypeScript.
  const judge = (): unknown => judgeImage(picture, 'pics.reel' as ImageKind);
  expect(judge).toThrow(ConfigurationError);
  for (const kind of imageKinds) expect(judge).toThrow(kind);
  expect(judge).not.toThrow(/reel|video/i);
});

test('judgeImage finds of pictures what judgeMedia does', () => {
  expect(imageKinds).toHaveLength(9);
  for (const [kind, change] of cases) {
    const image = imageKinds.find((each) => each === kind);
    const facts = changed(kind, change);
    if (image) expect(judgeImage(facts, image)).toEqual(judgeMedia(facts, kind));
  }
});

test('no sound is fine', () => {
  const { audio: _, ...silent } = video;

  expect(judgeMedia(silent, 'pics.reel')).toEqual([]);
});

describe('a finding says', () => {
  test('what is cut, in figures', () => {
    const [finding] = judgeMedia({ ...video, width: 1920, height: 1080 }, 'pics.storyVideo');

    expect(finding?.message).toBe(
      'aspect ratio: 1.7778, where 9:16 is asked for; it is shown at 9:16: the sides are cut: 1920 × 1080 shows 608 × 1080 of it, or with blank space around it',
    );
  });

  test('what mends it, in figures', () => {
    expect(judgeMedia({ ...picture, width: 2000, height: 1000 }, 'pics.image')[0]).toMatchObject({
      message: 'aspect ratio: 2, where 0.75 to 1.91 is taken',
      remedy: 'crop it to 1910 × 1000',
      code: '36003/2207009',
      source: 'IG User Media reference, 2026-10-04',
    });
    expect(judgeMedia({ ...video, size: 409e6, durationMs: 100_000 }, 'pics.reel')[0]?.remedy).toBe(
      'encode it again, with 300 MB',
    );
  });

  test('to what it is scaled', () => {
    expect(judgeMedia({ ...picture, width: 4320, height: 5400 }, 'pics.image')[0]?.message).toMatch(
      /it is scaled to 1440 × 1800$/,
    );
    expect(judgeMedia({ ...picture, width: 4000, height: 3000 }, 'page.photo')[0]?.message).toMatch(
      /it is scaled to 2048 × 1536$/,
    );
  });
});

describe('what is refused is not also', () => {
  const words = (facts: MediaFacts, kind: MediaKind): readonly string[] =>
    judgeMedia(facts, kind).map(({ severity, property }) => `${severity} ${property}`);

  test('judged otherwise, if its format is', () => {
    const other = { ...picture, format: 'webp', width: 3000, height: 600, size: 9_000_000 } as const;

    expect(words(other, 'pics.image')).toEqual(['refused format']);
    expect(words({ ...other, format: 'jpeg' }, 'pics.reel')).toEqual(['refused format']);
  });

  test('scaled or cropped, if its ratio is', () => {
    const wide = { ...picture, width: 3000, height: 600 };

    expect(words(wide, 'pics.carouselImage')).toEqual(['refused aspect_ratio']);
    expect(judgeCarousel([picture, wide])).toEqual([]);
    // Nor are others cropped to its ratio.
    expect(judgeCarousel([wide, picture])).toEqual([]);
    expect(words({ ...video, width: 5, height: 1000 }, 'pics.reel')).toEqual(['refused aspect_ratio']);
  });

  test('at risk: one finding a property', () => {
    expect(words({ ...picture, size: 11_000_000 }, 'page.photo')).toEqual(['refused size']);
    expect(words({ ...video, ...sized(360, 640) }, 'page.reel')).toEqual(['refused resolution']);
    expect(
      words(
        changed('pics.carouselVideo', { width: 1080, height: 1080, durationMs: 1e6 }),
        'pics.carouselVideo',
      ),
    ).toEqual(['refused duration']);
  });
});

describe('what the header does not tell', () => {
  test('is a finding of its own, if a rule needs it', () => {
    const { width: _, height: _h, ...unknown } = picture;

    expect(judgeMedia(unknown, 'pics.image')).toMatchObject([
      { property: 'resolution', severity: 'unknown', message: 'resolution: the header does not tell it' },
    ]);
  });

  test('is mended by another container only of a video: of a picture, that would be refused', () => {
    const { width: _, height: _h, ...unknown } = picture;
    const webm = judgeMedia({ ...reading, kind: 'video', format: 'webm', size: 9 }, 'page.video');

    expect(webm.map(({ property, severity, fix }) => [property, severity, fix])).toEqual([
      ['format', 'risk', { format: 'mp4' }],
      ['resolution', 'unknown', { format: 'mp4' }],
      ['duration', 'unknown', { format: 'mp4' }],
    ]);
    for (const kind of imageKinds)
      for (const { fix, remedy } of judgeMedia({ ...unknown, incomplete: 'it ends early' }, kind))
        expect([kind, fix, remedy]).toEqual([kind, undefined, undefined]);
  });

  test('has the reason of the reader', () => {
    const { width: _, height: _h, durationMs: _d, frameRate: _f, ...cut } = video;

    expect(
      judgeMedia({ ...cut, incomplete: 'it ends early' }, 'pics.reel').map(({ message }) => message),
    ).toEqual([
      'resolution: the header does not tell it; it ends early',
      'duration: the header does not tell it; it ends early',
      'frame rate: the header does not tell it; it ends early',
    ]);
  });

  test('is not asked of a file that is refused for its format', () => {
    const found = judgeMedia({ kind: 'video', format: 'matroska', size: 5, ...reading }, 'pics.reel');

    expect(found.map(({ severity }) => severity)).toEqual(['refused']);
  });

  test.each<[MediaKind, string[]]>([
    ['pics.messageVideo', []],
    ['page.messageVideo', ['format']],
    ['page.video', ['resolution', 'duration']],
    ['page.reel', ['format', 'resolution', 'duration', 'frame_rate']],
  ])('what no rule of %s asks for need not be known', (kind, properties) => {
    const found = judgeMedia({ kind: 'video', format: 'avi', size: 5000, ...reading }, kind);
    expect(found.map(({ property }) => property)).toEqual(properties);
    // Of an MP4, it will be.
    for (const { severity, fix } of found) if (severity === 'unknown') expect(fix).toEqual({ format: 'mp4' });
  });

  test.each(mediaKinds)('a file of no known format is unknown as %s', (kind) => {
    const found = judgeMedia({ kind: 'unknown', format: 'unknown', size: 5, ...reading }, kind);

    expect(found).toMatchObject([{ property: 'format', severity: 'unknown' }]);
  });

  test('as a kind that there is not, nothing is said to be fine', () => {
    expect(() => judgeMedia(video, 'pics.movie' as MediaKind)).toThrow('kind must be one of ');
  });
});

describe('nothing that common tools write by default is refused', () => {
  test.each([
    'default.mp4',
    'faststart.mp4',
    'rotated.mp4',
    'open.mp4',
    'handbrake.mp4',
    'cut.mp4',
    'half-fragmented.mp4',
  ])('%s', async (name) => {
    // The fixtures are small; the platform's least size is another matter.
    const facts = { ...(await factsOf(fileOf(name))), width: 1080, height: 1920, durationMs: 5000 };
    const refused = clips
      .flatMap((kind) => judgeMedia(facts, kind))
      .filter(({ severity }) => severity === 'refused');

    expect(refused).toEqual([]);
  });
});

test('of any facts, findings are texts, and nothing throws', () => {
  const anything = fc.record(
    {
      kind: fc.constantFrom('video', 'image', 'audio', 'unknown'),
      format: fc.constantFrom('mp4', 'mov', 'jpeg', 'png', 'gif', 'webp', 'matroska', 'pdf', 'unknown'),
      size: fc.nat(),
      width: fc.integer({ min: 1, max: 100_000 }),
      height: fc.integer({ min: 1, max: 100_000 }),
      durationMs: fc.nat(),
      bitRate: fc.nat(),
      frameRate: fc.record({
        average: fc.double({ noNaN: true, min: 0, max: 1000 }),
        isVariable: fc.boolean(),
      }),
      editList: fc.constantFrom('none', 'harmless', 'hides', 'delays', 'complex'),
      moov: fc.constantFrom('front', 'end', 'fragmented'),
      video: fc.constant(stream({ chroma: '4:4:4' }).video),
      image: fc.constant(picture.image),
    },
    { requiredKeys: ['kind', 'format', 'size'] },
  );
  fc.assert(
    fc.property(anything, fc.constantFrom(...mediaKinds), (facts, kind) => {
      for (const finding of judgeMedia({ ...(facts as MediaFacts), ...reading }, kind)) {
        const texts = [finding.found, finding.rule, finding.message, finding.source, finding.remedy ?? ''];
        expect(texts.join('\n')).not.toMatch(/undefined|NaN|Infinity/);
        const known: readonly MediaSeverity[] = ['refused', 'changed', 'risk', 'unknown'];
        expect(known).toContain(finding.severity);
      }
    }),
    { numRuns: isCI ? 1000 : 200 },
  );
});

describe('checkMedia', () => {
  test('reads and judges', async () => {
    const check = (await checkMedia(fileOf('from-rgb.mp4'), { kind: 'pics.reel' }))._unsafeUnwrap();

    expect(check).toMatchObject({ facts: { format: 'mp4' }, isAccepted: false });
    expect(check.findings.map(({ property, severity }) => [property, severity])).toEqual(
      [
        ['duration', 'refused'],
        ['moov', 'risk'],
        ['chroma', 'risk'],
      ].toSorted(([a = ''], [b = '']) => order.indexOf(a) - order.indexOf(b)),
    );
  });

  const order = mediaRules.map(([, , [property]]): string => property);

  test('accepts what has risks only', async () => {
    const check = (
      await checkMedia(jpeg({ width: 1080, height: 1440 }), { kind: 'pics.image' })
    )._unsafeUnwrap();

    expect(check.findings.map(({ severity }) => severity)).toEqual(['risk']);
    expect(check.isAccepted).toBe(true);
  });

  const broken = {
    get kind() {
      throw new Error('secret');
    },
  };

  test.each<[string, unknown, string]>([
    ['Kind', { Kind: 'pics.image' }, 'Kind is not an option: kind is'],
    ['maxbytes', { kind: 'pics.image', maxbytes: 7 }, 'maxbytes is not an option: maxBytes is'],
    ['sginal', { kind: 'pics.image', sginal: 7 }, 'sginal is not an option: signal is'],
    [
      'maxBytes',
      { kind: 'pics.image', maxBytes: '1' },
      'maxBytes must be a whole number from 65536 to 67108864',
    ],
    ['signal', { kind: 'pics.image', signal: 7 }, 'signal must be an AbortSignal'],
    ['options', 'pics.image', 'options must be an object'],
    ['options', [], 'options must be an object'],
    ['options', broken, 'options must be an object'],
  ])('%s is refused by its name, before the file is read', async (option, options, message) => {
    const failed = await checkMedia('./no-such-file', options as { kind: MediaKind });
    expect(failed._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option, message });
  });

  test('null counts as not given, and options of other functions are refused', async () => {
    const options = { kind: 'pics.image', signal: null, maxBytes: null } as const;
    // Not every caller has TypeScript.
    const checked = (more: object) =>
      checkMedia(jpeg(), { ...options, ...more } as unknown as { kind: MediaKind });
    expect((await checked({})).isOk()).toBe(true);
    expect((await checked({ picsUserId: null }))._unsafeUnwrapErr()).toMatchObject({
      option: 'picsUserId',
      message: 'picsUserId is not an option; the options are kind, signal, maxBytes',
    });
  });

  test.each([undefined, {}, { kind: 'reel' }])('with %j names the option', async (options) => {
    const failed = (await checkMedia(jpeg(), options as { kind: MediaKind }))._unsafeUnwrapErr();

    expect(failed).toMatchObject({ name: 'ConfigurationError', option: 'kind' });
    expect(failed.message).toMatch(/^kind must be one of pics\.image, /);
  });
});

describe('judgeCarousel', () => {
  const square = { ...picture, width: 1080, height: 1080 };

  test('says what is cut of which item', () => {
    expect(judgeCarousel([square, picture, video, square])).toMatchObject([
      {
        item: 1,
        property: 'aspect_ratio',
        severity: 'changed',
        message:
          'aspect ratio: item 2 is cropped to the ratio of the first, 1080 × 1080; top and bottom are cut: 1080 × 1350 shows 1080 × 1080 of it',
      },
      { item: 2, found: '1080 × 1920' },
    ]);
  });

  test('has nothing to say of items of one ratio', () => {
    expect(judgeCarousel([square, { ...square, width: 1440, height: 1440 }])).toEqual([]);
  });

  test.each([0, 1, 11])('of %i items is refused', (length) => {
    expect(judgeCarousel(Array.from({ length }, () => square))).toMatchObject([
      { property: 'items', severity: 'refused', code: '100/2207028' },
    ]);
  });

  test('passes over items whose size is not known', () => {
    const { width: _, height: _h, ...unknown } = square;

    expect(judgeCarousel([unknown, picture])).toEqual([]);
    expect(judgeCarousel([square, unknown])).toEqual([]);
  });
});
