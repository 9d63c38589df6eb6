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

/** Reads the facts of MP4, QuickTime and their kin. */
export async function readMp4(ranges: Ranges, format: MediaFormat): Promise<Loose<MediaFacts>> {
  let at = 0;
  let movie: Movie | undefined;
  let place: 'front' | 'end' = 'front';
  let track: Track | undefined;
  let samples: Samples = noSamples();
  let hasData = false;
  let fragments = 0;
  let indexed = 0;
  let incomplete: string | undefined;
  let isWhole = true;

  for (let left = mostTop; at < ranges.size; left--) {
    if (left === 0) {
      incomplete = `it has more than ${mostTop} parts`;
      break;
    }
    // After the pictures, all that is left is likely to be the index.
    const rest = ranges.size - at;
    const isTail = hasData && rest <= (ranges.isNear ? nearTail : tail);
    const ahead = isTail && !movie ? rest : movie && !ranges.isNear ? fragmentRead : undefined;
    const start = await ranges.bytes(at, 16, ahead);
    if (start.length < 8) {
      incomplete = 'it ends early';
      break;
    }
    const { type, head, length: given } = boxHead(start);
    const length = given === 0 ? rest : given;
    if (length < head || !/^[ -~\xa9]{4}$/.test(type)) {
      incomplete = 'a part of it has an impossible size or name';
      break;
    }
    if (type === 'mdat') hasData = true;
    if (type === 'moov' && !movie) {
      if (length > mostIndex) {
        incomplete = `its index has more than ${mostIndex} bytes`;
        break;
      }
      const body = await ranges.bytes(at, length);
      if (body.length < length) incomplete = 'it ends within its index';
      movie = readMovie(body.subarray(head, length));
      place = hasData ? 'end' : 'front';
      track = shownTrack(movie);
      if (track) samples = { ...track.samples };
      if (!movie.mayFollow || incomplete) break;
    }
    if (type === 'sidx' && movie && fragments === 0) {
      const bytes = await ranges.bytes(at, length, ahead);
      indexed = readSegments(bytes.subarray(head, length), ranges.size - at - length);
    }
    if (type === 'moof' && movie) {
      fragments++;
      if (track) {
        const bytes = length <= mostIndex ? await ranges.bytes(at, length, ahead) : undefined;
        if (!bytes || bytes.length < length) {
          isWhole = false;
          break;
        }
        addFragment(bytes.subarray(head, length), track.id, movie.defaults, samples);
      }
      // Where each read is a request, the fragments between the first and the last are not read.
      if (fragments === 2 && track && !ranges.isNear) indexed ||= await readEnd(ranges, track);
      // How long it is has been told, by a list of segments or by the last fragment.
      if (indexed > 0 && fragments > 1) {
        isWhole = false;
        break;
      }
    }
    at += length;
  }
  if (at > ranges.size && hasData) incomplete ??= 'it ends early';
  if (ranges.state.exceeded) isWhole = false;
  if (track?.isCut) isWhole = false;
  incomplete ??= movie?.isCompressed ? 'its index is compressed' : movie ? undefined : 'it has no index';

  const sound = movie && factsOfSound(movie);
  const common = { ...sound, moov: fragments > 0 ? 'fragmented' : movie && place, incomplete } as const;
  if (movie && track) {
    const whole = indexed > 0 && !isWhole ? { ...movie, fragmentDuration: indexed * movie.timescale } : movie;
    const facts = factsOfTrack(track, whole, samples, isWhole);
    return {
      kind: 'video',
      format,
      ...facts,
      ...common,
      isEncrypted: facts.isEncrypted ?? sound?.isEncrypted,
    };
  }
  return sound?.audio
    ? { kind: 'audio', format: format === 'mp4' ? 'm4a' : format, ...common }
    : { kind: movie && !incomplete ? 'unknown' : 'video', format, ...common };
}
