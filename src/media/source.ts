import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import { ConfigurationError, TransportError } from '../core/errors.ts';
import { fieldsOf } from '../core/objects.ts';
import { hasAborted, reasonOf, whenAborted } from '../core/options/clock.ts';
import { openPath } from '../core/options/path.ts';
import type { MediaFailure, MediaReader, MediaSource } from './types.ts';

/** A file whose parts are read when they are asked for, within bounds. Nothing rejects: what went wrong is kept. */
export interface Ranges {
  readonly size: number;
  /** Whether the file is at hand: else each read may be a request, and few are better than small ones. */
  readonly isNear: boolean;
  /**
   * The bytes from `offset`, all that are at hand: `length` of them or more, fewer where the file ends, and none if a
   * bound is exceeded or reading failed. What has to be read for it is `ahead` long at least.
   */
  readonly bytes: (offset: number, length: number, ahead?: number) => Promise<Uint8Array>;
  /** How many bytes may still be read. */
  readonly room: () => number;
  /** What was spent, and why reading ended early, if it did. */
  readonly state: {
    readonly bytesRead: number;
    readonly requests: number;
    readonly exceeded?: string | undefined;
    readonly failure?: MediaFailure | undefined;
  };
}

/** The bounds of an inspection. */
export interface Bounds {
  readonly signal: AbortSignal | undefined;
  readonly maxBytes: number;
  /** Parts of the index may lie anywhere in the file: by default, there are thousands of reads. */
  readonly maxRequests?: number | undefined;
}

const mostReads = 4096;

/** What is read at least, of files that are at hand and of others. */
const nearRead = 1024;
export const farRead = 65_536;

/** A reader that knows whether its file is at hand. */
export interface NearReader extends MediaReader {
  readonly isNear?: true;
}

/** How many parts are kept: the first, and the ones that were read last. */
const kept = 4;

interface Part {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Opens a source. A path can stall at that, until the signal. */
export type Opening = (signal: AbortSignal | undefined) => ResultAsync<NearReader, MediaFailure>;

const wrongSource = 'must be bytes, a Blob, a path or { size, read }';

function fault(words: string): ConfigurationError {
  return new ConfigurationError(`source ${words}`, 'source');
}

/** How a source is opened, or that it is none. */
export function sourceOf(source: MediaSource): Result<Opening, ConfigurationError> {
  let opening: Opening | NearReader | string = wrongSource;
  try {
    opening = openingOf(source);
  } catch {
    // Its bytes have gone to another thread, say, or a getter threw.
  }
  if (typeof opening === 'string') return err(fault(opening));
  const found = opening;
  return ok(typeof found === 'function' ? found : () => okAsync(found));
}

function openingOf(source: MediaSource): Opening | NearReader | string {
  if (typeof source === 'string' || source instanceof URL) {
    if (/^https?:/i.test(String(source))) return 'must be a file: checkMediaUrl takes addresses';
    const path = typeof source === 'string' && /^file:/i.test(source) ? new URL(source) : source;
    return (signal) =>
      ResultAsync.fromPromise(
        abortable(() => openPath(path), signal),
        (thrown) => failureOf(thrown, signal),
      ).andThen((file) => (typeof file === 'string' ? err(fault(file)) : ok(ofBlob(file))));
  }
  if (source instanceof Blob) return ofBlob(source);
  // A Buffer of Node is a view too, some of whose methods differ.
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : source instanceof ArrayBuffer && new Uint8Array(source);
  if (bytes) return near(bytes.length, async (...range) => bytes.subarray(...range));
  // Not every caller has TypeScript.
  const { size = -1, read } = (source ?? {}) as Partial<MediaReader>;
  return typeof read === 'function' && Number.isSafeInteger(size) && size >= 0 ? { size, read } : wrongSource;
}

function near(size: number, part: (start: number, end: number) => Promise<Uint8Array>): NearReader {
  return { isNear: true, size, read: (offset, length) => part(offset, offset + length) };
}

function ofBlob(blob: Blob): NearReader {
  return near(blob.size, async (...range) => new Uint8Array(await blob.slice(...range).arrayBuffer()));
}

/** Reads a source within bounds. */
export function rangesOf(
  { size, read, isNear }: NearReader,
  { signal, maxBytes, maxRequests: most = mostReads }: Bounds,
): Ranges {
  const state: { -readonly [TName in keyof Ranges['state']]: Ranges['state'][TName] } = {
    bytesRead: 0,
    requests: 0,
  };
  const parts: Part[] = [];
  const none = new Uint8Array();

  const room = (): number => (state.requests < most ? maxBytes - state.bytesRead : 0);

  return { size, isNear: isNear === true, bytes, room, state };

  async function bytes(
    offset: number,
    length: number,
    ahead = isNear ? nearRead : farRead,
  ): Promise<Uint8Array> {
    const part = parts.find((each) => each.offset <= offset && offset < each.offset + each.bytes.length);
    const have = part ? part.bytes.subarray(offset - part.offset) : none;
    const missing = Math.min(length, size - offset) - have.length;
    if (missing <= 0) return have;
    if (state.exceeded || state.failure) return none;
    // What is there already is not read again.
    const from = offset + have.length;
    const more = await readMore(from, Math.min(Math.max(missing, ahead), size - from));
    if (more === undefined) return none;
    const joined = part ? join(have, more) : more;
    if (part) parts.splice(parts.indexOf(part), 1);
    parts.push({ offset, bytes: joined });
    if (parts.length > kept) parts.splice(1, 1);
    return joined;
  }

  async function readMore(offset: number, length: number): Promise<Uint8Array | undefined> {
    if (length > room()) {
      state.exceeded =
        state.requests < most
          ? `more than ${maxBytes} bytes of it would have to be read`
          : `it takes more than ${most} reads`;
      return undefined;
    }
    state.requests++;
    try {
      const found = await abortable(() => read(offset, length, signal), signal);
      if (!(found instanceof Uint8Array)) throw new TypeError('no bytes');
      const some = found.subarray(0, length);
      state.bytesRead += some.length;
      if (some.length < length) state.exceeded = 'it is shorter than its size says';
      return some;
    } catch (thrown) {
      state.failure = failureOf(thrown, signal);
      return undefined;
    }
  }
}

export function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  const joined = new Uint8Array(one.length + other.length);
  joined.set(one);
  joined.set(other, one.length);
  return joined;
}

/** Ends at the signal, also where the reader does not. */
export async function abortable<TValue>(
  start: () => PromiseLike<TValue>,
  signal: AbortSignal | undefined,
): Promise<TValue> {
  if (!signal) return start();
  return new Promise((resolve, reject) => {
    if (hasAborted(signal)) throw reasonOf(signal);
    const ignore = whenAborted(signal, () => reject(reasonOf(signal)));
    const started = (async () => start())();
    started.finally(ignore).then(resolve, reject);
  });
}

/** Says that a signal ended a call, and why. */
export function abortedBy(signal: AbortSignal): TransportError {
  const reason = reasonOf(signal);
  // What the caller gave: anything, of which a name and a message may be read.
  const { name, message } = fieldsOf(reason instanceof Error ? reason : { name: 'Error', message: reason });
  const cause = { name: String(name), message: String(message) };
  const why = name === 'TimeoutError' ? ': its signal timed out' : '';
  return new TransportError('aborted', `the call was aborted${why}`, { cause });
}

function failureOf(thrown: unknown, signal: AbortSignal | undefined): MediaFailure {
  // A reader may say itself what went wrong, also by an error of another call.
  if (thrown instanceof TransportError) return new TransportError(thrown.reason, thrown.message, thrown);
  if (thrown instanceof ConfigurationError) return new ConfigurationError(thrown.message, thrown.option);
  if (signal && hasAborted(signal)) return abortedBy(signal);
  return fault('could not be read: it changed, was removed, or its reader failed');
}
