import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { ConfigurationError } from '../../core/errors.ts';
import type { Rule } from '../../core/options/check.ts';

/** A video: its bytes, or the path of its file as a string or a file URL. */
export type Video = Blob | ArrayBuffer | Uint8Array | string | URL;

/** The rule for a video. */
export const isVideo: Rule = (value) => {
  if (typeof value === 'string') return value === '' ? 'must not be empty' : undefined;
  if (value instanceof URL) return value.protocol === 'file:' ? undefined : 'must be a file URL';
  return value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value)
    ? undefined
    : 'must be a Blob, an ArrayBuffer, a Uint8Array, a path or a file URL';
};

/** Opens a video. A file is not read here, but for one byte that shows whether it can be. */
export function openVideo(video: Video): ResultAsync<Blob, ConfigurationError> {
  return new ResultAsync(open(video));
}

async function open(video: Video): Promise<Result<Blob, ConfigurationError>> {
  const isPath = typeof video === 'string' || video instanceof URL;
  const openAsBlob = fileOpener();
  if (isPath && openAsBlob === undefined) return fault('cannot be a path: this runtime has no file system');
  let blob: Blob | undefined;
  try {
    // Bytes are copied: what the caller does to them meanwhile does not reach the upload.
    blob = isPath ? await openAsBlob?.(video) : video instanceof Blob ? video : new Blob([video as BlobPart]);
  } catch {
    // A path may be no one else's business: the message does not repeat it.
  }
  if (blob === undefined) return fault('cannot be opened');
  if (blob.size === 0) return fault('must not be empty');
  return (await isReadable(blob)) ? ok(blob) : fault('cannot be read');
}

/** Whether the last byte can be read: not if the file is a directory, or shrank since it was opened. */
export async function isReadable(blob: Blob): Promise<boolean> {
  try {
    return (await blob.slice(-1).arrayBuffer()).byteLength === 1;
  } catch {
    return false;
  }
}

function fault(message: string): Result<never, ConfigurationError> {
  return err(new ConfigurationError(`video ${message}`, 'video'));
}

type OpenAsBlob = (path: string | URL) => Promise<Blob>;

/** Opens files, where the runtime has any. Found at run time: bundles for browsers must not import it. */
function fileOpener(): OpenAsBlob | undefined {
  const { process } = globalThis as {
    readonly process?: {
      readonly getBuiltinModule?: (name: string) => { readonly openAsBlob?: OpenAsBlob } | undefined;
    };
  };
  return process?.getBuiltinModule?.('node:fs')?.openAsBlob;
}
