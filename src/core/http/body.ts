import { takingTurns } from '../options/clock.ts';
import { toForm } from './addresses.ts';
import type { Params } from './types.ts';

/** A body that is read as it is sent. */
interface Streamed {
  readonly body: Blob;
  readonly redirect?: 'error';
}

/**
 * Sends a body as it is read. Unless redirects are errors, Node keeps a copy of everything that it sends of it.
 * workerd does not support the setting, and refuses it.
 */
export function streamed(body: Blob): Streamed {
  try {
    void new Request('https://host.invalid', { redirect: 'error' });
    return { body, redirect: 'error' };
  } catch {
    return { body };
  }
}

/** Fields and files as a multipart body; a file is named like its field unless `fileName` says. */
export function multipart(
  fields: Params,
  files: Readonly<Record<string, Blob | undefined>>,
  fileName?: string,
): Streamed {
  const entries: Entry[] = [...toForm(fields)];
  for (const [name, file] of Object.entries(files)) if (file) entries.push([name, file, fileName]);
  return encoded(entries);
}

/** A text, or a file. The file name distinguishes a file from a field. */
type Entry = readonly [name: string, value: string | Blob, fileName?: string | undefined];

/** The entries of a form, whose texts are sent as they are: `fetch` writes their ends of lines anew. */
export function multipartOf(form: FormData): Streamed {
  return encoded(
    Array.from(form, ([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value, value.name],
    ),
  );
}

/**
 * Files are read as they are sent, and again with each attempt.
 *
 * It is a Blob, not a FormData, of which Node makes a stream whose failures reach nobody. The type of a Blob, boundary
 * included, becomes the `content-type`.
 */
function encoded(entries: readonly Entry[]): Streamed {
  const boundary = `${random()}${random()}`;
  const parts: BlobPart[] = [];
  for (const [name, value, fileName = name] of entries) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
    if (typeof value === 'string') parts.push(`${head}\r\n\r\n${value}\r\n`);
    else
      parts.push(
        `${head}; filename="${quoted(fileName)}"\r\nContent-Type: ${typeOf(value)}\r\n\r\n`,
        value,
        '\r\n',
      );
  }
  return streamed(
    new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` }),
  );
}

/** A name within its quotes. */
function quoted(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent);
}

/** The type of a file; anything but a plain type could break out of its header line. */
function typeOf({ type }: Blob): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream';
}

function random(): string {
  return Math.random().toString(36).slice(2);
}

/**
 * Size of a chunk in bytes. Node's own chunks are four times as large, which leaves more to the garbage collector: 80
 * MB for a long upload, compared with 40 MB with these.
 */
const pieceSize = 16_384;

/**
 * A part of a file as the body of a request, which reports the bytes that are read. Once `isOver` says that the request
 * has ended, it gives no more: Node would go on reading a file to its end after the connection is lost.
 *
 * It is a Blob, so that every runtime knows and sends its length. Node reads a Blob through its `stream`; runtimes that
 * do not report no progress.
 */
export function uploadBody(
  file: Blob,
  offset: number,
  onRead: (bytes: number) => void,
  isOver: () => boolean,
): Streamed {
  const part = file.slice(offset);
  const stream = part.stream.bind(part);
  return streamed(Object.assign(part, { stream: () => inPieces(stream(), onRead, isOver) }));
}

function inPieces(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  onRead: (bytes: number) => void,
  isOver: () => boolean,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader();
  const turn = takingTurns();
  let rest: Uint8Array<ArrayBuffer> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        if (isOver()) return controller.close();
        while (rest === undefined || rest.length === 0) {
          const { done, value } = await reader.read();
          await turn();
          if (done || isOver()) return controller.close();
          rest = value;
        }
        const piece = rest.subarray(0, pieceSize);
        rest = rest.subarray(pieceSize);
        controller.enqueue(piece);
        onRead(piece.length);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before the network is ready for it.
    { highWaterMark: 0 },
  );
}
