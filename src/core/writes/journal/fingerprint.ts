import { hmacSha256 } from '../../digest.ts';
import { toHex } from '../../hex.ts';
import { fieldsOf } from '../../objects.ts';
import { takingTurns } from '../../options/clock.ts';
import { openFile } from '../../options/fileSource.ts';
import { type OptionKind, rulesOf } from '../../options/read.ts';
import { toSeconds } from '../../options/time.ts';
import type { KeyEntry } from './entry.ts';
import type { KeyedCall, KeyedContext } from './types.ts';

/** Hexadecimal digits of a digest that are stored: 128 bits. */
const digits = 32;
/** How many bytes of a file are held in memory at once. */
const chunkBytes = 1_048_576;

/** What a call publishes, as its entry records it. */
export interface SignedContent extends Pick<KeyEntry, 'digest' | 'under' | 'call'> {
  readonly files: KeyedCall['files'];
  /** Whether an entry has this content; `undefined` if its digest cannot be compared, since it is under another secret. */
  readonly isOf: (entry: KeyEntry) => boolean | undefined;
}

/**
 * Digests what a call publishes: all of its options but those of which a rule says that they are how to call. The digest
 * is keyed by the app secret, or by the idempotency key if there is no secret: short texts could be guessed from such a
 * digest, since the store holds that key as well.
 *
 * The query of media addresses is left out, since that of a signed one changes; files are compared by their bytes, times by
 * whole seconds, in which they are sent.
 */
export async function digestContent(
  key: string,
  name: string,
  options: object,
  signer: Signer | undefined,
  /** Ends the reading of files. */
  stop?: AbortSignal,
): Promise<SignedContent> {
  const files: OpenedFiles = new Map();
  const fields = await toPlainFields(options, { path: '', is: undefined, files, stop });
  const plain = JSON.stringify(fields);
  const underKey = (plain: string): string =>
    hmac(key, `[${JSON.stringify(name)},${plain}]`).slice(0, digits);
  // After a rotation, its id identifies digests under another secret, which are not compared.
  const underSecret = (plain: string, { sign }: Signer): string =>
    sign(JSON.stringify([key, name, plain])).slice(0, digits);
  const sign = signer === undefined ? underKey : (plain: string): string => underSecret(plain, signer);
  const signedUnder = signer?.id ?? 'key';
  const signed = sign(plain);
  return {
    under: signedUnder,
    call: name,
    digest: signed,
    files,
    isOf: ({ digest, under, call = name }) => {
      if (call !== name) return false;
      // Those of version 1, which do not say, are not compared.
      if (under === undefined) return true;
      if (under === signedUnder && digest === signed) return true;
      const signAsIt = under === signedUnder ? sign : under === 'key' ? underKey : undefined;
      return signAsIt && [plain, asEarlier(fields, options)].some((one) => digest === signAsIt(one));
    },
  };
}

/** The same content as earlier versions digested it, with its times in the form in which they are given. */
function asEarlier(fields: object, options: object): string {
  const rules = rulesOf(options);
  const times = Object.entries(options).filter(([name]) => rules[name]?.is === 'time');
  return JSON.stringify({ ...fields, ...Object.fromEntries(times) });
}

/** A digest of a text, in hexadecimal, that cannot be computed without the key. */
export function hmac(key: string, text: string): string {
  return hmacSha256(key)(text);
}

/** Signs under an app secret. */
interface Signer {
  /** An id of the secret. */
  readonly id: string;
  readonly sign: (text: string) => string;
}

/** The signers of live contexts, by their fetcher. */
const signers = new WeakMap<object, Signer & { readonly secret: string }>();

/** Signs under the app secret of a context, if it has one. Its key is prepared once for all calls of a context. */
export function signerOf({ fetcher, secret }: KeyedContext): Signer | undefined {
  if (secret === undefined) return undefined;
  const known = signers.get(fetcher);
  if (known?.secret === secret) return known;
  const sign = hmacSha256(secret);
  const signer = { secret, id: sign('id of the secret').slice(0, 16), sign };
  signers.set(fetcher, signer);
  return signer;
}

type OpenedFiles = Map<unknown, ReturnType<typeof openFile>>;

/** Where a value is in the options. */
interface Place {
  /** Such as `photos[1].photo`. */
  readonly path: string;
  /** What the rule of the nearest option says that it is. */
  readonly is: OptionKind | undefined;
  /** Where files are kept that are opened. */
  readonly files: OpenedFiles;
  readonly stop: AbortSignal | undefined;
}

/** A value as JSON represents it, independent of the order of its fields and of whether they are inherited. */
async function toPlain(value: unknown, place: Place): Promise<unknown> {
  const { path, is, stop } = place;
  if (is === 'time') return toSeconds(value);
  if (is === 'file' && (typeof value === 'string' || value instanceof URL))
    return toPlain(await open(value, place), place);
  if (typeof value === 'string') return is === 'address' ? value.replace(/[?#].*$/s, '') : value;
  if (typeof value !== 'object' || value === null) return value;
  const file = fileOf(value);
  if (file !== undefined) return { file: await digestOfFile(file, stop) };
  if (value instanceof Date || value instanceof URL) return value.toJSON();
  if (Array.isArray(value))
    return Promise.all(value.map((item: unknown, at) => toPlain(item, { ...place, path: `${path}[${at}]` })));
  return toPlainFields(value, place);
}

async function toPlainFields(value: object, place: Place): Promise<Readonly<Record<string, unknown>>> {
  const { path } = place;
  const fields = fieldsOf(value);
  const rules = rulesOf(value);
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(fields).toSorted()) {
    const given = fields[name];
    const is = rules[name]?.is;
    // JSON omits what is undefined.
    if (given === undefined || is === 'how') continue;
    const further = { ...place, path: path === '' ? name : `${path}.${name}`, is };
    entries.push([name, await toPlain(given, further)]);
  }
  return Object.fromEntries(entries);
}

/** The file at a path, which is opened once. Throws if it cannot be. */
async function open(from: string | URL, { path, files }: Place): Promise<Blob> {
  const opening = files.get(from) ?? openFile(from, path);
  files.set(from, opening);
  const opened = await opening;
  if (opened.isErr()) throw opened.error;
  return opened.value;
}

/** Bytes as a file; `undefined` for what has none. */
function fileOf(value: object): Blob | undefined {
  if (value instanceof Blob) return value;
  // A view of a SharedArrayBuffer works too, which the type excludes.
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value)
    ? new Blob([value as BlobPart])
    : undefined;
}

/** A digest of the bytes of a file, which is never in memory as a whole. */
async function digestOfFile(file: Blob, stop: AbortSignal | undefined): Promise<string> {
  const chunk = new Uint8Array(chunkBytes);
  // The digest so far, followed by that of the next chunk.
  const folded = new Uint8Array(64);
  for (let offset = 0; offset < file.size; offset += chunkBytes) {
    const length = await readInto(chunk, file.slice(offset, offset + chunkBytes), stop);
    folded.set(await digestOf(chunk.subarray(0, length)), 32);
    folded.set(await digestOf(folded));
  }
  return `${file.size} ${toHex(folded.subarray(0, 32))}`;
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/**
 * Reads a part of a file, and says how long it is. What the runtime reads it into is given back at once: too little else
 * happens here for the garbage collector to run before there are 60 MB of it.
 */
async function readInto(chunk: Uint8Array, part: Blob, stop: AbortSignal | undefined): Promise<number> {
  // Another class of files may stream bytes that it keeps.
  const isOwn = part.stream === Blob.prototype.stream;
  const reader = part.stream().getReader();
  const turn = takingTurns();
  for (let length = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return length;
    await turn();
    if (stop?.aborted === true) throw new Error('the call has ended');
    chunk.set(value, length);
    length += value.length;
    // Older runtimes cannot, which the type does not say. A runtime may still use the rest of a longer buffer.
    const buffer: ArrayBuffer & { readonly transfer?: (bytes: number) => unknown } = value.buffer;
    if (isOwn && buffer.byteLength === value.length) buffer.transfer?.(0);
  }
}
