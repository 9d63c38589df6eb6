import { boxHead } from './boxes.ts';
import { addFragment, fragmentRead, readEnd, readSegments } from './fragments.ts';
import {
  factsOfSound,
  factsOfTrack,
  type Loose,
  type Movie,
  noSamples,
  readMovie,
  type Samples,
  shownTrack,
  type Track,
} from './movie.ts';
import type { Ranges } from './source.ts';
import type { MediaFacts, MediaFormat } from './types.ts';

/** Indexes that are larger are not read: that of an hour has less than half of it. */
const mostIndex = 8 * 1024 * 1024;
/** An index at the end is read in one go, with all that follows the pictures, up to this. */
const tail = 2 * 1024 * 1024;
const nearTail = 131_072;
/** More top-level boxes than any file needs that is no attack. */
const mostTop = 10_000;

/** What has been read of a file so far. */
interface Reading {
  movie?: Movie;
  place?: 'front' | 'end';
  track?: Track | undefined;
  samples: Samples;
  hasData: boolean;
  fragments: number;
  indexed: number;
  incomplete?: string;
  isWhole: boolean;
}

/** A part of the top level. */
interface Box {
  readonly type: string;
  readonly at: number;
  readonly head: number;
  readonly length: number;
  /** How much to read at once with it. */
  readonly ahead: number | undefined;
}

/** Reads the facts of MP4, QuickTime and their kin. */
export async function readMp4(ranges: Ranges, format: MediaFormat): Promise<Loose<MediaFacts>> {
  const read: Reading = { samples: noSamples(), hasData: false, fragments: 0, indexed: 0, isWhole: true };
  let at = 0;
  for (let left = mostTop; at < ranges.size; left--) {
    const box = left === 0 ? `it has more than ${mostTop} parts` : await readBox(ranges, at, read);
    if (typeof box === 'string') {
      read.incomplete = box;
      break;
    }
    if (await takeBox(ranges, box, read)) break;
    at += box.length;
  }
  if (at > ranges.size && read.hasData) read.incomplete ??= 'it ends early';
  if (ranges.state.exceeded || read.samples.isCut) read.isWhole = false;
  return factsOf(read, format);
}

/** The box that begins at an offset; or what is wrong with it. */
async function readBox(ranges: Ranges, at: number, { movie, hasData }: Reading): Promise<Box | string> {
  // After the pictures, all that is left is likely to be the index.
  const rest = ranges.size - at;
  const isTail = hasData && rest <= (ranges.isNear ? nearTail : tail);
  const ahead = isTail && !movie ? rest : movie && !ranges.isNear ? fragmentRead : undefined;
  const start = await ranges.bytes(at, 16, ahead);
  if (start.length < 8) return 'it ends early';
  const { type, head, length: given } = boxHead(start);
  const length = given === 0 ? rest : given;
  return length < head || !/^[ -~\xa9]{4}$/.test(type)
    ? 'a part of it has an impossible size or name'
    : { type, at, head, length, ahead };
}

/** Takes what a box says. Returns whether nothing more has to be read. */
async function takeBox(ranges: Ranges, box: Box, read: Reading): Promise<boolean> {
  const { type, at, head, length, ahead } = box;
  if (type === 'mdat') read.hasData = true;
  if (type === 'moov' && !read.movie) return takeIndex(ranges, box, read);
  if (type === 'sidx' && read.movie && read.fragments === 0) {
    const bytes = await ranges.bytes(at, length, ahead);
    read.indexed = readSegments(bytes.subarray(head, length), ranges.size - at - length);
  }
  return type === 'moof' && read.movie !== undefined && takeFragment(ranges, box, read.movie, read);
}

async function takeIndex(ranges: Ranges, { at, head, length }: Box, read: Reading): Promise<boolean> {
  if (length > mostIndex) {
    read.incomplete = `its index has more than ${mostIndex} bytes`;
    return true;
  }
  const body = await ranges.bytes(at, length);
  if (body.length < length) read.incomplete = 'it ends within its index';
  const movie = readMovie(body.subarray(head, length));
  read.movie = movie;
  read.place = read.hasData ? 'end' : 'front';
  read.track = shownTrack(movie);
  if (read.track) read.samples = { ...read.track.samples };
  return !movie.mayFollow || read.incomplete !== undefined;
}

async function takeFragment(
  ranges: Ranges,
  { at, head, length, ahead }: Box,
  movie: Movie,
  read: Reading,
): Promise<boolean> {
  const { track, samples } = read;
  read.fragments++;
  if (track) {
    const bytes = length <= mostIndex ? await ranges.bytes(at, length, ahead) : undefined;
    if (!bytes || bytes.length < length) {
      read.isWhole = false;
      return true;
    }
    addFragment(bytes.subarray(head, length), track.id, movie.defaults, samples);
  }
  // Where each read is a request, the fragments between the first and the last are not read.
  if (read.fragments === 2 && track && !ranges.isNear) read.indexed ||= await readEnd(ranges, track);
  // How long it is has been told, by a list of segments or by the last fragment.
  const isTold = read.indexed > 0 && read.fragments > 1;
  if (isTold) read.isWhole = false;
  return isTold;
}

function factsOf(read: Reading, format: MediaFormat): Loose<MediaFacts> {
  const { movie, place, track, samples, fragments, indexed, isWhole } = read;
  const incomplete =
    read.incomplete ??
    (movie?.isCompressed ? 'its index is compressed' : movie ? undefined : 'it has no index');
  const sound = movie && factsOfSound(movie);
  const common = { ...sound, moov: fragments > 0 ? 'fragmented' : place, incomplete } as const;
  if (movie && track) {
    const whole = indexed > 0 && !isWhole ? { ...movie, fragmentDuration: indexed * movie.timescale } : movie;
    const facts = factsOfTrack(track, whole, samples, isWhole);
    const isEncrypted = facts.isEncrypted ?? sound?.isEncrypted;
    return { kind: 'video', format, ...facts, ...common, isEncrypted };
  }
  return sound?.audio
    ? { kind: 'audio', format: format === 'mp4' ? 'm4a' : format, ...common }
    : { kind: movie && !incomplete ? 'unknown' : 'video', format, ...common };
}
