import { bodyOf, type Box, boxesIn, find, longer } from './boxes.ts';
import { i32, startsWith, textAt, u16, u32, u8 } from './bytes.ts';
import * as codecs from './codecs.ts';
import type { MediaFacts, MediaPart, MediaSize } from './types.ts';

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
  offset?: number;
  /** How long the first one and the last one last, in units of the track. */
  first?: number;
  last?: number;
  /** When the last key frame is presented. */
  keyTime?: number;
  /** Whether they were too many to walk. */
  isCut?: true;
}

/** A track of the index of a file. */
export interface Track {
  readonly id: number;
  readonly isEnabled: boolean;
  readonly handler: string;
  readonly timescale: number;
  /** In units of the track, as its header says. */
  readonly duration: number;
  /** How often the picture is turned by 90 degrees, clockwise. */
  readonly turns: number;
  /** As the track header gives it. */
  readonly size: MediaSize;
  readonly entries: readonly Box[];
  readonly isQuickTime: boolean;
  readonly edits: readonly Edit[];
  readonly samples: Samples;
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
  /** The boxes `trex`: what the fragments of a track leave out. */
  readonly defaults: readonly Uint8Array[];
  /** Whether parts of the index may follow. */
  readonly mayFollow: boolean;
  /** The duration with all fragments, in units of the movie; 0 if it does not say. */
  readonly fragmentDuration: number;
  readonly isCompressed: boolean;
}

/** What is walked at most: more samples than eight hours at 60 frames a second have. */
const mostSamples = 2_000_000;

const mostDurations = 256;

export function noSamples(): Samples {
  return { count: 0, duration: 0, bytes: 0, durations: new Map(), isOpen: false };
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
  samples.offset ??= offset;
  samples.first ??= duration;
  samples.last = duration;
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
  const header = bodyOf(boxes, 'mvhd');
  const extension = boxesIn(bodyOf(boxes, 'mvex'));
  const matrix = matrixAt(header, header[0] === 1 ? 48 : 36);
  return {
    timescale: u32(header, header[0] === 1 ? 20 : 12),
    duration: longer(header, 16, 24),
    tracks: boxes
      .filter(({ type }) => type === 'trak')
      .slice(0, 64)
      .map(({ body }) => readTrack(body, matrix)),
    defaults: extension.filter(({ type }) => type === 'trex').map(({ body }) => body),
    mayFollow: extension.length > 0,
    fragmentDuration: longer(bodyOf(extension, 'mehd'), 4, 4),
    isCompressed: bodyOf(boxes, 'cmov').length > 0,
  };
}

/** The first two rows and columns; the others move and skew. */
function matrixAt(bytes: Uint8Array, at: number): Matrix {
  const [a = 0, b = 0, c = 0, d = 0] = [0, 4, 12, 16].map((offset) => i32(bytes, at + offset));
  return a || b || c || d ? [a, b, c, d] : [1, 0, 0, 1];
}

function readTrack(bytes: Uint8Array, [e, f, g, h]: Matrix): Track {
  const boxes = boxesIn(bytes);
  const header = bodyOf(boxes, 'tkhd');
  const shift = header[0] === 1 ? 12 : 0;
  const [a, b] = matrixAt(header, 40 + shift);
  const media = boxesIn(bodyOf(boxes, 'mdia'));
  const mediaHeader = bodyOf(media, 'mdhd');
  const table = boxesIn(find(bodyOf(media, 'minf'), 'stbl'));
  const descriptions = bodyOf(table, 'stsd');
  return {
    id: u32(header, shift ? 20 : 12),
    isEnabled: (u8(header, 3) & 1) === 1,
    handler: textAt(bodyOf(media, 'hdlr'), 8, 4),
    timescale: u32(mediaHeader, mediaHeader[0] === 1 ? 20 : 12),
    duration: longer(mediaHeader, 16, 24),
    turns: (Math.round(Math.atan2(a * f + b * h, a * e + b * g) / (Math.PI / 2)) + 4) % 4,
    size: { width: u32(header, 76 + shift), height: u32(header, 80 + shift) },
    entries: boxesIn(descriptions, 8).slice(0, 64),
    isQuickTime: descriptions[0] === 0,
    edits: readEdits(find(bodyOf(boxes, 'edts'), 'elst')),
    samples: countSamples(table),
  };
}

function readEdits(bytes: Uint8Array): readonly Edit[] {
  const isLong = bytes[0] === 1;
  const length = isLong ? 20 : 12;
  const edits: Edit[] = [];
  const count = Math.min(u32(bytes, 4), 1000);
  for (let at = 8; at + length <= bytes.length && edits.length < count; at += length) {
    const start = isLong ? at + 8 : at + 4;
    edits.push({
      duration: longer(bytes, at, at),
      start: i32(bytes, start) < 0 ? -1 : longer(bytes, start, start),
      rate: u32(bytes, at + length - 4) / 65_536,
    });
  }
  return edits;
}

/** Walks the tables of a track, without a copy of them. */
function countSamples(table: readonly Box[]): Samples {
  const samples = noSamples();
  const times = bodyOf(table, 'stts');
  const offsets = bodyOf(table, 'ctts');
  const keys = bodyOf(table, 'stss');
  const sizes = bodyOf(table, 'stsz');
  // A list of times may claim any number of samples, one of sizes only as many as it has.
  const count = sizes.length > 0 ? u32(sizes, 8) : mostSamples + 1;
  let offsetAt = 0;
  let offsetsLeft = 0;
  let keyAt = 8;
  let index = 0;
  for (let at = 8; at < times.length; at += 8) {
    for (let left = u32(times, at); left > 0 && index < count; left--) {
      if (index === mostSamples) return { ...samples, isCut: true };
      while (offsetsLeft === 0 && offsetAt + 8 < offsets.length) offsetsLeft = u32(offsets, (offsetAt += 8));
      offsetsLeft--;
      index++;
      const isKey = keys.length === 0 || (keyAt < keys.length && u32(keys, keyAt) === index);
      if (isKey) keyAt += 4;
      addSample(
        samples,
        u32(times, at + 4),
        u32(sizes, 4) || u32(sizes, 8 + index * 4),
        i32(offsets, offsetAt + 4),
        isKey,
      );
    }
  }
  // QuickTime lists key frames of open groups apart.
  if (u32(bodyOf(table, 'stps'), 4) > 0) samples.isOpen = true;
  return samples;
}

/** The entries of codecs that do not have their names. */
const videoCodecs: Readonly<Record<string, string>> = {
  h264: 'avc1,avc2,avc3,avc4,dva1,dvav',
  hevc: 'hvc1,hvc2,hev1,dvh1,dvhe',
  av1: 'av01,dav1',
  vp8: 'vp08',
  vp9: 'vp09',
  prores: Object.keys(codecs.proResProfiles).join(),
  h263: 'h263,H263,s263',
  mjpeg: 'mjpa,mjpb,mjpg,MJPG,jpeg',
  mpeg1: 'mpg1,m1v ',
  mpeg2: 'mpg2,m2v1,mp2v',
  dnxhd: 'AVdn,AVdh',
  mpeg4: 'mp4v,FMP4,DIVX,XVID,xvid',
};
const audioCodecs: typeof videoCodecs = {
  aac: 'mp4a',
  pcm: 'lpcm,ipcm,fpcm,in24,in32,fl32,fl64,sowt,twos,raw ,NONE,ulaw,alaw',
  mp3: '.mp3,ms\0U',
  opus: 'Opus',
  ac3: 'ac-3',
  eac3: 'ec-3',
  flac: 'fLaC',
  amr: 'samr,sawb',
};
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

function codecOf(entries: typeof videoCodecs, entry: string): string {
  return Object.keys(entries).find((codec) => entries[codec]?.split(',').includes(entry)) ?? entry.trim();
}

/** What an entry holds if it is encrypted, which names no codec. */
function originalOf(type: string, boxes: readonly Box[]): string {
  return /^(?:enc[av]|drm[is])$/.test(type) ? textAt(find(bodyOf(boxes, 'sinf'), 'frma'), 0, 4) : type;
}

/** An entry of a video track, with what its boxes say. */
interface Entry extends codecs.Coded {
  readonly codec: string;
  readonly entry: string;
  readonly isEncrypted: boolean;
  readonly size: MediaSize;
  readonly cleanAperture: MediaPart | undefined;
}

function readVideoEntry({ type, body }: Box): Entry {
  const boxes = boxesIn(body, 78);
  const original = originalOf(type, boxes);
  const { object, config } = codecs.readElementary(bodyOf(boxes, 'esds'));
  const dolby = bodyOf(boxes, 'dvcC');
  const codec =
    // Of these, no decoder of HEVC shows the right colours.
    original.startsWith('dvh') && dolby.length > 0 && u8(dolby, 4) < 16
      ? 'dolby_vision'
      : (objectCodecs[object] ?? codecOf(videoCodecs, original));
  const size = { width: u16(body, 24), height: u16(body, 26) };
  const colour = bodyOf(boxes, 'colr');
  const field = bodyOf(boxes, 'fiel');
  const coded = readConfig(codec, original, boxes, config);
  const ofField = field.length === 0 ? 'unknown' : field[0] === 1 ? 'progressive' : 'maybe_interlaced';
  return {
    codec,
    entry: type,
    ...coded,
    scan: coded.scan ?? ofField,
    transfer: startsWith(colour, 'ncl') ? codecs.transferOf(u16(colour, 6)) : coded.transfer,
    pixelAspect: quotient(bodyOf(boxes, 'pasp'), 0) || coded.pixelAspect,
    cleanAperture: partOf(bodyOf(boxes, 'clap'), size),
    size,
    isEncrypted: original !== type,
  };
}

/** The part that a clean aperture leaves: its size, and how far its middle is from that of the picture. */
function partOf(clean: Uint8Array, size: MediaSize): MediaPart | undefined {
  const [width = 0, height = 0] = [0, 8].map((at) => Math.round(quotient(clean, at)));
  const [right = 0, down = 0] = [16, 24].map((at) => i32(clean, at) / (u32(clean, at + 4) || 1));
  if (!width || !height) return undefined;
  const [left, top] = [(size.width - width) / 2 + right, (size.height - height) / 2 + down].map(Math.round);
  return { width, height, ...((right || down) && { left, top }) };
}

/** The configuration of a codec, which has a box of its own or is in `esds`. */
function readConfig(codec: string, entry: string, boxes: readonly Box[], esds: Uint8Array): codecs.Coded {
  const [name = '', read] = configurations[codec] ?? [];
  const config = bodyOf(boxes, name);
  if (codec === 'mpeg4') return codecs.readMpeg4(esds);
  return read && config.length > 0 ? read(config) : codecs.readProRes(entry);
}

const configurations: Readonly<Record<string, readonly [name: string, read: typeof codecs.readAvc]>> = {
  h264: ['avcC', codecs.readAvc],
  hevc: ['hvcC', codecs.readHevc],
  av1: ['av1C', codecs.readAv1],
  vp8: ['vpcC', codecs.readVpx],
  vp9: ['vpcC', codecs.readVpx],
};

/** A number and one by which it is divided; 0 if there is none. */
function quotient(bytes: Uint8Array, at: number): number {
  const by = u32(bytes, at + 4);
  return by && u32(bytes, at) / by;
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

/** Facts of which some may be unknown: those are left out at the end. */
export type Loose<TFacts> = {
  readonly [TName in keyof TFacts]?: TFacts[TName] | Loose<TFacts[TName]> | undefined;
};

/** The facts of the track that is shown. `samples` has those of the index and of what follows it. */
export function factsOfTrack(
  track: Track,
  movie: Movie,
  samples: Samples,
  isComplete: boolean,
): Loose<MediaFacts> {
  const entries = track.entries.map(readVideoEntry);
  // A track that is shown has one.
  const [first = readVideoEntry({ type: '', body: new Uint8Array() })] = entries;
  const { codec, entry, cleanAperture, size, pixelAspect, isEncrypted: _, ...coded } = first;
  const { turns } = track;
  const shown = Math.round(size.width * (pixelAspect ?? aspectOfHeader(track, size)));
  const isKnown = shown > 0 && size.height > 0;
  const others = entries.map((each) => each.codec).filter((each) => each !== codec);
  const seconds = samples.duration / track.timescale;
  const { usual, isVariable, count, duration } = pace(samples);
  // Of some fragments, the ends distort the average.
  const isCounted = isComplete || isVariable;
  const average = isCounted ? (count * track.timescale) / duration : track.timescale / usual;
  const isGroup = /^h(?:264|evc)$/.test(codec);
  return {
    width: isKnown ? (turns % 2 ? size.height : shown) : undefined,
    height: isKnown ? (turns % 2 ? shown : size.height) : undefined,
    stored: isKnown ? size : undefined,
    rotation: rotations[turns],
    ...durationOf(track, movie, samples, isComplete),
    frameRate:
      samples.count > 1 && average > 0 && average < Infinity
        ? {
            average: Math.round(average * 1000) / 1000,
            // Where the first begins and the last ends is known to a unit.
            error: Math.ceil((average / (isCounted ? duration : usual)) * 1e6 + 500) / 1e6,
            isVariable,
          }
        : undefined,
    bitRate: samples.bytes && seconds > 0 ? Math.round((samples.bytes * 8) / seconds) : undefined,
    video: {
      codec,
      entry,
      otherCodecs: others.length > 0 ? others : undefined,
      ...coded,
      gop:
        isGroup && samples.isOpen
          ? 'open'
          : isGroup && isComplete && samples.count > 0
            ? 'closed'
            : 'unknown',
      cleanAperture,
    },
    isEncrypted: entries.some((each) => each.isEncrypted) || undefined,
  };
}

const rotations = [0, 90, 180, 270] as const;

/** Where no box gives the aspect of pixels, the size in the header of the track may have it. */
function aspectOfHeader({ size, turns }: Track, stored: MediaSize): number {
  const aspect = (size.width * stored.height) / (size.height * stored.width);
  return turns % 2 === 0 && aspect > 0.25 && aspect < 4 ? aspect : 1;
}

/**
 * How long most samples last, and whether more than some last longer or shorter than rounding explains; and what to count
 * by: without a first one that lasts as long as the start is late, and a last one whose end nobody knows.
 */
function pace({ count, duration, durations, first = 0, last = 0 }: Samples) {
  const sorted = [...durations].toSorted(([, a], [, b]) => b - a);
  const [usual] = sorted[0] ?? [0];
  // Times are rounded to units, so those of one rate may differ by one.
  const slack = Math.max(1.5, usual * 0.1);
  const isSteady = (each: number): boolean => Math.abs(each - usual) <= slack;
  const steady = sorted.reduce((sum, [each, many]) => (isSteady(each) ? sum + many : sum), 0);
  // The last of a fragment, or a frame that was lost, is no other pace.
  const isVariable = steady < count * 0.98 - 1;
  const odd = isVariable || count < 3 ? [] : [first, last].filter((each) => !isSteady(each));
  return {
    usual,
    isVariable,
    count: count - odd.length,
    duration: odd.reduce((rest, each) => rest - each, duration),
  };
}

/** Tolerance of edits, in seconds: less than a frame. */
const slackS = 0.001;

function durationOf(
  { edits, timescale, duration }: Track,
  movie: Movie,
  samples: Samples,
  isComplete: boolean,
): Pick<Loose<MediaFacts>, 'durationMs' | 'editList' | 'editMs'> {
  const ofMedia = samples.duration / timescale;
  const known = isComplete && ofMedia > 0 ? ofMedia : movie.fragmentDuration / movie.timescale;
  const media =
    known > 0 || movie.mayFollow ? known : duration / timescale || movie.duration / movie.timescale;
  const isLate = (edits[0]?.start ?? 0) < 0;
  const [only, ...more] = isLate ? edits.slice(1) : edits;
  const lengthOf = (some: readonly Edit[]): number =>
    some.reduce((sum, edit) => sum + edit.duration, 0) / movie.timescale;
  const msOf = (seconds: number): number | undefined =>
    seconds > 0 && seconds < Infinity ? Math.round(seconds * 1000) : undefined;
  const edited = (
    seconds: number,
    editList: MediaFacts['editList'],
    edit = 0,
  ): ReturnType<typeof durationOf> => ({ durationMs: msOf(seconds), editList, editMs: msOf(edit) });
  if (edits.length === 0) return edited(media, 'none');
  // An edit without a length lasts to the end.
  if (!only || more.length > 0 || only.rate !== 1) return edited(lengthOf(edits) || media, 'complex');
  const skipped = Math.max(0, only.start - Math.max(0, samples.offset ?? 0)) / timescale;
  const length = lengthOf([only]);
  const shown = length > 0 ? (media > 0 ? Math.min(length, media) : length) : media - skipped;
  const hidden = skipped + (length > 0 ? Math.max(0, media - skipped - length) : 0);
  if (skipped > slackS || hidden > 0.1) return edited(shown, 'hides', hidden);
  const delay = isLate ? lengthOf(edits.slice(0, 1)) : 0;
  return delay > slackS ? edited(shown, 'delays', delay) : edited(shown, 'harmless');
}

/** The channels of AC-3 and E-AC-3, which the entry does not tell. */
function dolbyChannels(boxes: readonly Box[]): number {
  const plain = bodyOf(boxes, 'dac3');
  const enhanced = bodyOf(boxes, 'dec3');
  const bits = plain.length > 0 ? u8(plain, 1) >> 2 : u8(enhanced, 3);
  return plain.length + enhanced.length > 0 ? Number('21233445'[(bits >> 1) & 7]) + (bits & 1) : 0;
}

/** The facts of the first sound track. */
export function factsOfSound({ tracks }: Movie): Loose<Pick<MediaFacts, 'audio' | 'isEncrypted'>> {
  const sounds = tracks.filter(({ handler, entries }) => handler === 'soun' && entries.length > 0);
  const track = sounds.find(({ isEnabled }) => isEnabled) ?? sounds[0];
  const [entry] = track?.entries ?? [];
  if (!track || !entry) return {};
  const { type, body } = entry;
  const version = u16(body, 8);
  const own = boxesIn(
    body,
    version === 2 ? Math.max(64, u32(body, 28) - 8) : version === 1 && track.isQuickTime ? 44 : 28,
  );
  const boxes = [...own, ...boxesIn(bodyOf(own, 'wave'))];
  const original = originalOf(type, boxes);
  const { object, config } = codecs.readElementary(bodyOf(boxes, 'esds'));
  const codec = objectCodecs[object] ?? codecOf(audioCodecs, original);
  const rate =
    version === 2
      ? new DataView(new Uint8Array(12).map((_, at) => u8(body, 32 + at)).buffer).getFloat64(0)
      : u32(body, 24) / 65_536;
  const found = codec === 'aac' ? codecs.readAac(config) : undefined;
  const sampleRate = found?.sampleRate || (rate >= 1 && rate < Infinity ? Math.round(rate) : track.timescale);
  return {
    audio: {
      codec,
      sampleRate: sampleRate || undefined,
      channels:
        found?.channels || dolbyChannels(boxes) || u32(body, version === 2 ? 40 : 14) % 65_536 || undefined,
    },
    isEncrypted: original !== type || undefined,
  };
}
