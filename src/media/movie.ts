import { type Box, boxesIn, find } from './boxes.ts';
import { i32, startsWith, text, u16, u32, u64 } from './bytes.ts';
import {
  type Coded,
  readAac,
  readAv1,
  readAvc,
  readElementary,
  readHevc,
  readMpeg4,
  readProRes,
  readVpx,
  transferOf,
} from './codecs.ts';
import type { AudioFacts, MediaFacts, MediaSize, VideoFacts } from './types.ts';

type Matrix = readonly [a: number, b: number, c: number, d: number];

/** What is counted over the samples of a track, in the order in which they are decoded. */
export interface Samples {
  count: number;
  /** Of all of them, in units of the track. */
  duration: number;
  bytes: number;
  /** How many last how long, in units of the track; at most as many kinds as anybody needs. */
  readonly durations: Map<number, number>;
  isOpen: boolean;
  /** The first offset between decoding and presentation. */
  offset: number | undefined;
  /** When the last key frame is presented. */
  keyTime: number | undefined;
}

/** A track of the index of a file. */
export interface Track {
  readonly id: number;
  readonly isEnabled: boolean;
  readonly handler: string;
  readonly timescale: number;
  /** In units of the track, as its header says. */
  readonly duration: number;
  readonly matrix: Matrix;
  /** As the track header gives it. */
  readonly size: MediaSize;
  readonly entries: readonly Box[];
  readonly isQuickTime: boolean;
  readonly edits: readonly Edit[];
  readonly samples: Samples;
  /** Whether the samples were too many to walk. */
  readonly isCut: boolean;
}

interface Edit {
  readonly duration: number;
  readonly start: number;
  readonly rate: number;
}

/** The index of a file. */
export interface Movie {
  readonly timescale: number;
  readonly duration: number;
  readonly tracks: readonly Track[];
  /** What fragments leave out, by track. */
  readonly defaults: ReadonlyMap<number, Defaults>;
  /** Whether parts of the index may follow. */
  readonly mayFollow: boolean;
  /** The duration with all fragments, in units of the movie; 0 if it does not say. */
  readonly fragmentDuration: number;
  readonly isCompressed: boolean;
}

export interface Defaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

/** What is walked at most: more samples than eight hours at 60 frames a second have. */
const mostSamples = 2_000_000;

const mostDurations = 256;

export function noSamples(): Samples {
  return {
    count: 0,
    duration: 0,
    bytes: 0,
    durations: new Map(),
    isOpen: false,
    offset: undefined,
    keyTime: undefined,
  };
}

/** Counts a sample. A group is open if one is presented before the key frame that it follows. */
export function addSample(
  samples: Samples,
  duration: number,
  bytes: number,
  offset: number,
  isKey: boolean,
): void {
  const time = samples.duration + offset;
  if (samples.offset === undefined) samples.offset = offset;
  if (isKey) samples.keyTime = time;
  else if (samples.keyTime !== undefined && time < samples.keyTime) samples.isOpen = true;
  samples.count++;
  samples.bytes += bytes;
  samples.duration += duration;
  const { durations } = samples;
  const alike = durations.get(duration);
  if (alike !== undefined || durations.size < mostDurations) durations.set(duration, (alike ?? 0) + 1);
}

/** Reads the content of `moov`. */
export function readMovie(bytes: Uint8Array): Movie {
  const boxes = boxesIn(bytes);
  const bodyOf = (name: string): Uint8Array =>
    boxes.find(({ type }) => type === name)?.body ?? new Uint8Array();
  const header = bodyOf('mvhd');
  const isLong = header[0] === 1;
  const extension = bodyOf('mvex');
  const matrix = matrixAt(header, isLong ? 48 : 36);
  const mehd = find(extension, 'mehd');
  const defaults = boxesIn(extension)
    .filter(({ type }) => type === 'trex')
    .map(({ body }): [number, Defaults] => [
      u32(body, 4),
      { duration: u32(body, 12), size: u32(body, 16), flags: u32(body, 20) },
    ]);
  return {
    timescale: u32(header, isLong ? 20 : 12),
    duration: isLong ? u64(header, 24) : u32(header, 16),
    tracks: boxes
      .filter(({ type }) => type === 'trak')
      .slice(0, 64)
      .map(({ body }) => readTrack(body, matrix)),
    defaults: new Map(defaults),
    mayFollow: extension.length > 0,
    fragmentDuration: mehd[0] === 1 ? u64(mehd, 4) : u32(mehd, 4),
    isCompressed: bodyOf('cmov').length > 0,
  };
}

/** The first two rows and columns; the others move and skew. */
function matrixAt(bytes: Uint8Array, at: number): Matrix {
  const [a = 0, b = 0, c = 0, d = 0] = [0, 4, 12, 16].map((offset) => i32(bytes, at + offset) / 65_536);
  return a || b || c || d ? [a, b, c, d] : [1, 0, 0, 1];
}

function product([a, b, c, d]: Matrix, [e, f, g, h]: Matrix): Matrix {
  return [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h];
}

function readTrack(bytes: Uint8Array, ofMovie: Matrix): Track {
  const header = find(bytes, 'tkhd');
  const shift = header[0] === 1 ? 12 : 0;
  const media = find(bytes, 'mdia');
  const mediaHeader = find(media, 'mdhd');
  const isLong = mediaHeader[0] === 1;
  const table = find(media, 'minf', 'stbl');
  const descriptions = find(table, 'stsd');
  const samples = noSamples();
  return {
    id: u32(header, 12 + (shift ? 8 : 0)),
    isEnabled: header.length === 0 || ((header[3] ?? 0) & 1) === 1,
    handler: text(find(media, 'hdlr'), 8, 4),
    timescale: u32(mediaHeader, isLong ? 20 : 12),
    duration: isLong ? u64(mediaHeader, 24) : u32(mediaHeader, 16),
    matrix: product(matrixAt(header, 40 + shift), ofMovie),
    size: { width: u32(header, 76 + shift) / 65_536, height: u32(header, 80 + shift) / 65_536 },
    entries: boxesIn(descriptions, 8).slice(0, 64),
    isQuickTime: descriptions[0] === 0,
    edits: readEdits(find(bytes, 'edts', 'elst')),
    isCut: !countSamples(table, samples),
    samples,
  };
}

function readEdits(bytes: Uint8Array): readonly Edit[] {
  const isLong = bytes[0] === 1;
  const length = isLong ? 20 : 12;
  const count = Math.min(u32(bytes, 4), Math.floor((bytes.length - 8) / length), 1000);
  return Array.from({ length: Math.max(count, 0) }, (_, index) => {
    const at = 8 + index * length;
    return isLong
      ? {
          duration: u64(bytes, at),
          start: i32(bytes, at + 8) < 0 ? -1 : u64(bytes, at + 8),
          rate: i32(bytes, at + 16) / 65_536,
        }
      : { duration: u32(bytes, at), start: i32(bytes, at + 4), rate: i32(bytes, at + 8) / 65_536 };
  });
}

/** Walks the tables of a track, without a copy of them; false if it stopped early. */
function countSamples(table: Uint8Array, samples: Samples): boolean {
  const times = find(table, 'stts');
  const offsets = find(table, 'ctts');
  const keys = find(table, 'stss');
  const partial = find(table, 'stps');
  const sizes = find(table, 'stsz');
  const compact = find(table, 'stz2');
  const oneSize = u32(sizes, 4);
  const bits = compact[7] ?? 0;
  const hasKeys = keys.length > 0;
  const timesEnd = Math.min(8 + u32(times, 4) * 8, times.length - 7);
  const offsetsEnd = Math.min(8 + u32(offsets, 4) * 8, offsets.length - 7);
  const keysEnd = Math.min(8 + u32(keys, 4) * 4, keys.length - 3);
  // A list of times may claim any number of samples, one of sizes only as many as it has.
  const count = sizes.length > 0 ? u32(sizes, 8) : compact.length > 0 ? u32(compact, 8) : mostSamples;
  let offsetAt = 8;
  let offsetLeft = offsetAt < offsetsEnd ? u32(offsets, offsetAt) : 0;
  let keyAt = 8;
  let index = 0;
  for (let at = 8; at < timesEnd; at += 8) {
    const duration = u32(times, at + 4);
    for (let left = u32(times, at); left > 0 && index < count; left--, index++) {
      if (index === mostSamples) return false;
      while (offsetLeft === 0 && offsetAt < offsetsEnd) {
        offsetAt += 8;
        offsetLeft = offsetAt < offsetsEnd ? u32(offsets, offsetAt) : 0;
      }
      const isKey = !hasKeys || (keyAt < keysEnd && u32(keys, keyAt) === index + 1);
      if (isKey) keyAt += 4;
      addSample(
        samples,
        duration,
        oneSize || sampleSize(sizes, compact, bits, index),
        offsetLeft > 0 ? i32(offsets, offsetAt + 4) : 0,
        isKey,
      );
      if (offsetLeft > 0) offsetLeft--;
    }
  }
  // QuickTime lists key frames of open groups apart.
  if (u32(partial, 4) > 0 && partial.length > 8) samples.isOpen = true;
  return true;
}

function sampleSize(sizes: Uint8Array, compact: Uint8Array, bits: number, index: number): number {
  if (sizes.length > 0) return u32(sizes, 12 + index * 4);
  if (bits === 16) return u16(compact, 12 + index * 2);
  const byte = compact[12 + (bits === 4 ? index >> 1 : index)] ?? 0;
  return bits === 4 ? (index % 2 === 0 ? byte >> 4 : byte & 15) : byte;
}

/** The names of codecs whose entry does not say it. */
const videoCodecs: readonly (readonly [entries: RegExp, codec: string])[] = [
  [/^(?:avc[1-4]|dva1|dvav)$/, 'h264'],
  [/^(?:hvc[12]|hev1|dvh1|dvhe)$/, 'hevc'],
  [/^(?:av01|dav1)$/, 'av1'],
  [/^vp08$/, 'vp8'],
  [/^vp09$/, 'vp9'],
  [/^(?:ap4[hx]|apc[hnso])$/, 'prores'],
  [/^(?:s263|h263|H263)$/, 'h263'],
  [/^(?:jpeg|mjp[abg]|MJPG)$/, 'mjpeg'],
  [/^png $/, 'png'],
  [/^(?:DIVX|XVID|xvid|FMP4|mp4v)$/, 'mpeg4'],
];
const audioCodecs: readonly (readonly [entries: RegExp, codec: string])[] = [
  [/^mp4a$/, 'aac'],
  [/^(?:[if]pcm|lpcm|sowt|twos|in24|in32|fl32|fl64|raw |NONE|[ua]law)$/, 'pcm'],
  [/^(?:\.mp3|ms\0U)$/, 'mp3'],
  [/^Opus$/, 'opus'],
  [/^ac-3$/, 'ac3'],
  [/^ec-3$/, 'eac3'],
  [/^fLaC$/, 'flac'],
  [/^sa(?:mr|wb)$/, 'amr'],
];
/** By the number of the object in `esds`. */
const objectCodecs: Readonly<Record<number, string>> = {
  0x20: 'mpeg4',
  0x60: 'mpeg2',
  0x61: 'mpeg2',
  0x65: 'mpeg2',
  0x69: 'mp3',
  0x6a: 'mpeg1',
  0x6b: 'mp3',
  0x6c: 'mjpeg',
  0x6d: 'png',
  0xa5: 'ac3',
  0xa6: 'eac3',
  0xa9: 'dts',
  0xdd: 'vorbis',
};

function codecOf(codecs: typeof videoCodecs, entry: string): string {
  return codecs.find(([entries]) => entries.test(entry))?.[1] ?? entry.trim();
}

/** An entry of a video track, with what its boxes say. */
interface Entry {
  readonly codec: string;
  readonly entry: string;
  readonly isEncrypted: boolean;
  readonly size: MediaSize;
  readonly pixelAspect: number | undefined;
  readonly cleanAperture: MediaSize | undefined;
  readonly coded: Coded;
}

function readVideoEntry({ type, body }: Box): Entry {
  const boxes = new Map(boxesIn(body, 78).map((box) => [box.type, box.body]));
  const bodyOf = (name: string): Uint8Array => boxes.get(name) ?? new Uint8Array();
  const isEncrypted = type === 'encv' || type === 'drmi';
  const original = isEncrypted ? text(find(bodyOf('sinf'), 'frma'), 0, 4) : type;
  const { object, config } = readElementary(bodyOf('esds').subarray(4));
  const dolby = boxes.get('dvcC');
  const codec =
    // Of these, no decoder of HEVC shows the right colours.
    /^dvh[1e]$/.test(original) && dolby && (dolby[4] ?? 0) >> 4 === 0
      ? 'dolby_vision'
      : (objectCodecs[object] ?? codecOf(videoCodecs, original));
  const aspect = bodyOf('pasp');
  const clean = bodyOf('clap');
  const colour = bodyOf('colr');
  const field = bodyOf('fiel');
  const coded: Coded = boxes.has('avcC')
    ? readAvc(bodyOf('avcC'))
    : boxes.has('hvcC')
      ? readHevc(bodyOf('hvcC'))
      : boxes.has('av1C')
        ? readAv1(bodyOf('av1C'))
        : boxes.has('vpcC')
          ? readVpx(bodyOf('vpcC'))
          : codec === 'mpeg4'
            ? readMpeg4(config)
            : readProRes(original);
  const [width, height] = [u32(clean, 0) / u32(clean, 4), u32(clean, 8) / u32(clean, 12)];
  return {
    codec,
    entry: type,
    isEncrypted,
    size: {
      width: u16(body, 24) || (coded.size?.width ?? 0),
      height: u16(body, 26) || (coded.size?.height ?? 0),
    },
    pixelAspect: u32(aspect, 0) && u32(aspect, 4) ? u32(aspect, 0) / u32(aspect, 4) : coded.pixelAspect,
    cleanAperture:
      width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : undefined,
    coded: {
      ...coded,
      ...(coded.scan === undefined && field.length > 0
        ? { scan: field[0] === 1 ? ('progressive' as const) : ('maybe_interlaced' as const) }
        : {}),
      ...(startsWith(colour, 'ncl') ? transferOf(u16(colour, 6)) : {}),
    },
  };
}

/** Codecs of tracks that only look like a video: covers. */
const stills = /^(?:mjpeg|png)$/;

/** The video track that is shown. */
export function shownTrack({ tracks }: Movie): Track | undefined {
  const videos = tracks.filter(({ handler, entries }) => handler === 'vide' && entries.length > 0);
  const isMoving = ({ entries: [first] }: Track): boolean =>
    first !== undefined && !stills.test(readVideoEntry(first).codec);
  return (
    videos.find((track) => track.isEnabled && isMoving(track)) ??
    videos.find(isMoving) ??
    videos.find(({ samples }) => samples.count > 1)
  );
}

/** The facts of the track that is shown. `samples` has those of the index and of what follows it. */
export function factsOfTrack(
  track: Track,
  movie: Movie,
  samples: Samples,
  isComplete: boolean,
): Pick<
  MediaFacts,
  | 'width'
  | 'height'
  | 'stored'
  | 'rotation'
  | 'durationMs'
  | 'frameRate'
  | 'bitRate'
  | 'video'
  | 'editList'
  | 'editMs'
  | 'isEncrypted'
> {
  const entries = track.entries.map(readVideoEntry);
  const [entry = readVideoEntry({ type: '', body: new Uint8Array() })] = entries;
  const { coded, size, codec } = entry;
  const [a, b] = track.matrix;
  const turns = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
  const aspect = entry.pixelAspect ?? aspectOfHeader(track, size, turns);
  const shown = { width: Math.round(size.width * aspect), height: size.height };
  const [width, height] = turns % 2 ? [shown.height, shown.width] : [shown.width, shown.height];
  const others = entries.map((each) => each.codec).filter((each) => each !== codec);
  const video: VideoFacts = {
    codec,
    entry: entry.entry,
    ...(others.length > 0 ? { otherCodecs: others } : {}),
    ...(coded.profile ? { profile: coded.profile } : {}),
    ...(coded.chroma ? { chroma: coded.chroma } : {}),
    ...(coded.bitDepth ? { bitDepth: coded.bitDepth } : {}),
    scan: coded.scan ?? 'unknown',
    ...(coded.transfer ? { transfer: coded.transfer } : {}),
    gop: !/^h(?:264|evc)$/.test(codec)
      ? 'unknown'
      : samples.isOpen
        ? 'open'
        : isComplete && samples.count > 0
          ? 'closed'
          : 'unknown',
    ...(entry.cleanAperture ? { cleanAperture: entry.cleanAperture } : {}),
  };
  const seconds = samples.duration / track.timescale;
  const { usual, isVariable } = pace(samples);
  // Of some fragments, the ends distort the average.
  const average = isComplete || isVariable ? samples.count / seconds : track.timescale / usual;
  return {
    ...(width && height ? { width, height, stored: size } : {}),
    rotation: ([0, 90, 180, 270] as const)[turns] ?? 0,
    ...durationOf(track, movie, samples, isComplete),
    ...(samples.count > 1 && seconds > 0 && Number.isFinite(average)
      ? { frameRate: { average: round(average), isVariable } }
      : {}),
    ...(samples.bytes > 0 && seconds > 0 ? { bitRate: Math.round((samples.bytes * 8) / seconds) } : {}),
    video,
    ...(entries.some((each) => each.isEncrypted) ? { isEncrypted: true as const } : {}),
  };
}

/** Where no box gives the aspect of pixels, the size in the header of the track may have it. */
function aspectOfHeader({ size }: Track, stored: MediaSize, turns: number): number {
  const aspect = (size.width * stored.height) / (size.height * stored.width);
  return turns % 2 === 0 && aspect > 0.25 && aspect < 4 ? aspect : 1;
}

/** How long most samples last, and whether more than some last longer or shorter than rounding explains. */
function pace({ count, durations }: Samples): { usual: number; isVariable: boolean } {
  const sorted = [...durations].toSorted(([, a], [, b]) => b - a);
  const [usual] = sorted[0] ?? [0];
  // Times are rounded to units, so those of one rate may differ by one.
  const slack = Math.max(1.5, usual * 0.1);
  const steady = sorted.reduce(
    (sum, [each, many]) => (Math.abs(each - usual) <= slack ? sum + many : sum),
    0,
  );
  // The last of a fragment, or a frame that was lost, is no other pace.
  return { usual, isVariable: steady < count * 0.98 - 1 };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Tolerance of edits, in seconds: less than a frame. */
const slackS = 0.001;

function durationOf(
  { edits, timescale, duration }: Track,
  movie: Movie,
  samples: Samples,
  isComplete: boolean,
): Pick<MediaFacts, 'durationMs' | 'editList' | 'editMs'> {
  const ms = (seconds: number): { durationMs?: number } =>
    seconds > 0 && Number.isFinite(seconds) ? { durationMs: Math.round(seconds * 1000) } : {};
  const ofMedia = samples.duration / timescale;
  const known = isComplete && ofMedia > 0 ? ofMedia : movie.fragmentDuration / movie.timescale;
  const media =
    known > 0 ? known : movie.mayFollow ? 0 : duration / timescale || movie.duration / movie.timescale;
  const [first, second] = edits;
  if (first === undefined) return { ...ms(media), editList: 'none' };
  // An edit without a length lasts to the end.
  const shown = edits.reduce((sum, edit) => sum + edit.duration, 0) / movie.timescale;
  const isMedia = edits.filter(({ start }) => start >= 0);
  const delay = first.start < 0 ? first.duration / movie.timescale : 0;
  const only = first.start < 0 ? second : first;
  if (edits.length > (first.start < 0 ? 2 : 1) || only === undefined || edits.some(({ rate }) => rate !== 1))
    return { ...ms(shown || media), editList: 'complex' };
  const start = isMedia[0]?.start ?? 0;
  const skipped = Math.max(0, start - Math.max(0, samples.offset ?? 0)) / timescale;
  const length = only.duration / movie.timescale;
  const ends = length > 0 && media > 0 ? Math.min(length, media) : length || media - skipped;
  const tail = length > 0 ? Math.max(0, media - skipped - length) : 0;
  const total = ms(ends);
  if (skipped > slackS || tail > 0.1)
    return { ...total, editList: 'hides', editMs: Math.round((skipped + tail) * 1000) };
  if (delay > slackS) return { ...total, editList: 'delays', editMs: Math.round(delay * 1000) };
  return { ...total, editList: 'harmless' };
}

/** The facts of the first sound track. */
export function factsOfSound(movie: Movie): { audio?: AudioFacts; isEncrypted?: true } {
  const tracks = movie.tracks.filter(({ handler, entries }) => handler === 'soun' && entries.length > 0);
  const track = tracks.find(({ isEnabled }) => isEnabled) ?? tracks[0];
  const [entry] = track?.entries ?? [];
  if (track === undefined || entry === undefined) return {};
  const { type, body } = entry;
  const version = u16(body, 8);
  const extra = version === 1 && track.isQuickTime ? 16 : 0;
  const own = boxesIn(body, version === 2 ? Math.max(64, u32(body, 28) - 8) : 28 + extra);
  const boxes = [...own, ...own.filter((box) => box.type === 'wave').flatMap((box) => boxesIn(box.body))];
  const bodyOf = (name: string): Uint8Array =>
    boxes.find((box) => box.type === name)?.body ?? new Uint8Array();
  const isEncrypted = type === 'enca' || type === 'drms';
  const original = isEncrypted ? text(find(bodyOf('sinf'), 'frma'), 0, 4) : type;
  const { object, config } = readElementary(bodyOf('esds').subarray(4));
  const codec = objectCodecs[object] ?? codecOf(audioCodecs, original);
  const inBox = version === 2 ? new DataView(body.slice(32, 40).buffer) : undefined;
  const rate = inBox && inBox.byteLength === 8 ? inBox.getFloat64(0) : u32(body, 24) / 65_536;
  const stated = {
    sampleRate: rate >= 1 ? rate : track.timescale,
    channels: version === 2 ? u32(body, 40) : u16(body, 16),
  };
  const opus = bodyOf('dOps');
  const lossless = bodyOf('alac');
  const found =
    codec === 'aac'
      ? readAac(config)
      : codec === 'opus'
        ? { sampleRate: 48_000, ...(opus[1] ? { channels: opus[1] } : {}) }
        : codec === 'alac' && lossless.length >= 28
          ? { sampleRate: u32(lossless, 24), channels: lossless[13] ?? 0 }
          : {};
  const { sampleRate, channels } = { ...stated, ...found };
  return {
    audio: {
      codec,
      ...(sampleRate > 0 && Number.isFinite(sampleRate) ? { sampleRate: Math.round(sampleRate) } : {}),
      ...(channels > 0 ? { channels } : {}),
    },
    ...(isEncrypted ? { isEncrypted: true as const } : {}),
  };
}
