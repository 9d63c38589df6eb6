import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { multipart, uploadBody } from '../../../src/core/http/body.ts';
import { fc } from '../../support/property.ts';

/** What a platform reads of a body. */
async function read({ body, redirect }: ReturnType<typeof multipart>): Promise<FormData> {
  // Or Node keeps a copy of all that it sends.
  expect(redirect).toBe('error');
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

describe('the body of an upload', () => {
  const isOver = (): boolean => false;

  test('is read no sooner than it is sent', async () => {
    const onRead = vi.fn<(bytes: number) => void>();
    const reader = uploadBody(new Blob(['abc']), 1, onRead, isOver)
      .body.stream()
      .getReader();
    await setImmediate();
    expect(onRead).not.toHaveBeenCalled();

    expect((await reader.read()).value).toEqual(new TextEncoder().encode('bc'));
    expect(onRead.mock.calls).toEqual([[2]]);
  });

  test('leaves the process in small pieces', async () => {
    const onRead = vi.fn<(bytes: number) => void>();
    const bytes = new Uint8Array(40_000).map((_, index) => index % 251);

    const pieces: Uint8Array[] = [];
    for await (const piece of uploadBody(new Blob([bytes]), 0, onRead, isOver).body.stream())
      pieces.push(piece);

    expect(pieces.map(({ length }) => length)).toEqual([16_384, 16_384, 7232]);
    expect(onRead.mock.calls.flat()).toEqual([16_384, 16_384, 7232]);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });

  test('ends with its request, however much is left', async () => {
    let read = 0;
    const onRead = (bytes: number): void => void (read += bytes);

    const pieces = uploadBody(new Blob([new Uint8Array(90_000)]), 0, onRead, () => read > 20_000);

    expect(await Array.fromAsync(pieces.body.stream())).toHaveLength(2);
  });

  test('lets go of the file when it is not wanted any more', async () => {
    const cancel = vi.fn<(reason: unknown) => void>();
    const part = Object.assign(new Blob(), { stream: () => new ReadableStream({ cancel }) });
    const file = Object.assign(new Blob(), { slice: () => part });

    await uploadBody(file, 0, () => undefined, isOver)
      .body.stream()
      .cancel('enough');

    expect(cancel.mock.calls).toEqual([['enough']]);
  });
});
