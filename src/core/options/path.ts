import { fieldsOf } from '../objects.ts';

/** Opens the file at a path. What its promise gives as a text is why that cannot be done. */
export async function openPath(path: string | URL): Promise<Blob | string> {
  const files = findFileSystem();
  if (files === undefined) return 'cannot be a path: this runtime has no file system';
  try {
    return await ifReadable(await files.openAsBlob(path));
  } catch {
    // A string that is not a path may be long.
    return `cannot be opened: ${await whyNot(path, files)}: ${String(path).slice(0, 200)}`;
  }
}

/** A file, unless it has no bytes that can be read. */
export async function ifReadable(file: Blob): Promise<Blob | string> {
  return file.size === 0 ? 'must not be empty' : (await isReadable(file)) ? file : 'cannot be read';
}

/** Whether the last byte can be read. It cannot if the file is a directory, or has shrunk since it was opened. */
export async function isReadable(blob: Blob): Promise<boolean> {
  try {
    return (await blob.slice(-1).arrayBuffer()).byteLength === 1;
  } catch {
    return false;
  }
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
