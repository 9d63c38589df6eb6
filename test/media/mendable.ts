// Files that people have, of the tools that made them: each has something that `check --mend` mends. They are made when
// they are needed, by ffmpeg and sharp.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import sharp, { type Sharp } from 'sharp';

import type { MediaKind } from '../../src/media/index.ts';

const execute = promisify(execFile);

/** Runs ffmpeg, or what comes with it. */
export async function runs(program: 'ffmpeg' | 'ffprobe', args: readonly string[]): Promise<Buffer> {
  const quiet =
    program === 'ffmpeg' ? ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'] : ['-v', 'error'];
  const { stdout } = await execute(program, [...quiet, ...args], { encoding: 'buffer', maxBuffer: 2 ** 28 });
  return stdout;
}

/** A file that is to be mended for a kind, and what is expected of the one that comes out. */
export interface Mendable {
  /** With the extension of its format. */
  readonly name: string;
  readonly kind: MediaKind;
  readonly make: (folder: string) => Promise<unknown>;
  /** The ratio that is shown: of the file, or what is left of it. */
  readonly shows: number;
  /** Where that is another one than that of its picture, it is cropped to it, or has bars. */
  readonly picture?: number;
  readonly fit?: 'crop' | 'pad';
  readonly hasSound?: boolean;
  /** How many seconds after its picture its sound may begin: nothing is decoded of the first frame of some. */
  readonly soundLate?: number;
  /** In seconds, from and to; a picture that becomes a video lasts five. */
  readonly lasts?: readonly [number, number];
  /** More bytes are asked for: more pixels or pictures, another codec, a JPEG in place of what is smaller. */
  readonly grows?: boolean;
  /** Colours are mapped, so only the strongest part of each is looked at. */
  readonly isMapped?: boolean;
  /** By how much each part of a colour may differ, by default by 45. */
  readonly tolerance?: number;
  /** Tried by `npm run test:all`; by that of CI only where other such files have the same remedies. */
  readonly isUsual?: boolean | 'in CI';
}

/** A quarter of each colour: red, green, blue and yellow, in the order of reading. */
export const quarters = [
  [192, 32, 32],
  [32, 160, 64],
  [32, 64, 192],
  [224, 208, 64],
] as const;
const hex = quarters.map((rgb) => `0x${Buffer.from(rgb).toString('hex')}`);

function picture(width: number, height: number, rate: number | string, seconds: number): string[] {
  const box = (x: string, y: string, colour = ''): string =>
    `drawbox=x=${x}:y=${y}:w=iw/2:h=ih/2:c=${colour}:t=fill`;
  const drawn = [box('iw/2', '0', hex[1]), box('0', 'ih/2', hex[2]), box('iw/2', 'ih/2', hex[3])];
  const source = `color=c=${hex[0]}:s=${width}x${height}:r=${rate}:d=${seconds}`;
  return ['-f', 'lavfi', '-i', [source, ...drawn, 'noise=alls=5:allf=t'].join(',')];
}

function tone(seconds: number, rate = 48_000): string[] {
  return ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${rate}:duration=${seconds}`];
}

const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'];
const x265 = (...more: readonly string[]): string[] => [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-tag:v',
  'hvc1',
  '-x265-params',
  ['log-level=error', ...more].join(':'),
];
const grown = { grows: true };
const aac = ['-c:a', 'aac', '-b:a', '96k'];
const front = ['-movflags', '+faststart'];

/** A video of ffmpeg: its size, what encodes it, and what else there is to say. */
function video(
  name: string,
  kind: MediaKind,
  [width, height, rate = 30, seconds = 3.2]: readonly [number, number, (number | string)?, number?],
  encoder: readonly string[],
  more: Partial<Mendable> & { readonly before?: readonly string[]; readonly hz?: number } = {},
): Mendable {
  const { before = [], hz, ...expected } = more;
  const { hasSound = false } = expected;
  return {
    name,
    kind,
    shows: width / height,
    lasts: [seconds - 0.15, seconds + 0.3],
    make: (folder) =>
      runs('ffmpeg', [
        ...before,
        ...picture(width, height, rate, seconds),
        ...(hasSound ? tone(seconds, hz) : []),
        ...encoder,
        join(folder, name),
      ]),
    ...expected,
  };
}

/** A sound of ffmpeg. */
function sound(name: string, kind: MediaKind, encoder: readonly string[], seconds = 3): Mendable {
  return {
    name,
    kind,
    shows: 0,
    hasSound: true,
    lasts: [seconds - 0.1, seconds + 0.2],
    ...grown,
    make: (folder) => runs('ffmpeg', [...tone(seconds), ...encoder, join(folder, name)]),
  };
}

/** A picture of sharp. */
function still(
  name: string,
  kind: MediaKind,
  [width, height]: readonly [number, number],
  save: (image: Sharp) => Sharp,
  more: Partial<Mendable> & {
    readonly alpha?: true;
    readonly noise?: number;
    readonly orientation?: number;
  } = {},
): Mendable {
  const { alpha, noise = 4, orientation = 1, ...expected } = more;
  return {
    name,
    kind,
    shows: width / height,
    grows: true,
    make: async (folder) => {
      const pixels = Buffer.alloc(width * height * 4);
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const colour = quarters[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? [0, 0, 0];
          // The same each time.
          const grain = (((x * 7919 + y * 104_729) % 97) / 48 - 1) * noise;
          for (const [part, value] of colour.entries())
            pixels[(y * width + x) * 4 + part] = Math.min(255, Math.max(0, value + grain));
          // What is in the middle is transparent.
          const isHole = alpha && Math.abs(x / width - 0.5) < 0.1 && Math.abs(y / height - 0.5) < 0.1;
          pixels[(y * width + x) * 4 + 3] = isHole ? 0 : 255;
        }
      // As it is stored, before the tag turns it.
      const turn = { 3: 180, 6: 270, 8: 90 }[orientation] ?? 0;
      const raw = sharp(pixels, { raw: { width, height, channels: 4 } });
      const turned = sharp(await raw.rotate(turn).png({ compressionLevel: 1 }).toBuffer());
      const image = alpha ? turned : turned.removeAlpha();
      await save(orientation > 1 ? image.withMetadata({ orientation }) : image).toFile(join(folder, name));
    },
    ...expected,
  };
}

/** Says of an MP4 of H.264, whose index is at its end, that only a part should be shown: so far from the middle. */
async function clippedTo(path: string, [width, height, right, down]: readonly number[]): Promise<void> {
  const bytes = await readFile(path);
  const clean = Buffer.alloc(40);
  clean.write('clap', 4);
  for (const [place, value] of [40, 0, width, 1, height, 1, right, 1, down, 1].entries())
    if (place !== 1) clean.writeInt32BE(value ?? 0, place * 4);
  const entry = bytes.indexOf('avc1', bytes.indexOf('stsd')) - 4;
  const end = entry + bytes.readUInt32BE(entry);
  for (const name of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1']) {
    const at = bytes.indexOf(name, name === 'avc1' ? entry : bytes.indexOf('moov')) - 4;
    bytes.writeUInt32BE(bytes.readUInt32BE(at) + clean.length, at);
  }
  await writeFile(path, Buffer.concat([bytes.subarray(0, end), clean, bytes.subarray(end)]));
}

/** Turns the picture of an MP4 clockwise by the matrix of its track, as phones do. */
async function turnedByMatrix(folder: string, name: string, args: readonly string[]): Promise<void> {
  const path = join(folder, name);
  await runs('ffmpeg', [...args, path]);
  const bytes = await readFile(path);
  const at = bytes.indexOf('tkhd') + 4 + 40;
  const matrix = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000];
  for (const [place, value] of matrix.entries()) bytes.writeInt32BE(value, at + place * 4);
  await writeFile(path, bytes);
}

const sounding = { hasSound: true };
export const mendables: readonly Mendable[] = [
  // Cameras with pixels that are not square, and tools that keep them.
  video('hdv.mp4', 'page.reel', [1440, 1080, 25], ['-vf', 'setsar=4/3', ...x264, ...front], {
    shows: 9 / 16,
    picture: 16 / 9,
    fit: 'pad',
    isUsual: true,
  }),
  video('narrow.mp4', 'page.reel', [540, 540], ['-vf', 'setsar=9/16', ...x264, ...front], {
    shows: 9 / 16,
    ...grown,
    isUsual: true,
  }),
  video(
    'wide-pixels.mp4',
    'pics.reel',
    [360, 640],
    ['-vf', 'setsar=2/1', ...x264, '-x264-params', 'open-gop=1', '-g', '10'],
    {
      shows: 9 / 8,
    },
  ),
  // Fields.
  video(
    'fields-60.mp4',
    'page.reel',
    [320, 568, 60],
    [...x264, '-flags', '+ildct+ilme', '-x264-params', 'tff=1', ...front],
    {
      ...grown,
      isUsual: true,
    },
  ),
  video(
    'fields-25.mov',
    'pics.reel',
    [360, 640, 50],
    ['-vf', 'interlace,setfield=tff', ...x264, '-flags', '+ildct+ilme', '-x264-params', 'tff=1', ...aac],
    {
      ...sounding,
    },
  ),
  // Sizes below what Reels of Pages have to have.
  video('480x854.mp4', 'page.reel', [480, 854], [...x264, ...front], { ...grown, isUsual: true }),
  video('406x720.mp4', 'page.reel', [406, 720], [...x264, ...front], { ...grown, shows: 9 / 16 }),
  video('500x888.mp4', 'page.reel', [500, 888], [...x264, ...front], { ...grown, shows: 9 / 16 }),
  video('506x900.mp4', 'page.videoStory', [506, 900], [...x264, ...front], { ...grown, shows: 9 / 16 }),
  // Sizes of screens, and of encoders that round.
  video('1366x768.mp4', 'page.reel', [1366, 768], [...x264, ...aac, ...front], {
    ...sounding,
    shows: 9 / 16,
    picture: 1366 / 768,
    fit: 'pad',
    isUsual: 'in CI',
  }),
  video('720x1282.mp4', 'page.reel', [720, 1282], [...x264, ...front], { shows: 9 / 16 }),
  video('scope.mp4', 'page.reel', [940, 400], [...x264, ...front], {
    shows: 9 / 16,
    picture: 2.35,
    fit: 'pad',
    ...grown,
  }),
  video('very-tall.mp4', 'page.reel', [540, 1200], [...x264, ...front], {
    shows: 9 / 16,
    picture: 0.45,
    fit: 'pad',
  }),
  video('4k.mp4', 'pics.reel', [3840, 2160, 24, 3.2], [...x264, '-preset', 'ultrafast', ...front]),
  video('wide-carousel.mp4', 'pics.carouselVideo', [960, 400], [...x264, ...front], {
    shows: 16 / 9,
    picture: 2.4,
    fit: 'crop',
  }),
  video('tall-carousel.mp4', 'pics.carouselVideo', [360, 640], [...x264, ...front], {
    shows: 0.8,
    picture: 9 / 16,
    fit: 'crop',
  }),
  // Places of the index.
  video('end.mp4', 'pics.reel', [360, 640], [...x264, ...aac], { ...sounding, isUsual: true }),
  video(
    'parts.mp4',
    'pics.reel',
    [360, 640],
    [...x264, ...aac, '-movflags', '+frag_keyframe+empty_moov'],
    sounding,
  ),
  video(
    'half-in-parts.mp4',
    'pics.storyVideo',
    [360, 640],
    [...x264, ...aac, '-movflags', '+frag_keyframe', '-g', '30'],
    sounding,
  ),
  video(
    'late-parts-24.mp4',
    'page.reel',
    [320, 568, 24],
    [...x264, '-bf', '0', ...aac, '-movflags', '+frag_keyframe+empty_moov+delay_moov'],
    {
      ...sounding,
      ...grown,
    },
  ),
  // Encoders that got RGB, more bits or more colours.
  video(
    'from-rgb.mp4',
    'pics.reel',
    [360, 640],
    ['-vf', 'format=gbrp', '-c:v', 'libx264', '-preset', 'veryfast', ...front],
    {
      isUsual: true,
    },
  ),
  video(
    'rgb.mp4',
    'pics.storyVideo',
    [360, 640],
    ['-vf', 'format=rgb24', '-c:v', 'libx264rgb', '-preset', 'veryfast', ...front],
  ),
  video(
    '10-bit.mp4',
    'page.reel',
    [540, 960],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p10le', ...front],
  ),
  video(
    '422.mov',
    'pics.reel',
    [360, 640],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv422p', ...front],
  ),
  video(
    'odd-444.mp4',
    'pics.reel',
    [361, 641],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv444p', ...front],
  ),
  video(
    'full-range.mov',
    'pics.reel',
    [360, 640],
    ['-vf', 'scale=out_range=pc', ...x264, '-pix_fmt', 'yuvj420p'],
  ),
  // What phones write.
  video(
    'open.mp4',
    'pics.storyVideo',
    [360, 640],
    [...x265('keyint=15', 'min-keyint=15', 'bframes=3', 'open-gop=1'), '-preset', 'medium', ...front],
  ),
  video('phone.mov', 'pics.reel', [360, 640], [...x265(), ...aac], sounding),
  video(
    'pq.mp4',
    'pics.reel',
    [360, 640],
    [
      '-pix_fmt',
      'yuv420p10le',
      ...x265('colorprim=bt2020', 'transfer=smpte2084', 'colormatrix=bt2020nc'),
      '-color_trc',
      'smpte2084',
      ...front,
    ],
    { isMapped: true, isUsual: true },
  ),
  video(
    'hlg.mp4',
    'page.videoStory',
    [540, 960],
    [
      '-pix_fmt',
      'yuv420p10le',
      ...x265('colorprim=bt2020', 'transfer=arib-std-b67', 'colormatrix=bt2020nc'),
      ...front,
    ],
    { isMapped: true },
  ),
  // Taken as it is, but for its sides.
  video(
    'hlg-wide.mp4',
    'pics.carouselVideo',
    [640, 240, 30, 3],
    [
      '-pix_fmt',
      'yuv420p10le',
      ...x265('colorprim=bt2020', 'transfer=arib-std-b67', 'colormatrix=bt2020nc'),
      ...front,
    ],
    { isMapped: true, shows: 16 / 9, picture: 640 / 240, fit: 'crop' },
  ),
  {
    name: 'turned.mp4',
    kind: 'pics.reel',
    shows: 9 / 16,
    hasSound: true,
    lasts: [3.3, 3.7],
    isUsual: true,
    make: (folder) =>
      turnedByMatrix(folder, 'turned.mp4', [
        ...picture(360, 640, 30, 3.5),
        ...tone(3.5),
        '-vf',
        'transpose=cclock',
        ...x264,
        ...aac,
      ]),
  },
  {
    name: 'turned-444.mp4',
    kind: 'page.reel',
    shows: 9 / 16,
    grows: true,
    lasts: [3.3, 3.7],
    make: (folder) =>
      turnedByMatrix(folder, 'turned-444.mp4', [
        ...picture(360, 640, 30, 3.5),
        '-vf',
        'transpose=cclock',
        '-c:v',
        'libx264',
        '-pix_fmt',
        'yuv444p',
      ]),
  },
  {
    name: 'clean-aperture.mp4',
    kind: 'pics.carouselVideo',
    shows: 4 / 3,
    hasSound: true,
    lasts: [3.3, 3.7],
    grows: true,
    make: async (folder) => {
      const path = join(folder, 'clean-aperture.mp4');
      const pad = ['-vf', 'pad=800:600:160:120'];
      await runs('ffmpeg', [...picture(640, 480, 30, 3.5), ...tone(3.5), ...pad, ...x264, ...aac, path]);
      await clippedTo(path, [640, 480, 80, 60]);
    },
  },
  // Nearly all of its bits are in its first frame.
  {
    ...video('still-hlg.mov', 'pics.reel', [360, 640], [], { isMapped: true }),
    make: (folder) =>
      runs('ffmpeg', [
        ...picture(360, 640, 30, 3.2).map((each) => each.replace(/,noise=.*/, '')),
        '-pix_fmt',
        'yuv420p10le',
        ...x265('colorprim=bt2020', 'transfer=arib-std-b67', 'colormatrix=bt2020nc'),
        join(folder, 'still-hlg.mov'),
      ]),
  },
  // Other codecs in the same container.
  video('mpeg4.mp4', 'pics.reel', [360, 640], ['-c:v', 'mpeg4', '-q:v', '4', ...aac, ...front], sounding),
  video('prores.mov', 'pics.reel', [360, 640, 24], ['-c:v', 'prores_ks', '-c:a', 'pcm_s16le'], {
    ...sounding,
    isUsual: true,
  }),
  video('mjpeg.mov', 'pics.reel', [360, 640], ['-c:v', 'mjpeg', '-q:v', '4', ...front]),
  video(
    'vp9.mp4',
    'pics.reel',
    [360, 640],
    [
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-b:v',
      '600k',
      '-c:a',
      'libopus',
      ...front,
    ],
    sounding,
  ),
  // Containers of recorders, editors and browsers.
  video('obs.mkv', 'pics.reel', [360, 640], [...x264, ...aac], { ...sounding, isUsual: true }),
  video('obs-29.97.mkv', 'page.reel', [540, 960, '30000/1001'], [...x264, ...aac], sounding),
  video(
    'browser.webm',
    'page.reel',
    [540, 960],
    ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '900k', '-c:a', 'libvorbis'],
    { ...sounding, ...grown, isUsual: 'in CI' },
  ),
  video(
    'browser-vp9.webm',
    'pics.reel',
    [360, 640],
    ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '600k', '-c:a', 'libopus'],
    { ...sounding, ...grown },
  ),
  video(
    'old.avi',
    'pics.reel',
    [360, 640, 25],
    ['-c:v', 'mpeg4', '-q:v', '5', '-c:a', 'libmp3lame'],
    sounding,
  ),
  // Codecs that only one of MP4 and QuickTime holds.
  video('surround.mkv', 'pics.reel', [360, 640], [...x264, '-c:a', 'libopus', '-ac', '6'], sounding),
  video(
    'pq.webm',
    'page.reel',
    [540, 960],
    [
      ...'-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 900k -pix_fmt yuv420p10le -profile:v 2'.split(
        ' ',
      ),
      ...'-color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc -c:a libopus'.split(' '),
    ],
    { ...sounding, ...grown, isMapped: true },
  ),
  video('taken.mkv', 'page.video', [640, 360], [...x264, ...aac], sounding),
  video('stream.flv', 'page.reel', [540, 960], [...x264, ...aac], sounding),
  video('broadcast.ts', 'pics.storyVideo', [360, 640, 25], [...x264, ...aac], sounding),
  video('windows.wmv', 'pics.reel', [360, 640, 25], ['-c:v', 'wmv2', '-b:v', '900k', '-c:a', 'wmav2'], {
    ...sounding,
    soundLate: 0.07,
  }),
  video('free.ogv', 'pics.reel', [368, 640, 25], ['-c:v', 'libtheora', '-q:v', '6', '-c:a', 'libvorbis'], {
    ...sounding,
    ...grown,
  }),
  video('old-phone.3gp', 'pics.reel', [352, 288, 15], ['-c:v', 'h263', ...aac], { ...sounding, ...grown }),
  video('subtitled.mkv', 'pics.messageVideo', [360, 640], [...x264, ...aac], sounding),
  // Rates.
  video('15.mp4', 'pics.reel', [360, 640, 15], [...x264, ...aac, ...front], {
    ...sounding,
    ...grown,
    isUsual: true,
  }),
  video('12.5.mp4', 'page.reel', [540, 960, 12.5], [...x264, ...front], grown),
  video('120.mp4', 'pics.reel', [360, 640, 120], [...x264, ...front]),
  video('film.mp4', 'page.reel', [540, 960, '24000/1001'], [...x264, ...front]),
  video(
    'variable.mp4',
    'pics.reel',
    [360, 640, 60],
    ['-vf', "select='not(mod(n,3))+gt(t,3)'", '-vsync', 'vfr', ...x264, ...front],
    grown,
  ),
  // Cuts without encoding.
  {
    name: 'cut.mp4',
    kind: 'pics.reel',
    shows: 9 / 16,
    hasSound: true,
    lasts: [3.3, 4],
    isUsual: true,
    make: async (folder) => {
      const [long, cut] = [join(folder, 'long.mp4'), join(folder, 'cut.mp4')];
      await runs('ffmpeg', [...picture(360, 640, 30, 5), ...tone(5), ...x264, '-g', '60', ...aac, long]);
      await runs('ffmpeg', ['-ss', '1.3', '-i', long, '-c', 'copy', ...front, cut]);
    },
  },
  video(
    'late.mp4',
    'pics.reel',
    [360, 640, 30, 2.5],
    ['-map', '0', '-map', '1', '-fps_mode', 'passthrough', ...x264, ...aac, ...front],
    {
      before: ['-itsoffset', '1.5'],
      ...sounding,
      lasts: [3.7, 4.3],
      ...grown,
    },
  ),
  // Lengths and bytes.
  video(
    '71-s.mp4',
    'pics.storyVideo',
    [180, 320, 25, 71],
    [...x264, '-preset', 'ultrafast', ...aac, ...front],
    { ...sounding, lasts: [59.5, 60.1] },
  ),
  video(
    '38-mbit.mp4',
    'pics.reel',
    [720, 1280, 30, 3.5],
    [
      '-vf',
      'noise=alls=60:allf=t',
      ...x264,
      '-preset',
      'ultrafast',
      '-b:v',
      '38M',
      '-minrate',
      '38M',
      '-maxrate',
      '38M',
      '-bufsize',
      '10M',
      ...front,
    ],
    { isMapped: true },
  ),
  // Sounds.
  video('surround.mp4', 'pics.reel', [360, 640], [...x264, '-c:a', 'aac', '-ac', '6', ...front], {
    ...sounding,
    isUsual: true,
  }),
  video('96-khz.mov', 'pics.reel', [360, 640], [...x264, ...aac, '-ar', '96000', ...front], {
    ...sounding,
    hz: 96_000,
  }),
  video('opus.mp4', 'page.reel', [540, 960], [...x264, '-c:a', 'libopus', ...front], sounding),
  video(
    'mp3.mp4',
    'pics.reel',
    [360, 640],
    [...x264, '-c:a', 'libmp3lame', '-b:a', '96k', ...front],
    sounding,
  ),
  // Animations and pictures that are to be a video.
  video('loop.gif', 'pics.reel', [180, 320, 10, 4], ['-loop', '0'], { ...grown, lasts: [3.95, 4.1] }),
  // What the last picture waits is a third of its length.
  video('last-delay.gif', 'pics.reel', [180, 320, 2, 4], ['-final_delay', '250'], {
    ...grown,
    lasts: [5.95, 6.05],
    isUsual: true,
  }),
  video('one-a-second.gif', 'pics.messageVideo', [180, 320, 1, 4], ['-final_delay', '150'], {
    ...grown,
    lasts: [4.45, 4.55],
  }),
  video('last-delay.png', 'pics.reel', [180, 320, 2, 4], ['-f', 'apng', '-final_delay', '5/2'], {
    ...grown,
    lasts: [5.95, 6.05],
  }),
  still('turned.webp', 'pics.reel', [360, 640], (image) => image.webp(), {
    orientation: 6,
    lasts: [4.9, 5.1],
    isUsual: true,
  }),
  still('turned.tiff', 'pics.reel', [360, 640], (image) => image.tiff({ compression: 'lzw' }), {
    orientation: 8,
    lasts: [4.9, 5.1],
  }),
  still('jpeg-inside.tiff', 'pics.reel', [360, 640], (image) => image.tiff({ compression: 'jpeg' }), {
    orientation: 6,
    lasts: [4.9, 5.1],
  }),
  still(
    'tiles.tiff',
    'page.reel',
    [540, 960],
    (image) => image.tiff({ compression: 'deflate', tile: true }),
    {
      lasts: [4.9, 5.1],
    },
  ),
  still('display-p3.png', 'pics.reel', [360, 640], (image) => image.withIccProfile('p3').png(), {
    lasts: [4.9, 5.1],
  }),
  still(
    'display-p3.jpg',
    'pics.reel',
    [360, 640],
    (image) => image.withIccProfile('p3').jpeg({ quality: 95 }),
    {
      orientation: 6,
      tolerance: 15,
      lasts: [4.9, 5.1],
    },
  ),
  still('upside-down.png', 'page.reel', [540, 960], (image) => image.png(), {
    orientation: 3,
    lasts: [4.9, 5.1],
  }),
  still('with-a-hole.png', 'pics.reel', [360, 640], (image) => image.png(), {
    alpha: true,
    lasts: [4.9, 5.1],
  }),
  still('turned-photo.jpg', 'pics.storyVideo', [360, 640], (image) => image.jpeg(), {
    orientation: 6,
    lasts: [4.9, 5.1],
  }),
  // Pictures.
  still('large-with-a-hole.png', 'page.photo', [1700, 1700], (image) => image.png({ compressionLevel: 0 }), {
    alpha: true,
    isUsual: true,
  }),
  still('with-a-hole.webp', 'pics.image', [1080, 1080], (image) => image.webp(), { alpha: true }),
  still('turned-2.webp', 'pics.image', [800, 1000], (image) => image.webp(), {
    orientation: 6,
    isUsual: true,
  }),
  still('wide.jpg', 'pics.image', [1500, 500], (image) => image.jpeg(), {
    shows: 1.91,
    picture: 3,
    fit: 'crop',
    isUsual: true,
  }),
  still('turned-tall.jpg', 'pics.carouselImage', [500, 1000], (image) => image.jpeg(), {
    shows: 0.8,
    picture: 0.5,
    fit: 'crop',
    orientation: 8,
  }),
  still('print.jpg', 'pics.image', [1000, 1000], (image) => image.toColourspace('cmyk').jpeg(), {
    isMapped: true,
  }),
  still(
    'large.jpg',
    'pics.image',
    [4000, 4000],
    (image) => image.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }),
    { noise: 30 },
  ),
  still('new.avif', 'pics.storyImage', [540, 960], (image) => image.avif({ effort: 0 })),
  still('scan.tiff', 'pics.cover', [540, 960], (image) => image.tiff()),
  {
    name: 'paint.bmp',
    kind: 'pics.image',
    shows: 1,
    grows: true,
    make: (folder) =>
      runs('ffmpeg', [...picture(600, 600, 1, 1), '-frames:v', '1', join(folder, 'paint.bmp')]),
  },
  {
    name: 'paint-with-a-hole.bmp',
    kind: 'pics.image',
    shows: 1,
    grows: true,
    isUsual: true,
    make: (folder) =>
      runs('ffmpeg', [
        ...picture(600, 600, 1, 1),
        '-vf',
        "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*gt(max(abs(X-300),abs(Y-300)),60)'",
        '-frames:v',
        '1',
        '-pix_fmt',
        'bgra',
        join(folder, 'paint-with-a-hole.bmp'),
      ]),
  },
  // Sounds of messages.
  // More bytes than a message may have.
  sound('long.wav', 'pics.messageAudio', ['-ac', '2'], 140),
  video(
    'loud.mp4',
    'page.messageVideo',
    [320, 180, 25, 100],
    [
      '-vf',
      'noise=alls=40:allf=t',
      ...x264,
      '-preset',
      'ultrafast',
      '-b:v',
      '2M',
      '-c:a',
      'aac',
      '-b:a',
      '320k',
    ],
    sounding,
  ),
  sound('voice.mp3', 'pics.messageAudio', []),
  sound('voice.ogg', 'page.messageAudio', ['-c:a', 'libvorbis']),
  sound('voice.flac', 'pics.messageAudio', []),
  sound('voice.aiff', 'page.messageAudio', []),
  sound('voice.caf', 'pics.messageAudio', []),
];
