import { openFile } from '../uploads/fileSource.ts';
import { Stop } from './failures.ts';

/** Options that say how to call, not what to publish. Functions are left out as well. */
const notContent = /^(?:token|pageToken|signal|idempotencyKey|waitTimeoutMs|uploadTimeoutMs|uploadAttempts)$/;
/** Options that take a file, or the path of one. */
const isFile = /^(?:video|photo|thumbnail|file)$/;
/** Bytes of a file that are held at once. */
const chunkBytes = 1_048_576;

/**
 * A digest of what a call publishes, keyed by its idempotency key: short texts could be guessed from a bare one.
 *
 * Of media addresses, the query is left out, since that of a signed one changes; files are known by their bytes.
 */
export async function fingerprint(key: string, name: string, options: object): Promise<string> {
  const kept = Object.entries(options).filter(([option]) => !notContent.test(option));
  const content = JSON.stringify([name, await toPlain(Object.fromEntries(kept), '', '')]);
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const hmacKey = await crypto.subtle.importKey('raw', bytes.encode(key), algorithm, false, ['sign']);
  return toHex(await crypto.subtle.sign('HMAC', hmacKey, bytes.encode(content)));
}

/** A value as JSON shows it, whatever the order of its fields. `name` is that of the nearest option. */
async function toPlain(value: unknown, name: string, parent: string): Promise<unknown> {
  if (isFile.test(name) && (typeof value === 'string' || value instanceof URL)) {
    const opened = await openFile(value, name);
    if (opened.isErr()) throw new Stop(opened.error);
    return toPlain(opened.value, name, parent);
  }
  if (typeof value === 'string') return isMediaAddress(name, parent) ? value.replace(/[?#].*$/s, '') : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Blob) return { file: await digestOfFile(value) };
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return { file: await digestOfFile(new Blob([value as BlobPart])) };
  }
  if (value instanceof Date || value instanceof URL) return value.toJSON();
  if (Array.isArray(value)) {
    return Promise.all(value.map((item: unknown) => toPlain(item, name, parent)));
  }
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    await Promise.all(
      fields.map(async ([field, item]) => [field, await toPlain(item, field, name)] as const),
    ),
  );
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
