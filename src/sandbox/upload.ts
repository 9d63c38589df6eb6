import { connectionLost, type Incoming, pause } from './http.ts';
import { kindOf, refusedOf } from './mediaRules.ts';
import type { Node } from './nodes.ts';
import { demandToken } from './tokens.ts';
import { isFetchable, isText, refusalOf, refuseWith, toJson } from './values.ts';
import { type Checksum, find, recordEffect, type Token, type Upload, type World } from './world.ts';

interface Hash {
  readonly update: (bytes: Uint8Array) => unknown;
  readonly copy: () => Hash;
  readonly digest: (encoding: 'hex') => string;
}

export function createChecksum(): Checksum {
  // Found at run time, since bundles for browsers must not import it.
  const { process } = globalThis as {
    readonly process?: {
      readonly getBuiltinModule?: (name: 'node:crypto') => { readonly createHash: (name: string) => Hash };
    };
  };
  const hash = process?.getBuiltinModule?.('node:crypto').createHash('sha256');
  return { add: (bytes) => void hash?.update(bytes), hex: () => hash?.copy().digest('hex') };
}

/** The target of an upload: a video of a Page, or a container of the photo-sharing platform. */
type Video = Node<'video' | 'picsContainer'>;

function isClosed(video: Video): boolean {
  return video.kind === 'video'
    ? video.finishedAt !== undefined
    : !video.resumable || video.publishedAt !== undefined;
}

function parentOf(video: Video): string {
  return video.kind === 'video' ? video.pageId : video.accountId;
}

/** Receives a video like the upload host: its bytes, or its address. */
export async function takeUpload(world: World, incoming: Incoming, cutAfter?: number): Promise<unknown> {
  const { request, place, query } = incoming;
  if (request.method !== 'POST') return failed('Unsupported method', 405);
  if (Object.keys(query).length > 0) return failed('Unexpected query parameters');
  const token = uploadToken(world, request.headers.get('authorization'));
  const id = place.path.slice(1);
  const video = find(world, 'video', id) ?? find(world, 'picsContainer', id);
  if (video === undefined || !video.owners.includes(token.subjectId))
    return failed('Upload session not found');
  if (isClosed(video)) return failed('Upload session is finished');
  const fileUrl = request.headers.get('file_url');
  if (fileUrl !== null) return takeHosted(world, video, fileUrl, request);
  return takeBytes(world, video, request, cutAfter);
}

async function takeBytes(world: World, video: Video, request: Request, cutAfter?: number): Promise<unknown> {
  const offset = numberIn(request.headers, 'offset');
  const size = numberIn(request.headers, 'file_size');
  if (size === 0) return failed('The file is empty');
  const upload = uploadOf(world, video, offset);
  if (offset !== upload.bytes) {
    const message = `Provided offset ${offset} does not match the ${upload.bytes} bytes received`;
    return uploadError(412, 'OffsetInvalidError', message, true);
  }
  if (offset > 0 && size !== video.fileSize) return partial('file_size differs from that of the session');
  video.fileSize = size;
  video.fileUrl = undefined;
  const { bytesPerSecond = Infinity } = world.tuning.videos;
  const transfer = { offset, size, cutAfter: cutAfter ?? Infinity, bytesPerSecond };
  const surplus = await receive(upload, request, transfer, () => {
    video.uploadedAt = world.now();
    recordEffect(world, 'upload', video.id, parentOf(video), { bytes: size, sha256: upload.checksum.hex() });
  });
  if (upload.parts && upload.bytes === size) {
    upload.refused = await refusedOf(world, joined(upload.parts, size), kindOf(video));
    delete upload.parts;
  }
  if (surplus) return partial('More bytes than file_size were sent');
  if (upload.bytes < size) return partial(`Received ${upload.bytes} of ${size} bytes`);
  return { success: true };
}

interface Transfer {
  readonly offset: number;
  readonly size: number;
  readonly cutAfter: number;
  readonly bytesPerSecond: number;
}

/** Keeps the bytes that arrive, even if the rest never does. Returns whether there were more than `size`. */
async function receive(
  upload: Upload,
  request: Request,
  { offset, size, cutAfter, bytesPerSecond }: Transfer,
  complete: () => void,
): Promise<boolean> {
  const transfer = { offset, bytes: 0 };
  upload.transfers.push(transfer);
  if (cutAfter === 0) throw connectionLost();
  const reader = request.body?.getReader();
  for (;;) {
    if (request.signal.aborted) throw request.signal.reason;
    const chunk = reader === undefined ? { done: true as const } : await reader.read();
    if (chunk.done) break;
    if (upload.transfers.at(-1) !== transfer) throw connectionLost();
    if (bytesPerSecond < Infinity) await pause((1000 * chunk.value.length) / bytesPerSecond);
    const room = Math.min(size - upload.bytes, cutAfter - transfer.bytes);
    const kept = (chunk.value as Uint8Array).subarray(0, room);
    if (upload.bytes === 0 && kept.length > 0) upload.isText = isText(kept);
    upload.checksum.add(kept);
    upload.parts?.push(kept.slice());
    upload.bytes += kept.length;
    transfer.bytes += kept.length;
    if (kept.length > 0 && upload.bytes === size) complete();
    if (transfer.bytes === cutAfter) throw connectionLost();
    if (kept.length < chunk.value.length) return true;
  }
  if (cutAfter !== Infinity) throw connectionLost();
  return false;
}

function takeHosted(world: World, video: Video, fileUrl: string, request: Request): unknown {
  const { hostedFailure, hostedBytes } = world.tuning.videos;
  if (request.headers.has('offset') || request.headers.has('file_size'))
    return failed('file_url excludes offset');
  if (request.body !== null) return failed('file_url excludes a body');
  if (!isFetchable(fileUrl)) return failed('file_url is not a public address');
  if (hostedFailure !== undefined) return failed(hostedFailure);
  world.uploads.set(video.id, { bytes: hostedBytes, checksum: createChecksum(), transfers: [] });
  video.fileSize = hostedBytes;
  video.fileUrl = fileUrl;
  video.uploadedAt = world.now();
  recordEffect(world, 'upload', video.id, parentOf(video), { bytes: hostedBytes, file_url: fileUrl });
  return { success: true };
}

/** The upload of a video so far. One from offset 0 starts again. */
function uploadOf(world: World, video: Video, offset: number): Upload {
  const known = world.uploads.get(video.id);
  if (known !== undefined && offset > 0) return known;
  const fresh: Upload = { bytes: 0, checksum: createChecksum(), transfers: known?.transfers ?? [] };
  if (offset > 0) return fresh;
  if (world.tuning.media === 'strict') fresh.parts = [];
  world.uploads.set(video.id, fresh);
  video.uploadedAt = undefined;
  return fresh;
}

function uploadToken(world: World, header: string | null): Token {
  const value = /^OAuth (\S+)$/.exec(header ?? '')?.[1];
  try {
    // In login mode, the token is that of the account.
    const isOfAccount = world.tokens.get(value ?? '')?.kind === 'pics';
    const token = demandToken(world, value, isOfAccount ? 'picsGraph' : 'upload');
    return isOfAccount || token.kind === 'page' ? token : failed('A page access token is required');
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    if (refusal === undefined || !('error' in (refusal.body as object))) throw thrown;
    return failed(toJson({ success: false, ...(refusal.body as object) }), 400);
  }
}

function numberIn(headers: Headers, name: string): number {
  const text = headers.get(name) ?? '';
  return /^\d+$/.test(text) ? Number(text) : failed(`The header ${name} is missing or not a number`);
}

function partial(message: string): never {
  return uploadError(400, 'PartialRequestError', message, true);
}

function failed(message: string, status = 400): never {
  return uploadError(status, 'ProcessingFailedError', message, false);
}

function uploadError(status: number, type: string, message: string, retriable: boolean): never {
  return refuseWith(status, { debug_info: { retriable, type, message } });
}

export function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
