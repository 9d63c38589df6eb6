import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { noneOf, refuseUnknown } from '../core/options/unknown.ts';
import { formatOf, kindOf } from './format.ts';
import type { Loose } from './movie.ts';
import { readMp4 } from './mp4.ts';
import { inspectRules, mediaCall } from './options.ts';
import { pictureReaders } from './pictures.ts';
import { type Bounds, type NearReader, type Opening, type Ranges, rangesOf, sourceOf } from './source.ts';
import type { InspectMediaOptions, MediaFacts, MediaFailure, MediaFormat, MediaSource } from './types.ts';

type ReadFormat = (ranges: Ranges, format: MediaFormat, start: Uint8Array) => Promise<Loose<MediaFacts>>;

/**
 * Reads what the header of a file says: its format, size, duration, codecs, and all else that the platforms have rules
 * about. It decodes nothing, and reads some kilobytes of most files. MP4, QuickTime and JPEG are read in full, other
 * pictures for their size, and of other files the format.
 *
 * What the header does not tell is absent. A file that is cut, damaged or made to do harm is no error: the facts have
 * what could be read, and `incomplete` says why there is no more.
 *
 * @example
 * const facts = await inspectMedia('./clip.mp4');
 * if (facts.isOk()) console.log(facts.value.width, facts.value.height, facts.value.durationMs);
 */
export function inspectMedia(
  source: MediaSource,
  options: InspectMediaOptions = {},
): ResultAsync<MediaFacts, MediaFailure> {
  return mediaCall(
    'inspectMedia',
    options,
    inspectRules,
    () => sourceOf(source),
    (open, read) => inspect(open, read, readAny),
    refuseUnknown,
  );
}

/** Reads a picture; of other files the format. */
const readStill: ReadFormat = async (ranges, format, start) => {
  const picture = await pictureReaders[format]?.(ranges, start);
  return picture ? { kind: 'image', format, ...picture } : { kind: kindOf(format), format };
};

/** Reads a file of any format. */
export const readAny: ReadFormat = async (ranges, format, start) =>
  /^(?:mp4|mov|3gp)$/.test(format) ? readMp4(ranges, format) : readStill(ranges, format, start);

/**
 * Like {@link inspectMedia}, for pages that take pictures only: in a bundle, it has no code for videos. Of a video it
 * tells the format.
 */
export function inspectImage(
  source: MediaSource,
  options: InspectMediaOptions = {},
): ResultAsync<MediaFacts, MediaFailure> {
  // It has two options, so all are named: comparing names takes code.
  const refuse = (_: string, known: readonly string[]): string => noneOf(known);
  return mediaCall(
    'inspectImage',
    options,
    inspectRules,
    () => sourceOf(source),
    (open, read) => inspect(open, read, readStill),
    refuse,
  );
}

/** The same, as a part of a call whose options were read. */
export function inspect(
  open: Opening,
  { signal, maxBytes = 16 * 1024 * 1024 }: InspectMediaOptions,
  readFormat: ReadFormat,
): ResultAsync<MediaFacts, MediaFailure> {
  return open(signal).andThen((reader) => readFacts(reader, { signal, maxBytes }, readFormat));
}

/** Reads the facts of a file by ranges. */
export function readFacts(
  reader: NearReader,
  bounds: Bounds,
  readFormat: ReadFormat,
): ResultAsync<MediaFacts, MediaFailure> {
  return new ResultAsync(read(reader, bounds, readFormat));
}

async function read(
  reader: NearReader,
  bounds: Bounds,
  readFormat: ReadFormat,
): Promise<Result<MediaFacts, MediaFailure>> {
  const ranges = rangesOf(reader, bounds);
  const start = await ranges.bytes(0, 1024);
  const found = await readFormat(ranges, formatOf(start), start);
  const { bytesRead, requests, exceeded, failure } = ranges.state;
  if (failure) return err(failure);
  const incomplete = exceeded ?? found.incomplete;
  const facts = { ...found, size: ranges.size, incomplete, bytesRead, requests };
  // Plain data, without what is undefined. What facts must have, their readers set.
  return ok(JSON.parse(JSON.stringify(facts)) as MediaFacts);
}
