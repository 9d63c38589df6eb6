import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { ApiError, ConfigurationError } from '../errors.ts';
import { fieldsOf } from '../objects.ts';
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
  return new ResultAsync(isPath ? openPath(source, option) : ifReadable(source as Blob, option));
}

/** Like {@link openFile}, for paths. */
export async function openPath(
  path: string | URL,
  option: string,
): Promise<Result<Blob, ConfigurationError>> {
  const files = findFileSystem();
  if (files === undefined) return refused('cannot be a path: this runtime has no file system', option);
  try {
    return await ifReadable(await files.openAsBlob(path), option);
  } catch {
    // A string that is not a path may be long.
    const reason = `${await whyNot(path, files)}: ${String(path).slice(0, 200)}`;
    return refused(`cannot be opened: ${reason}`, option);
  }
}

async function ifReadable(blob: Blob, option: string): Promise<Result<Blob, ConfigurationError>> {
  if (blob.size === 0) return refused('must not be empty', option);
  return (await isReadable(blob)) ? ok(blob) : refused('cannot be read', option);
}

function refused(fault: string, option: string): Result<never, ConfigurationError> {
  return err(new ConfigurationError(`${option} ${fault}`, option));
}

/** Whether the last byte can be read. It cannot if the file is a directory, or has shrunk since it was opened. */
export async function isReadable(blob: Blob): Promise<boolean> {
  try {
    return (await blob.slice(-1).arrayBuffer()).byteLength === 1;
  } catch {
    return false;
  }
}

/** The failure of a file that is no longer what was opened. */
export function fileChanged(what: string): ApiError {
  return new ApiError(`the ${what} could not be read to its end: its file shrank or was removed`, {
    category: 'media',
    payload: {},
  });
}

/** Why a file cannot be opened, since opening it as a Blob does not say. */
async function whyNot(source: string | URL, files: FileSystem): Promise<string> {
  try {
    await files.promises.access(source, files.constants.R_OK);
    return 'it is not a regular file';
  } catch (thrown) {
    const code = String(fieldsOf(thrown)['code']);
    return reasons[code] ?? code;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is not a directory',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
};

interface FileSystem {
  readonly openAsBlob: (path: string | URL) => Promise<Blob>;
  readonly constants: { readonly R_OK: number };
  readonly promises: { readonly access: (path: string | URL, mode: number) => Promise<void> };
}

/** The file system, if the runtime has one. It is found at run time, since bundles for browsers must not import it. */
function findFileSystem(): FileSystem | undefined {
  try {
    // Not every runtime has it, so the types do not know it.
    const { process } = globalThis as {
      readonly process?: {
        readonly getBuiltinModule?: (name: string) => Partial<FileSystem> | undefined;
      };
    };
    const files = process?.getBuiltinModule?.('fs');
    // Where this function is, the others are.
    return files?.openAsBlob === undefined ? undefined : (files as FileSystem);
  } catch {
    // workerd has a `process`, and throws where a script that is no module reads it.
    return undefined;
  }
}
