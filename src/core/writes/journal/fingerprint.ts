import { openFile } from '../../options/fileSource.ts';
import type { Entry } from './entry.ts';
import type { KeyedContext } from './types.ts';

/**
 * The options that say what to publish, and the fields of their items. Whatever else a caller's object holds, such as
 * the other columns of a row, may differ from call to call, and may be what JSON cannot hold.
 */
const content = (
  'pageId picsUserId recipientId commentId postId objectId mediaId containerId ' +
  'message text link draft published scheduledAt callToAction targeting feedTargeting title description thumbnail ' +
  'photo photoUrl photoId photos altText attachmentUrl video videoUrl caption imageUrl imageUrls items ' +
  'isReel shareToFeed locationId collaborators isAiGenerated userTags productTags coverUrl thumbOffsetMs audioName trial ' +
  'quickReplies attachment images template sticker replyTo humanAgent ' +
  'username x y productId payload type url attachmentId'
)
  .split(' ')
  .toSorted();
/** Options whose fields are the platform's, and all sent. */
const isSentAsItIs = /^(?:template|targeting|feedTargeting)$/;
/** Options that take a file, or the path of one. */
const isFile = /^(?:video|photo|thumbnail|file)$/;
/** Bytes of a file that are held at once. */
const chunkBytes = 1_048_576;

/** What a call publishes, as its entry knows it. */
export interface Content extends Pick<Entry, 'digest' | 'under'> {
  /** Whether an entry is of this content; `undefined` where its digest cannot be compared. */
  readonly isOf: (entry: Entry) => Promise<boolean | undefined>;
}

/**
 * Digests what a call publishes: under the app secret, or under the idempotency key where there is none. Short texts
 * could be guessed from a digest under the key, which the store holds beside it.
 *
 * Of media addresses, the query is left out, since that of a signed one changes; files are known by their bytes.
 */
export async function digestContent(
  key: string,
  name: string,
  options: object,
  signer: Signer | undefined,
): Promise<Content> {
  const fields = Object(await toPlain(options, '', '', content)) as object;
  const plain = JSON.stringify(fields);
  const underKey = (called: string, text = plain): Promise<string> =>
    hmac(key, `[${JSON.stringify(called)},${text}]`);
  /** Version 1 did not name the client, and took calls without an account, which was that of the token. */
  const ofVersionOne = (): Promise<string[]> =>
    Promise.all(
      [{}, { picsUserId: undefined }, { picsUserId: 'me' }].map((account) =>
        underKey(name.replace(/^.* /, ''), JSON.stringify({ ...fields, ...account })),
      ),
    );
  const own =
    signer === undefined
      ? { under: 'key', digest: await underKey(name) }
      : {
          // After a rotation, digests under another secret are told apart by this, and not compared.
          under: await signer.id,
          digest: await signer.sign(JSON.stringify([key, name, plain])),
        };
  return {
    ...own,
    isOf: async ({ digest, under }) => {
      if (under === own.under) return digest === own.digest;
      if (under === 'key') return digest === (await underKey(name));
      return under === undefined ? (await ofVersionOne()).includes(digest) : undefined;
    },
  };
}

/** A digest of a text, in hexadecimal, that nobody can repeat without the key. */
export async function hmac(key: string, text: string): Promise<string> {
  return signWith(importKey(key), text);
}

/** What signs under an app secret. */
interface Signer {
  /** Tells the secret from others. */
  readonly id: Promise<string>;
  readonly sign: (text: string) => Promise<string>;
}

/** Of the contexts that there are, by what sends their requests. */
const signers = new WeakMap<object, Signer & { readonly secret: string }>();

/** Signs under the app secret of a context, if it has one; for all calls of a context, its key is made once. */
export function signerOf({ fetcher, secret }: KeyedContext): Signer | undefined {
  if (secret === undefined) return undefined;
  const known = signers.get(fetcher);
  if (known?.secret === secret) return known;
  const key = importKey(secret);
  const sign = (text: string): Promise<string> => signWith(key, text);
  const id = sign('id of the secret').then((digest) => digest.slice(0, 16));
  const signer = { secret, id, sign };
  signers.set(fetcher, signer);
  return signer;
}

async function importKey(key: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', bytes.encode(key), algorithm, false, ['sign']);
}

async function signWith(key: Promise<CryptoKey>, text: string): Promise<string> {
  return toHex(await crypto.subtle.sign('HMAC', await key, bytes.encode(text)));
}

const bytes = new TextEncoder();

/**
 * A value as JSON shows it, whatever the order of its fields, and whether they are its own. `name` is that of the nearest
 * option, `names` are the fields that count; without them, all do.
 */
async function toPlain(
  value: unknown,
  name: string,
  parent: string,
  names: readonly string[] | undefined,
): Promise<unknown> {
  if (isFile.test(name) && (typeof value === 'string' || value instanceof URL)) {
    const opened = await openFile(value, name);
    if (opened.isErr()) throw opened.error;
    return toPlain(opened.value, name, parent, names);
  }
  if (typeof value === 'string') return isMediaAddress(name, parent) ? value.replace(/[?#].*$/s, '') : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Blob) return { file: await digestOfFile(value) };
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return { file: await digestOfFile(new Blob([value as BlobPart])) };
  }
  if (value instanceof Date || value instanceof URL) return value.toJSON();
  if (Array.isArray(value)) {
    return Promise.all(value.map((item: unknown) => toPlain(item, name, parent, names)));
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const entries: [string, unknown][] = [];
  for (const field of names ?? Object.keys(fields).toSorted()) {
    const given = fields[field];
    // JSON leaves it out.
    if (given === undefined) continue;
    const further = isSentAsItIs.test(field) ? undefined : names;
    entries.push([field, await toPlain(given, field, name, further)]);
  }
  return Object.fromEntries(entries);
}

function isMediaAddress(name: string, parent: string): boolean {
  return /Urls?$|^images$/.test(name) || (name === 'url' && parent === 'attachment');
}

/** A digest of the bytes of a file, which are never all in memory. */
async function digestOfFile(file: Blob): Promise<string> {
  let folded = new Uint8Array(32);
  for (let offset = 0; offset < file.size; offset += chunkBytes) {
    const chunk = await file.slice(offset, offset + chunkBytes).arrayBuffer();
    const digest = await crypto.subtle.digest('SHA-256', chunk);
    folded = new Uint8Array(
      await crypto.subtle.digest('SHA-256', new Uint8Array([...folded, ...new Uint8Array(digest)])),
    );
  }
  return `${file.size} ${toHex(folded.buffer)}`;
}

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
