import { setImmediate } from 'node:timers/promises';

import { describe, expect, test, vi } from 'vitest';

import { uploadBody } from '../../../src/core/uploads/uploadBody.ts';

describe('the body of an upload', () => {
  test('is read no sooner than it is sent', async () => {
    const onRead = vi.fn<(bytes: number) => void>();
    const reader = uploadBody(new Blob(['abc']), 1, onRead)
      .stream()
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
    for await (const piece of uploadBody(new Blob([bytes]), 0, onRead).stream()) pieces.push(piece);

    expect(pieces.map(({ length }) => length)).toEqual([16_384, 16_384, 7232]);
    expect(onRead.mock.calls.flat()).toEqual([16_384, 16_384, 7232]);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });

  test('lets go of the file when it is not wanted any more', async () => {
    const cancel = vi.fn<(reason: unknown) => void>();
    const part = Object.assign(new Blob(), { stream: () => new ReadableStream({ cancel }) });
    const file = Object.assign(new Blob(), { slice: () => part });

    await uploadBody(file, 0, () => undefined)
      .stream()
      .cancel('enough');

    expect(cancel.mock.calls).toEqual([['enough']]);
  });
});
