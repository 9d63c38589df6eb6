// A job mends a file at once: by the facts that its arguments give, nothing is refused or at risk any more, but what it
// said that it leaves. What ffmpeg and sharp make of arguments stands here; mended.test.ts runs them.
import { expect, test } from 'vitest';

import {
  judgeMedia,
  type MediaFacts,
  type MediaFinding,
  type MediaJob,
  type MediaKind,
  mediaKinds,
  mend,
  type SharpStep,
} from '../../src/media/index.ts';
import { isCI } from '../support/machine.ts';
import { fc } from '../support/property.ts';

interface Picture {
  width: number;
  height: number;
  /** Width of a pixel for a height of 1. */
  aspect: number;
}

/** What the filters of ffmpeg make of a picture, as far as jobs have them. */
function filtered(chain: string, picture: Picture): { rate?: number; isToned: boolean } {
  let rate: number | undefined;
  let isToned = false;
  for (const filter of chain.split(',')) {
    const [, name = '', given = ''] = /^(\w+)=?(.*)$/.exec(filter) ?? [];
    const [w, h] = given.split(':').map(Number);
    if (given.startsWith('trunc'))
      [picture.width, picture.height] = [picture.width, picture.height].map((n) => n - (n % 2)) as [
        number,
        number,
      ];
    else if (name === 'crop') [picture.width, picture.height] = [w ?? NaN, h ?? NaN];
    else if (name === 'pad') {
      expect([picture.width <= Number(w), picture.height <= Number(h)]).toEqual([true, true]);
      [picture.width, picture.height] = [Number(w), Number(h)];
    } else if (given === 'iw*sar:ih') picture.width = Math.trunc(picture.width * picture.aspect);
    else if (name === 'scale' && /^\d/.test(given)) {
      const by = Math.min(Number(w) / picture.width, Number(h) / picture.height);
      const fit = (pixels: number): number => Math.floor((pixels * by + 1e-9) / 2) * 2;
      const size: readonly number[] = /increase/.test(given)
        ? [Math.round(picture.width * by), Math.round(picture.height * by)]
        : /decrease/.test(given)
          ? [fit(picture.width), fit(picture.height)]
          : [Number(w), Number(h)];
      picture.aspect *= Number(size[1]) / picture.height / (Number(size[0]) / picture.width);
      [picture.width, picture.height] = [Number(size[0]), Number(size[1])];
    } else if (name === 'setsar') picture.aspect = 1;
    else if (name === 'fps') rate = Number(given.replace(/:.*/, ''));
    else if (name === 'transpose') {
      [picture.width, picture.height] = [picture.height, picture.width];
    } else if (name === 'tonemap') isToned = true;
  }
  return { ...(rate !== undefined && { rate }), isToned };
}

function afterFfmpeg(args: readonly string[], facts: MediaFacts): MediaFacts {
  const valueOf = (name: string): string | undefined => args[args.indexOf(name) + 1];
  const given = (name: string): string | undefined => (args.includes(name) ? valueOf(name) : undefined);
  const {
    width = 0,
    height = 0,
    stored = { width, height },
    rotation = 0,
    video,
    audio,
    image,
    kind,
    format,
  } = facts;
  const isTurned = kind === 'image' ? format === 'jpeg' && (image?.orientation ?? 1) > 4 : rotation % 180 > 0;
  const picture: Picture = {
    width: isTurned ? stored.height : stored.width,
    height: isTurned ? stored.width : stored.height,
    aspect: 1,
  };
  const isNew = args.includes('libx264');
  const isStill = args.includes('image2');
  picture.aspect = kind === 'image' ? 1 : width / height / (picture.width / picture.height);
  const chain = given('-vf');
  const filters = chain === undefined ? undefined : filtered(chain, picture);
  if (isNew) {
    // The encoder takes no other.
    expect([picture.width % 2, picture.height % 2, picture.width > 0, picture.height > 0]).toEqual([
      0,
      0,
      true,
      true,
    ]);
  }
  if (isStill) {
    const { width, height } = picture;
    const image = { orientation: 1, isMultiPicture: false, hasGainMap: false, isAnimated: false } as const;
    const size = Math.min(facts.size, width * height * 1.25);
    return { ...facts, format: 'jpeg', size, width, height, stored: { width, height }, image };
  }
  const lasts = Number(given('-t') ?? Infinity) * 1000;
  const durationMs = Math.min(facts.durationMs ?? lasts, lasts);
  const rate = given('-maxrate');
  const bitRate =
    rate === undefined ? facts.bitRate : Math.min(Number.parseInt(rate) * 1000, facts.bitRate ?? Infinity);
  const buffer = Number.parseInt(given('-bufsize') ?? '0') * 1000;
  const sound = given('-b:a');
  const soundRate = sound === undefined ? 0 : Number.parseInt(sound) * 1000;
  const { image: _, ...file } = facts;
  const isCut = durationMs < (facts.durationMs ?? 0);
  const most = rate
    ? ((Number.parseInt(rate) * 1000 + soundRate) * durationMs) / 8000 + (buffer * 0.9) / 8
    : Infinity;
  return {
    ...file,
    kind: args.includes('-vn') ? 'audio' : 'video',
    format: args.includes('-vn') ? 'm4a' : 'mp4',
    size: Math.min(most, isCut ? (facts.size * durationMs) / (facts.durationMs ?? 1) : facts.size),
    durationMs,
    moov: 'front',
    editList: facts.editList !== undefined && !isNew ? facts.editList : 'harmless',
    ...(isNew && {
      width: Math.round(picture.width * picture.aspect),
      height: picture.height,
      stored: { width: picture.width, height: picture.height },
      rotation: 0,
      video: {
        codec: 'h264',
        entry: 'avc1',
        chroma: '4:2:0',
        bitDepth: 8,
        scan:
          video?.scan === 'maybe_interlaced' && !/bwdif/.test(chain ?? '')
            ? 'maybe_interlaced'
            : 'progressive',
        gop: 'closed',
        ...(video?.transfer && { transfer: filters?.isToned ? 'sdr' : video.transfer }),
      },
    }),
    ...(filters?.rate !== undefined && { frameRate: { average: filters.rate, isVariable: false } }),
    ...(bitRate !== undefined && { bitRate }),
    ...(args.includes('aac') &&
      audio && {
        audio: {
          codec: 'aac',
          sampleRate: Number(given('-ar') ?? audio.sampleRate),
          channels: Number(given('-ac') ?? audio.channels),
        },
      }),
  };
}

function afterSharp(steps: readonly SharpStep[], facts: MediaFacts): MediaFacts {
  const size = steps.find(([name]) => name === 'resize')?.[1] as
    | { width: number; height: number }
    | undefined;
  const { width = 0, height = 0 } = size ?? facts;
  const { isAnimated: _, ...image } = facts.image ?? {
    orientation: 1,
    isMultiPicture: false,
    hasGainMap: false,
  };
  return {
    ...facts,
    format: 'jpeg',
    width,
    height,
    stored: { width, height },
    size: Math.min(facts.size, width * height * 1.25),
    image: {
      ...image,
      orientation: 1,
      colour: 'srgb',
      process: 'progressive',
      bitDepth: 8,
      isMultiPicture: false,
      isAnimated: false,
    },
  };
}

function after(job: MediaJob, facts: MediaFacts): MediaFacts {
  if (job.tool === 'ffmpeg') return afterFfmpeg(job.args, facts);
  return job.tool === 'sharp' ? afterSharp(job.args, facts) : facts;
}

const near = (...values: readonly number[]) =>
  fc.tuple(fc.constantFrom(...values), fc.integer({ min: -3, max: 3 })).map(([value, by]) => value + by);
/** At the edges of rules, and anywhere. */
const side = fc.oneof(
  near(64, 320, 540, 608, 720, 960, 1080, 1366, 1440, 1920, 2048, 3840),
  fc.integer({ min: 16, max: 4096 }),
);
const size = fc
  .tuple(
    side,
    fc.option(
      fc.tuple(
        fc.constantFrom(0.1, 0.5625, 0.75, 0.8, 1.777_777_8, 1.91, 10),
        fc.integer({ min: -2, max: 2 }),
      ),
    ),
    side,
  )
  .map(([width, edge, other]) => ({
    width,
    height: Math.max(16, edge ? Math.round(width / edge[0]) + edge[1] : other),
  }));
const durationMs = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(3000, 60_000, 90_000, 600_020, 900_000, 1_200_000),
      fc.integer({ min: -150, max: 150 }),
    )
    .map(([value, by]) => value + by),
  fc.integer({ min: 100, max: 2_000_000 }),
);
const frameRate = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(
        1,
        10,
        12.5,
        15,
        22.77,
        22.9,
        23,
        23.976,
        24,
        25,
        29.97,
        30,
        48,
        50,
        59.94,
        60,
        60.02,
        60.6,
        60.61,
        61,
        119.88,
        120,
        240,
      ),
      fc.double({ min: 0.2, max: 300, noNaN: true }).map((rate) => Math.round(rate * 1000) / 1000),
    ),
    fc.constantFrom(undefined, 0.01, 0.2),
  )
  .map(([average, error]) => ({
    average,
    isVariable: false,
    ...(error && { error: Math.min(error, average / 100) }),
  }));

const pixels = fc.constantFrom([1, 1], [4, 3], [16, 11], [9, 16], [64, 45]);
const bytes = fc.oneof(
  near(25_000_000, 100_000_000, 300_000_000, 1_000_000_000),
  fc.integer({ min: 1000, max: 2_000_000_000 }),
);

const video: fc.Arbitrary<MediaFacts> = fc
  .record({
    format: fc.constantFrom('mp4', 'mov', '3gp'),
    size: bytes,
    shown: size,
    pixels,
    rotation: fc.constantFrom(0, 90, 180, 270),
    durationMs,
    frameRate,
    codec: fc.constantFrom('h264', 'hevc', 'vp9', 'av1', 'mpeg4', 'prores'),
    chroma: fc.constantFrom('4:2:0', '4:2:2', '4:4:4'),
    bitDepth: fc.constantFrom(8, 10),
    scan: fc.constantFrom('progressive', 'maybe_interlaced'),
    gop: fc.constantFrom('closed', 'open'),
    transfer: fc.constantFrom(undefined, 'sdr', 'pq', 'hlg'),
    audio: fc.constantFrom(
      undefined,
      { codec: 'aac', sampleRate: 96_000, channels: 6 },
      { codec: 'aac', sampleRate: 44_100, channels: 1 },
      { codec: 'opus', sampleRate: 48_000, channels: 2 },
    ),
    moov: fc.constantFrom('front', 'end', 'fragmented'),
    editList: fc.constantFrom('none', 'harmless', 'hides', 'delays', 'complex'),
    isCut: fc.boolean(),
  })
  .map(
    ({
      shown,
      pixels: [x = 1, y = 1],
      rotation,
      size,
      durationMs,
      codec,
      chroma,
      bitDepth,
      scan,
      gop,
      transfer,
      audio,
      isCut,
      ...more
    }) => {
      const isTurned = rotation % 180 > 0;
      const [width, height] = isTurned ? [shown.height, shown.width] : [shown.width, shown.height];
      // What is stored has the height that is shown before it is turned.
      const stored = { width: Math.max(16, Math.round((width * y) / x)), height };
      return {
        ...more,
        kind: 'video',
        size,
        ...shown,
        stored,
        rotation,
        durationMs,
        bitRate: Math.round((size * 8000) / durationMs),
        editMs: 500,
        video: {
          codec,
          entry: codec,
          chroma,
          bitDepth,
          scan,
          gop,
          ...(transfer && { transfer }),
          ...(isCut &&
            stored.width > 40 && { cleanAperture: { width: stored.width - 8, height: stored.height } }),
        },
        ...(audio && { audio }),
        bytesRead: 1,
        requests: 1,
      } as MediaFacts;
    },
  );

const image: fc.Arbitrary<MediaFacts> = fc
  .record({
    format: fc.constantFrom('jpeg', 'png', 'gif', 'webp', 'tiff', 'bmp'),
    size: fc.oneof(
      near(1_000_000, 4_000_000, 8_000_000, 8_388_608, 10_000_000, 25_000_000),
      fc.integer({ min: 1000, max: 40_000_000 }),
    ),
    shown: size,
    orientation: fc.constantFrom(1, 3, 6, 8),
    colour: fc.constantFrom('srgb', 'display_p3', 'cmyk', undefined),
    process: fc.constantFrom('baseline', 'progressive', 'arithmetic'),
    isMultiPicture: fc.boolean(),
  })
  .map(
    ({ shown, format, size, orientation, colour, process, isMultiPicture }) =>
      ({
        kind: 'image',
        format,
        size,
        ...shown,
        stored: orientation > 4 ? { width: shown.height, height: shown.width } : shown,
        image: {
          orientation,
          isMultiPicture,
          hasGainMap: false,
          isAnimated: false,
          ...(colour && { colour }),
          ...(format === 'jpeg' && { process }),
        },
        bytesRead: 1,
        requests: 1,
      }) as MediaFacts,
  );

/** Findings that say that a file may not be published as it is. */
const isBad = ({ severity }: MediaFinding): boolean => severity !== 'changed';
const named = ({ severity, property }: MediaFinding): string => `${severity} ${property}`;

const kinds: readonly MediaKind[] = mediaKinds.filter((kind) => !/Audio|File/.test(kind));
test.each(kinds)('as %s: a job leaves nothing but what it says', (kind) => {
  const isPicture = /image|photo|cover|thumbnail/i.test(kind);
  const any = isPicture ? image : fc.oneof({ weight: 4, arbitrary: video }, image);
  fc.assert(
    fc.property(any, fc.boolean(), (facts, changes) => {
      const job = mend({ kind, facts, findings: judgeMedia(facts, kind) }, { changes });
      const mended = after(job, facts);
      const found = judgeMedia(mended, kind);
      const told = job.left.filter(isBad).map(named);
      const left = found.filter(isBad).map(named);
      const untold = left.filter((name) => !told.includes(name));
      // A pixel less may make a picture that was portrait a square one.
      const gone = told.filter((name) => !left.includes(name) && name !== 'risk aspect_ratio');
      const unchanged = changes ? found.filter(({ fix }) => fix).map(named) : [];
      expect({ untold, gone, unchanged, job, mended }).toEqual({
        untold: [],
        gone: [],
        unchanged: [],
        job,
        mended,
      });
    }),
    { numRuns: isCI ? 200 : 20 },
  );
});
