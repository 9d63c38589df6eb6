import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { multipart } from '../../../src/core/uploads/multipart.ts';
import { fc } from '../../support/property.ts';

/** What a platform reads of a body. */
async function read(body: Blob): Promise<FormData> {
  return new Response(body).formData();
}

async function bytesOf(value: FormDataEntryValue | null): Promise<number[]> {
  return [...new Uint8Array(await (value as Blob).arrayBuffer())];
}

describe('a multipart body', () => {
  test('has every field and file, and no absent one', async () => {
    const form = await read(
      multipart(
        { published: false, message: 'Grüße\n☕', count: 0, none: undefined, null: null },
        { source: new Blob([new Uint8Array([13, 10, 45, 45])], { type: 'image/png' }), thumb: undefined },
      ),
    );

    expect([...form.keys()]).toEqual(['published', 'message', 'count', 'source']);
    expect(form.get('published')).toBe('false');
    expect(form.get('message')).toBe('Grüße\n☕');
    expect(form.get('count')).toBe('0');
    expect(form.get('source')).toMatchObject({ type: 'image/png', size: 4 });
    expect(await bytesOf(form.get('source'))).toEqual([13, 10, 45, 45]);
  });

  test('is read from the file of a path, in parts of it too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'multipart-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(
      join(folder, 'a.bin'),
      Uint8Array.from({ length: 1000 }, (_, at) => at % 251),
    );
    const file = await openAsBlob(join(folder, 'a.bin'));

    const form = await read(multipart({}, { chunk: file.slice(300, 303) }));

    expect(await bytesOf(form.get('chunk'))).toEqual([49, 50, 51]);
  });

  test('holds no line that a type of a file adds', async () => {
    const form = await read(multipart({}, { source: new Blob(['a'], { type: 'image/png; name="b"' }) }));

    expect((form.get('source') as File).type).toBe('application/octet-stream');
  });

  test('keeps any text and any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.uint8Array(), async (text, bytes) => {
        const form = await read(
          multipart({ text }, { source: new Blob([bytes as Uint8Array<ArrayBuffer>]) }),
        );

        expect(form.get('text')).toBe(text);
        expect(await bytesOf(form.get('source'))).toEqual([...bytes]);
      }),
      { numRuns: 50 },
    );
  });
});
