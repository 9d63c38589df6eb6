import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import * as v from 'valibot';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { type FileSource, fileSource, openFile } from '../../../src/core/options/fileSource.ts';
import { faultIn } from '../../support/rules.ts';

const rule = fileSource('photoUrl');

/** What a rule makes of a file, as text. */
async function read(value: FileSource): Promise<string> {
  const checked = v.safeParse(rule, value);
  if (!checked.success) return checked.issues[0].message;
  const opened = await openFile(checked.output, 'photo');
  return opened.isOk() ? opened.value.text() : opened.error.message;
}

afterEach(() => void vi.restoreAllMocks());

describe('a file', () => {
  test('is a path, a file URL, or the text of one', async () => {
    const path = join(tmpdir(), `file source ${process.pid}.txt`);
    writeFileSync(path, 'abc');
    const url = pathToFileURL(path);

    expect(await Promise.all([path, url, url.href].map(read))).toEqual(['abc', 'abc', 'abc']);
    expect(await read('file:///no/such/file')).toBe(
      'photo cannot be opened: there is no such file: file:///no/such/file',
    );
    expect(await read(`${path}/a.jpg`)).toBe(
      `photo cannot be opened: a part of its path is not a directory: ${path}/a.jpg`,
    );
    expect(await read('')).toBe('must not be empty');
    // A string that is not a path may be long.
    expect((await read('data:'.padEnd(1e6, 'x'))).length).toBeLessThan(300);
  });

  test.each([
    ['EACCES', 'it may not be read'],
    ['EPERM', 'it may not be read'],
    ['EMFILE', 'EMFILE'],
    [undefined, 'it is not a regular file'],
  ])('that cannot be opened says why: %s', async (code, reason) => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue({
      openAsBlob: () => Promise.reject(new Error('Unable to open file as blob')),
      constants: { R_OK: 4 },
      promises: { access: async () => code && Promise.reject(Object.assign(new Error('No'), { code })) },
    } as unknown as object);

    expect(await read('/a.jpg')).toBe(`photo cannot be opened: ${reason}: /a.jpg`);
  });

  test.each([
    ['has none', () => undefined],
    ['has no such function', () => ({})],
    [
      'throws',
      () => {
        throw new Error('no process');
      },
    ],
  ])('is no path where the runtime, asked for its file system, %s', async (_, find) => {
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(find);

    expect(await read('/a.jpg')).toBe('photo cannot be a path: this runtime has no file system');
  });

  test('is no address, which goes to another option', async () => {
    for (const address of ['https://example.com/a.jpg', new URL('http://example.com/a.jpg')]) {
      expect(await read(address)).toBe('must be a file: photoUrl takes addresses');
    }
    expect(faultIn(fileSource(), 'https://example.com/a.jpg')).toBe('must be a file');
    expect(await read(new URL('data:,a'))).toBe('must be a file URL');
  });

  test('of bytes has those of the call', async () => {
    const bytes = new TextEncoder().encode('abcd');
    for (const [source, text] of [
      [bytes, 'abcd'],
      [bytes.subarray(1, 3), 'bc'],
      [bytes.buffer, 'abcd'],
    ] as const) {
      const reading = read(source);
      const before = bytes.slice();
      bytes.fill(0);
      expect(await reading).toBe(text);
      bytes.set(before);
    }
  });
});
