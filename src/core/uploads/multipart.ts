import { toForm } from '../http/address.ts';
import type { Params } from '../http/types.ts';

/**
 * Fields and files as a multipart body. Files are read as they are sent, and again with each attempt.
 *
 * It is a Blob, not a FormData: what Node makes of the latter rejects without anyone to catch it when the request ends
 * early. The type of a Blob, boundary included, becomes the `content-type`.
 */
export function multipart(fields: Params, files: Readonly<Record<string, Blob | undefined>>): Blob {
  const boundary = `${random()}${random()}`;
  const parts: BlobPart[] = [];
  for (const [name, value] of toForm(fields)) parts.push(`${head(name)}\r\n\r\n${value}\r\n`);
  for (const [name, file] of Object.entries(files)) {
    if (file === undefined) continue;
    // A file name is what tells a file from a field.
    parts.push(`${head(name)}; filename="${name}"\r\nContent-Type: ${typeOf(file)}\r\n\r\n`, file, '\r\n');
  }
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });

  function head(name: string): string {
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
  }
}

/** The type of a file; one that is no plain type could end its line. */
function typeOf({ type }: Blob): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream';
}

function random(): string {
  return Math.random().toString(36).slice(2);
}
