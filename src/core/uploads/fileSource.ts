import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { ConfigurationError } from '../errors.ts';
import type { Rule } from '../options/check.ts';

/** A file: its bytes, or its path as a string or a file URL. */
export type FileSource = Blob | ArrayBuffer | Uint8Array | string | URL;

/** The rule for a file. */
export const fileSource: Rule = (value) => {
  if (typeof value === 'string') return value === '' ? 'must not be empty' : undefined;
  if (value instanceof URL) return value.protocol === 'file:' ? undefined : 'must be a file URL';
  return value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value)
    ? undefined
    : 'must be a Blob, an ArrayBuffer, a Uint8Array, a path or a file URL';
};

/** Opens the file of an option. Only one byte of it is read, to check that it is readable. */
export function openFile(source: FileSource, option: string): ResultAsync<Blob, ConfigurationError> {
  return new ResultAsync(open(source, option));
}

async function open(source: FileSource, option: string): Promise<Result<Blob, ConfigurationError>> {
  const isPath = typeof source === 'string' || source instanceof URL;
  const openAsBlob = findOpenAsBlob();
  if (isPath && openAsBlob === undefined) return fail('cannot be a path: this runtime has no file system');
  let blob: Blob | undefined;
  try {
    // Bytes are copied, so that later changes by the caller do not affect the upload.
    blob = isPath
      ? await openAsBlob?.(source)
      : source instanceof Blob
        ? source
        : new Blob([source as BlobPart]);
  } catch {
    // A path may be private: the message does not repeat it.
  }
  if (blob === undefined) return fail('cannot be opened');
  if (blob.size === 0) return fail('must not be empty');
  return (await isReadable(blob)) ? ok(blob) : fail('cannot be read');

  function fail(fault: string): Result<never, ConfigurationError> {
    return err(new ConfigurationError(`${option} ${fault}`, option));
  }
}

/** Whether the last byte can be read. It cannot if the file is a directory, or has shrunk since it was opened. */
export async function isReadable(blob: Blob): Promise<boolean> {
  try {
    return (await blob.slice(-1).arrayBuffer()).byteLength === 1;
  } catch {
    return false;
  }
}

type OpenAsBlob = (path: string | URL) => Promise<Blob>;

/** The runtime's `openAsBlob`, if it has one. It is looked up at run time, so that bundles for browsers do not import it. */
function findOpenAsBlob(): OpenAsBlob | undefined {
  const { process } = globalThis as {
    readonly process?: {
      readonly getBuiltinModule?: (name: string) => { readonly openAsBlob?: OpenAsBlob } | undefined;
    };
  };
  return process?.getBuiltinModule?.('node:fs')?.openAsBlob;
}
