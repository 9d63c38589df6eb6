import { describe, expect, test } from 'vitest';

import {
  checkMedia,
  judgeMedia,
  type MediaFacts,
  type MediaKind,
  mediaKinds,
  mend,
} from '../../src/media/index.ts';
import { isCI } from '../support/machine.ts';
import { fc } from '../support/property.ts';
import { fileOf, jpeg } from './support.ts';

const clip: MediaFacts = {
  kind: 'video',
  format: 'mp4',
  size: 1_700_000,
  width: 1080,
  height: 1920,
  stored: { width: 1080, height: 1920 },
  rotation: 0,
  durationMs: 12_000,
  frameRate: { average: 30, isVariable: false },
  bitRate: 1_000_000,
  video: { codec: 'h264', entry: 'avc1', chroma: '4:2:0', bitDepth: 8, scan: 'progressive', gop: 'closed' },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
  moov: 'front',
  editList: 'harmless',
  bytesRead: 1,
  requests: 1,
};

const photo: MediaFacts = {
  kind: 'image',
  format: 'jpeg',
  size: 500_000,
  width: 1080,
  height: 1080,
  stored: { width: 1080, height: 1080 },
  image: { orientation: 1, isMultiPicture: false, hasGainMap: false, isAnimated: false },
  bytesRead: 1,
  requests: 1,
};

/** The job for a file that is a good one but for this. */
function jobOf(kind: MediaKind, change: Partial<MediaFacts>, options?: Parameters<typeof mend>[1]) {
  const facts = { ...(change.kind === 'image' || /image|photo|cover/i.test(kind) ? photo : clip), ...change };
  return mend({ kind, facts, findings: judgeMedia(facts, kind) }, options);
}

function size(width: number, height: number): Partial<MediaFacts> {
  return { width, height, stored: { width, height } };
}

const stream = (change: object): Partial<MediaFacts> => ({
  video: { codec: 'h264', entry: 'avc1', scan: 'progressive', gop: 'closed', ...change },
});

describe('a job of ffmpeg', () => {
  test('moves the index without encoding anything', () => {
    expect(jobOf('pics.reel', { moov: 'end' })).toEqual({
      tool: 'ffmpeg',
      args: ['-c:v', 'copy', '-c:a', 'copy', '-movflags', '+faststart', '-f', 'mp4'],
      left: [],
    });
  });

  test.each<Partial<MediaFacts>>([{ moov: 'fragmented' }, { format: 'matroska' }, { format: 'mpegts' }])(
    'copies %j so that picture and sound begin when they did',
    (change) => {
      for (const editList of ['none', 'delays', 'harmless'] as const) {
        const { args } = jobOf('pics.reel', { ...change, editList });
        expect(args.slice(0, 4)).toEqual(['-c:v', 'copy', '-c:a', 'copy']);
        expect([editList, args.join(' ').includes('-use_editlist')]).toEqual([
          editList,
          editList !== 'harmless',
        ]);
      }
      expect(jobOf('page.reel', change).args).not.toContain('libx264');
    },
  );

  test.each([
    [0, 'crop=640:360:0:8'],
    [90, 'crop=360:640:0:0'],
    [180, 'crop=640:360:0:0'],
    [270, 'crop=360:640:8:0'],
  ] as const)('crops a part where it lies in a picture turned by %d', (rotation, filter) => {
    const cleanAperture = { width: 640, height: 360, left: 0, top: 8 };
    const turned = rotation % 180 ? { width: 368, height: 640 } : { width: 640, height: 368 };
    const stored = { width: 640, height: 368 };
    const { args } = jobOf('pics.reel', { ...stream({ cleanAperture }), ...turned, stored, rotation });
    expect(args[1]).toBe(`${filter},format=yuv420p`);
  });

  test('of a part in the middle, leaves the place to ffmpeg', () => {
    const cleanAperture = { width: 1080, height: 1080 };
    expect(jobOf('pics.reel', stream({ cleanAperture })).args[1]).toBe('crop=1080:1080,format=yuv420p');
  });

  test('lets the first frame have its bits where the others have none', () => {
    const { args } = jobOf('pics.reel', { ...stream({ chroma: '4:4:4' }), bitRate: 10_000 });
    expect(args.join(' ')).toContain('-maxrate 11k -bufsize 311k');
  });

  test('encodes the sound alone where only that is wrong', () => {
    const { args } = jobOf('pics.reel', { audio: { codec: 'opus', sampleRate: 96_000, channels: 6 } });
    expect(args.join(' ')).toMatch(
      /^-c:v copy -c:a aac -b:a 1?\d\dk -ar 48000 -ac 2 -movflags \+faststart -f mp4$/,
    );
  });

  test('keeps the beginning without encoding it', () => {
    expect(jobOf('page.reel', { durationMs: 200_000 }).args.join(' ')).toBe(
      '-c:v copy -c:a copy -t 90 -movflags +faststart -f mp4',
    );
  });

  test('has one -vf, whose filters stand in an order that holds', () => {
    const all: Partial<MediaFacts> = {
      ...size(1280, 720),
      stored: { width: 960, height: 720 },
      frameRate: { average: 15, isVariable: false },
      durationMs: 200_000,
      ...stream({ scan: 'maybe_interlaced', chroma: '4:2:2', transfer: 'pq' }),
      audio: { codec: 'pcm' },
    };
    const { args } = jobOf('page.reel', all);
    expect(args.filter((each) => each === '-vf')).toHaveLength(1);
    expect(args[1]).toBe(
      'bwdif=mode=send_frame,scale=1280:720,setsar=1,' +
        'scale=1080:1920:force_original_aspect_ratio=decrease:force_divisible_by=2,pad=1080:1920:-1:-1,setsar=1,' +
        'fps=30,zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,' +
        'zscale=t=bt709:m=bt709:r=tv,format=yuv420p',
    );
    expect(args.slice(2).join(' ')).toMatch(
      /^-c:v libx264 -crf 20 -maxrate \d+k -bufsize \d+k .*-c:a aac .*-t 90 -movflags \+faststart -f mp4$/,
    );
  });

  test.each<[MediaKind, Partial<MediaFacts>, string]>([
    // Half of all sizes below 540 x 960 have a width that rounds away from 9:16.
    ['page.reel', size(480, 854), 'scale=540:960'],
    ['page.reel', size(406, 720), 'scale=540:960'],
    ['page.reel', size(506, 900), 'scale=540:960'],
    ['page.reel', size(360, 640), 'scale=540:960'],
    ['page.reel', size(270, 480), 'scale=540:960'],
    // As large as is taken.
    ['pics.reel', size(3840, 2160), 'scale=1920:1080'],
    ['pics.reel', size(2160, 3840), 'scale=1080:1920'],
    ['pics.reel', size(4096, 2160), 'scale=1920:1012'],
    // What is nearly right loses a row.
    ['page.reel', size(1080, 1921), 'crop=1080:1920'],
    // Of one less, 9:16 would be missed.
    ['page.reel', { ...size(1197, 2128), ...stream({ chroma: '4:4:4' }) }, 'scale=1206:2144'],
    // Their rounded sides would be out of what is taken.
    ['pics.carouselVideo', size(1853, 4000), 'crop=1852:2314'],
    ['pics.reel', size(2051, 204), 'scale=1920:192'],
    ['page.reel', size(1366, 768), 'scale=1080:1920:force_original_aspect_ratio=decrease'],
    // No larger than it is worth.
    ['page.reel', size(640, 360), 'pad=648:1152:'],
    ['pics.carouselVideo', size(1080, 1920), 'crop=1080:1350'],
    ['pics.reel', { ...size(1081, 1921), ...stream({ chroma: '4:4:4' }) }, 'crop=1080:1920'],
    // Square pixels, of the size that is shown, which is even.
    [
      'pics.messageVideo',
      { ...size(922, 960), stored: { width: 648, height: 960 }, size: 30_000_000 },
      'scale=922:960',
    ],
    [
      'pics.reel',
      {
        ...size(720, 1280),
        stored: { width: 720, height: 720 },
        rotation: 90,
        ...stream({ chroma: '4:4:4' }),
      },
      'scale=720:1280',
    ],
    // What is left of it is too small, and is made larger.
    [
      'page.reel',
      { ...size(542, 964), ...stream({ cleanAperture: { width: 506, height: 900 } }) },
      'crop=506:900,scale=540:960',
    ],
  ])('%s of %j: %s', (kind, change, filter) => {
    expect(jobOf(kind, change).args[1]).toContain(filter);
  });

  test.each<[MediaKind, number, string]>([
    ['pics.reel', 15, 'fps=30'],
    ['pics.reel', 12.5, 'fps=25'],
    ['pics.reel', 10, 'fps=30'],
    ['pics.reel', 120, 'fps=60'],
    ['pics.reel', 100, 'fps=50'],
    ['page.reel', 23.976, 'fps=24'],
  ])('%s of %d frames a second gets %s', (kind, average, filter) => {
    expect(jobOf(kind, { frameRate: { average, isVariable: false } }).args[1]).toContain(`${filter},`);
  });

  test('has no more bits than the file had, the limit of bytes and that of the rate allow', () => {
    const rateIn = (args: readonly unknown[]): number => Number(/-maxrate (\d+)k/.exec(args.join(' '))?.[1]);
    expect(rateIn(jobOf('pics.reel', stream({ chroma: '4:4:4' })).args)).toBe(1150);
    expect(rateIn(jobOf('pics.reel', { bitRate: 56_000_000 }).args)).toBe(20_652);
    const large = { size: 409e6, durationMs: 900_000, bitRate: 3_500_000 };
    expect(rateIn(jobOf('pics.reel', large).args) * 900 * 125).toBeLessThan(300e6 * 0.96);
  });

  test('of a container that is not read keeps what keeps to the rules, and makes the rest keep to them', () => {
    const {
      width: _,
      height: _h,
      stored: _s,
      durationMs: _d,
      frameRate: _f,
      bitRate: _b,
      video: _v,
      audio: _a,
      ...bare
    } = clip;
    const job = (kind: MediaKind) => {
      const facts: MediaFacts = { ...bare, format: 'webm' };
      return mend({ kind, facts, findings: judgeMedia(facts, kind) });
    };
    expect(job('page.reel').args.join(' ')).toMatch(
      /scale='18\*max\(30,min\(60,.*pad='18\*ceil.*fps='max\(24,min\(60,source_fps\)\)'.* -t 90 -sn -dn /,
    );
    expect(job('pics.reel').args.join(' ')).toMatch(/'min\(1920,iw\)'.*-t 900 /);
    expect(job('page.reel').left).toEqual([]);
    // Of what it holds, only what is taken anyhow is known to be so.
    const { args } = job('pics.carouselVideo');
    expect(args.join(' ')).toMatch(/ -af aformat=sample_rates=48000\|\S*:channel_layouts=mono\|stereo /);
    expect(args.join(' ')).toContain('-c:a aac -b:a 128k');
    // It is an MP4 afterwards, of which all is known, also where its container is taken.
    const taken: MediaFacts = { ...bare, format: 'matroska' };
    const { args: known, left } = mend({
      kind: 'page.video',
      facts: taken,
      findings: judgeMedia(taken, 'page.video'),
    });
    expect([known.slice(-2), left]).toEqual([['-f', 'mp4'], []]);
  });

  test.each([
    ['png', 6, 'transpose=clock:passthrough=portrait'],
    ['tiff', 8, 'transpose=cclock:passthrough=portrait'],
    ['webp', 3, 'hflip,vflip'],
  ] as const)('makes a video of a %s that is turned by its EXIF, %i', (format, orientation, filters) => {
    const image = { orientation, isMultiPicture: false, hasGainMap: false, isAnimated: false };
    const { tool, args } = jobOf('pics.reel', { ...photo, ...size(1080, 1920), format, image });
    expect(tool).toBe('ffmpeg');
    expect(args[1]).toContain(filters);
    expect(args[1]).toContain('negate,premultiply=inplace=1,negate');
    expect(args.join(' ')).toContain('-t 5');
  });
});

test.each(['pq', 'hlg'])(
  'high dynamic range, %s, becomes standard wherever the picture is encoded',
  (transfer) => {
    const phone = stream({ codec: 'hevc', entry: 'hvc1', bitDepth: 10, transfer });
    expect(jobOf('pics.carouselVideo', { ...phone, ...size(1080, 1920) }).args[1]).toContain('tonemap=hable');
    expect(jobOf('pics.messageVideo', { ...phone, size: 60_000_000 }).args[1]).toContain('tonemap=hable');
    // What is copied stays as it is.
    expect(
      jobOf('page.video', { ...phone, ...size(1920, 1080), audio: { codec: 'opus' } }).args.slice(0, 2),
    ).toEqual(['-c:v', 'copy']);
  },
);

describe('a file with too many bytes', () => {
  /** The kilobits that follow these arguments. */
  function ratesOf(kind: MediaKind, change: Partial<MediaFacts>, names: readonly string[]): number[] {
    const line = jobOf(kind, change).args.join(' ');
    return names.map((name) => Number(new RegExp(`${name} (\\d+)k`).exec(line)?.[1]));
  }

  test.each([
    ['pics.messageAudio', 'wav'],
    ['pics.messageAudio', 'm4a'],
    ['pics.messageAudio', 'aac'],
    ['page.messageAudio', 'mp3'],
    ['page.messageAudio', 'amr'],
    ['page.messageAudio', 'wav'],
  ] as const)('for %s, a %s, is encoded with fewer bits', (kind, format) => {
    const facts: MediaFacts = { kind: 'audio', format, size: 40_000_000, bytesRead: 1, requests: 1 };
    expect(mend({ kind, facts, findings: judgeMedia(facts, kind) })).toEqual({
      tool: 'ffmpeg',
      args: ['-vn', '-c:a', 'aac', '-b:a', '64k', '-f', 'mp4'],
      left: [],
    });
  });

  test.each([5, 60, 600, 1500, 4000])('for a message, of %i seconds, leaves room for its sound', (lasts) => {
    const large = { size: 60_000_000, durationMs: lasts * 1000, bitRate: 40_000_000 / lasts };
    for (const kind of ['pics.messageVideo', 'page.messageVideo'] as const) {
      // Its own sound has 55 MB.
      const [most = 0, buffer = 0, sound = 0] = ratesOf(kind, large, ['-maxrate', '-bufsize', '-b:a']);
      expect(((most + sound) * lasts + buffer) / 8).toBeLessThan(25_000);
      expect(Math.min(most, sound)).toBeGreaterThan(10);
    }
    const [sound = 0] = ratesOf('page.messageAudio', large, ['-b:a']);
    expect((sound * lasts) / 8).toBeLessThan(25_000);
  });
});

describe('an animation', () => {
  const image = { orientation: 1, isMultiPicture: false, hasGainMap: false, isAnimated: true } as const;
  const gif = { ...photo, ...size(180, 320), format: 'gif', image } as const;

  test('is shown at a rate that is taken, and no longer than is', () => {
    const { args } = jobOf('page.reel', gif);
    expect(args[1]).toContain("fps='max(24,min(60,source_fps))'");
    expect(args.join(' ')).toContain('-t 90 ');
  });

  test('has a rate in which its times fit, whatever is asked for', () => {
    expect(jobOf('pics.messageVideo', gif).args[1]).toContain("fps='max(24,min(60,source_fps))'");
  });

  test('goes through no filter that joins inputs, since those end with the last picture', () => {
    expect(jobOf('pics.reel', gif).args[1]).not.toContain('overlay');
  });

  test('whose length is not known becomes a video where it is asked for', () => {
    const { tool, left } = jobOf('page.video', { ...gif, ...size(320, 180) });
    expect([tool, left]).toEqual(['ffmpeg', []]);
  });
});

describe('a job of sharp', () => {
  test('turns, crops, and paints white what is transparent', () => {
    expect(jobOf('pics.image', { format: 'webp', ...size(2000, 1000) })).toEqual({
      tool: 'sharp',
      args: [
        ['rotate'],
        ['resize', { width: 1910, height: 1000, fit: 'cover' }],
        ['flatten', { background: '#ffffff' }],
        ['toColourspace', 'srgb'],
        ['jpeg', { quality: 85, mozjpeg: true }],
      ],
      left: [],
    });
  });

  test('makes a large picture so small that even noise fits', () => {
    const { args } = jobOf('page.photo', { format: 'png', size: 11_500_000, ...size(1700, 1700) });
    expect(args).toContainEqual(['flatten', { background: '#ffffff' }]);
    const { args: huge } = jobOf('pics.image', { size: 20_000_000, ...size(8000, 8000) });
    expect(huge).toContainEqual(['resize', { width: 2048, height: 2048, fit: 'cover' }]);
  });

  test('is one of ffmpeg for what sharp does not read', () => {
    expect(jobOf('pics.image', { format: 'bmp' })).toMatchObject({
      tool: 'ffmpeg',
      // Some are transparent.
      args: [
        '-vf',
        'format=gbrap,negate,premultiply=inplace=1,negate',
        ...'-frames:v 1 -update 1 -q:v 3 -f image2'.split(' '),
      ],
    });
  });
});

describe('what is left', () => {
  test('is what nothing mends, each with words for a person', () => {
    expect(jobOf('pics.reel', { durationMs: 2000, moov: 'end' })).toMatchObject({
      tool: 'ffmpeg',
      left: [{ property: 'duration', severity: 'refused', remedy: 'publish a longer video' }],
    });
    expect(jobOf('pics.messageFile', { ...photo, format: 'png' })).toMatchObject({
      args: [],
      left: [{ property: 'format' }],
    });
    expect(jobOf('pics.reel', {})).toEqual({ args: [], left: [] });
  });

  test('is what the platform changes by itself, unless that is asked for', () => {
    const wide = size(1280, 720);
    expect(jobOf('pics.reel', wide)).toMatchObject({
      args: [],
      left: [{ severity: 'changed', property: 'aspect_ratio' }],
    });
    const { tool, args, left } = jobOf('pics.reel', wide, { changes: true });
    expect([tool, args[1], left]).toEqual(['ffmpeg', expect.stringContaining('pad=1080:1920:-1:-1'), []]);
    expect(jobOf('pics.storyImage', size(1920, 1080), { changes: true }).args).toContainEqual([
      'resize',
      { width: 1080, height: 1920, fit: 'contain', background: '#000000' },
    ]);
  });

  test('has what a new format shows of a file that was refused for the old one', () => {
    expect(jobOf('pics.reel', { format: 'matroska', durationMs: 1000 }).left).toMatchObject([
      { property: 'duration' },
    ]);
  });

  test('has both of two findings by one rule', () => {
    const tall = judgeMedia(clip, 'page.video');
    const twice = [...tall, ...tall.map((one) => ({ ...one, found: 'another' }))];
    expect(twice).toHaveLength(2);
    expect(mend({ kind: 'page.video', facts: clip, findings: twice }).left).toEqual(twice);
  });

  test('is all of it where there are no facts', () => {
    const findings = judgeMedia(photo, 'pics.reel');
    expect(mend({ kind: 'pics.reel', findings })).toEqual({ args: [], left: findings });
  });
});

test('the result of checkMedia is a report', async () => {
  const check = (await checkMedia(fileOf('default.mp4'), { kind: 'pics.reel' }))._unsafeUnwrap();
  expect(mend(check)).toMatchObject({ tool: 'ffmpeg', args: expect.arrayContaining(['copy', '+faststart']) });
  const still = (
    await checkMedia(jpeg({ width: 2000, height: 1000 }), { kind: 'pics.image' })
  )._unsafeUnwrap();
  expect(mend(still)).toMatchObject({ tool: 'sharp' });
});

test('of any facts, a job is plain data: one -vf, no number that is none, sides that are even', () => {
  const anything = fc.record(
    {
      kind: fc.constantFrom('video', 'image', 'audio', 'unknown'),
      format: fc.constantFrom(
        'mp4',
        'mov',
        'jpeg',
        'png',
        'gif',
        'bmp',
        'matroska',
        'webm',
        'mp3',
        'pdf',
        'unknown',
      ),
      size: fc.nat(),
      width: fc.integer({ min: 1, max: 10_000 }),
      height: fc.integer({ min: 1, max: 10_000 }),
      stored: fc.record({
        width: fc.integer({ min: 1, max: 10_000 }),
        height: fc.integer({ min: 1, max: 10_000 }),
      }),
      durationMs: fc.nat(),
      bitRate: fc.nat(),
      frameRate: fc.record({
        average: fc.double({ noNaN: true, min: 0.1, max: 1000 }),
        isVariable: fc.boolean(),
      }),
      video: fc.constantFrom(clip.video, stream({ chroma: '4:4:4', scan: 'maybe_interlaced' }).video),
      audio: fc.constantFrom(clip.audio, { codec: 'opus' }),
      image: fc.constantFrom(photo.image),
    },
    { requiredKeys: ['kind', 'format', 'size'] },
  );
  fc.assert(
    fc.property(anything, fc.constantFrom(...mediaKinds), fc.boolean(), (some, kind, changes) => {
      const facts = { ...some, bytesRead: 1, requests: 1 } as MediaFacts;
      const job = mend({ kind, facts, findings: judgeMedia(facts, kind) }, { changes });
      const text = JSON.stringify(job);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(job)));
      expect(text).not.toMatch(/NaN|Infinity|undefined|null/);
      if (job.tool !== 'ffmpeg') return;
      expect(job.args.filter((each) => each === '-vf').length).toBeLessThan(2);
      for (const [, width, height] of job.args.join(' ').matchAll(/(?:pad|crop)=(\d+):(\d+)/g))
        if (job.args.includes('libx264')) expect([Number(width) % 2, Number(height) % 2]).toEqual([0, 0]);
    }),
    { numRuns: isCI ? 1000 : 200 },
  );
});
