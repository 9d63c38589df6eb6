import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { ApiError, ConfigurationError } from '../errors.ts';
import { ifReadable, openPath } from './path.ts';
import * as rule from './rules.ts';

/**
 * A file: its bytes, or its path as a string or a file URL. Never use a path from user input, such as a form: it could
 * name any file that your process may read.
 */
export type FileSource = Blob | ArrayBuffer | Uint8Array | string | URL;

/**
 * The rule for a file; `addressOption` names the option that takes an address instead. Bytes become a Blob at once, so
 * that later changes by the caller do not reach the upload.
 */
export function fileSource(addressOption?: string): rule.Rule<FileSource> {
  const source = rule.copying<FileSource>((value) => {
    if (value instanceof Blob) return { copy: value };
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      try {
        // A view of a SharedArrayBuffer works too, which the type excludes.
        return { copy: new Blob([value as BlobPart]) };
      } catch {
        return 'cannot be opened: its buffer is detached';
      }
    }
    if (value === '') return 'must not be empty';
    if (typeof value !== 'string' && !(value instanceof URL)) {
      return 'must be a Blob, an ArrayBuffer, a Uint8Array, a path or a file URL';
    }
    const address = String(value);
    if (/^https?:/i.test(address))
      return `must be a file${addressOption ? `: ${addressOption} takes addresses` : ''}`;
    if (/^file:/i.test(address) && URL.canParse(address)) return { copy: new URL(address) };
    return value instanceof URL ? 'must be a file URL' : { copy: value };
  });
  return rule.as('file', source);
}

/**
 * Opens the file of an option, which its rule has read: bytes are a Blob. Only one byte is read, to check that the file is
 * readable.
 */
export function openFile(source: FileSource, option: string): ResultAsync<Blob, ConfigurationError> {
  const isPath = typeof source === 'string' || source instanceof URL;
  // The rule leaves nothing but paths and Blobs.
  return new ResultAsync(opened(isPath ? openPath(source) : ifReadable(source as Blob), option));
}

async function opened(
  opening: Promise<Blob | string>,
  option: string,
): Promise<Result<Blob, ConfigurationError>> {
  const file = await opening;
  return typeof file === 'string' ? err(new ConfigurationError(`${option} ${file}`, option)) : ok(file);
}

/** The failure of a file that is no longer what was opened. */
export function fileChanged(what: string): ApiError {
  return new ApiError(`the ${what} could not be read to its end: its file shrank or was removed`, {
    category: 'media',
    payload: {},
  });
}
