import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, describe, expect, test, vi } from 'vitest';

import { inspectMedia, type MediaFacts, type MediaReader } from '../../src/media/index.ts';
import { fc, runs } from '../support/property.ts';
import { be, box, bytesOf, factsOf, fileOf, jpeg, segment } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'pagepics-'));
const path = join(folder, 'clip.mp4');
const clip = fileOf('default.mp4');
writeFileSync(path, clip);
afterAll(() => rmSync(folder, { recursive: true }));

describe('inspectMedia takes', () => {
  const expected = { width: 180, height: 320, durationMs: 3000, moov: 'end' };

  test.each<[string, Parameters<typeof inspectMedia>[0]]>([
    ['bytes', clip],
    ['a buffer', clip.slice().buffer],
    ['a Blob', new Blob([clip.slice()])],
    ['a File', new File([clip.slice()], 'clip.png', { type: 'image/png' })],
    ['a path', path],
    ['a file URL', pathToFileURL(path)],
    ['the text of a file URL', pathToFileURL(path).href],
    ['a reader', { size: clip.length, read: async (at, length) => clip.subarray(at, at + length) }],
    ['part of a buffer', bytesOf(1, 2, 3, clip).subarray(3)],
    ['a Buffer', Buffer.from(clip)],
  ])('%s', async (_, source) => {
    expect(await factsOf(source)).toMatchObject(expected);
  });
});

test('of a file that is at hand, little is read; of another, in few reads', async () => {
  const near = await factsOf(path);
  const far = await factsOf({
    size: clip.length,
    read: async (at, length) => clip.subarray(at, at + length),
  });

  expect(near.bytesRead).toBeLessThan(8000);
  expect(far).toMatchObject({ requests: 2, bytesRead: 70_197 });
  expect({ ...far, requests: near.requests, bytesRead: near.bytesRead }).toEqual(near);
});

describe('inspectMedia refuses', () => {
  function gone(): ArrayBuffer {
    const buffer = new ArrayBuffer(8);
    structuredClone(buffer, { transfer: [buffer] });
    return buffer;
  }

  function revoked(): object {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  }

  test.each<[string, unknown, object | undefined, string, RegExp]>([
    [
      'no file',
      './no-such.mp4',
      undefined,
      'source',
      /cannot be opened: there is no such file: \.\/no-such\.mp4/,
    ],
    ['a folder', folder, undefined, 'source', /not a regular file|cannot be read/],
    ['an address', 'https://example.com/a.mp4', undefined, 'source', /checkMediaUrl/],
    ['a URL', new URL('https://example.com/a.mp4'), undefined, 'source', /checkMediaUrl/],
    ['nothing', undefined, undefined, 'source', /must be bytes, a Blob, a path or/],
    ['a size below 0', { size: -1, read: () => clip }, undefined, 'source', /must be bytes/],
    ['bytes that have gone elsewhere', gone(), undefined, 'source', /must be bytes/],
    ['what cannot be looked at', revoked(), undefined, 'source', /must be bytes/],
    ['a bound that is too low', clip, { maxBytes: 100 }, 'maxBytes', /from 65536 to 67108864/],
    ['a signal that is none', clip, { signal: 'now' }, 'signal', /AbortSignal/],
  ])('%s', async (_, source, options, option, message) => {
    const result = await inspectMedia(source as Uint8Array, options);

    expect(result._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
      message: expect.stringMatching(message),
    });
  });

  test('what is no file, before any call', async () => {
    const error = (await inspectMedia(undefined as unknown as Uint8Array))._unsafeUnwrapErr();
    expect(error).toMatchObject({ operation: 'inspectMedia', option: 'source' });
    expect(error).not.toHaveProperty('callId');
  });

  test('a file that fails while it is read', async () => {
    const failed = await inspectMedia({
      size: 10,
      read: async () => {
        throw new Error('disk');
      },
    });

    expect(failed._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'source' });
  });

  test('to go on after the signal, even if the reader does', async () => {
    const controller = new AbortController();
    let isAsked = false;
    const call = inspectMedia(
      {
        size: 10,
        read: () => {
          isAsked = true;
          return new Promise(() => {});
        },
      },
      { signal: controller.signal },
    );
    await expect.poll(() => isAsked).toBe(true);
    controller.abort();

    expect((await call)._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', reason: 'aborted' });
    const later = await inspectMedia(clip, { signal: controller.signal });
    expect(later._unsafeUnwrapErr()).toMatchObject({ reason: 'aborted' });
  });

  test('to go on after the signal, even if the path cannot be opened', async () => {
    const opening = vi.spyOn(fs, 'openAsBlob').mockReturnValue(new Promise(() => {}));
    try {
      const controller = new AbortController();
      const call = inspectMedia(path, { signal: controller.signal });
      await expect.poll(() => opening.mock.calls.length).toBe(1);
      controller.abort();
      expect((await call)._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', reason: 'aborted' });
    } finally {
      opening.mockRestore();
    }
  });
});

/** A reader that counts. */
function counted(
  size: number,
  at: (offset: number, length: number) => Uint8Array,
): MediaReader & { reads: number } {
  const reader = {
    size,
    reads: 0,
    read: async (offset: number, length: number) => {
      reader.reads++;
      return at(offset, length);
    },
  };
  return reader;
}

describe('a file that means harm', () => {
  test('ends early', async () => {
    expect(await factsOf(clip.subarray(0, 50_000))).toMatchObject({
      format: 'mp4',
      incomplete: 'it ends early',
    });
    expect(await factsOf(clip.subarray(0, clip.length - 1000))).toMatchObject({
      format: 'mp4',
      kind: 'video',
    });
    expect(await factsOf(jpeg().subarray(0, 12))).toMatchObject({
      kind: 'image',
      incomplete: 'it ends within its header',
    });
  });

  test('is shorter than its size says', async () => {
    const reader = counted(1_000_000, (offset, length) => clip.subarray(offset, offset + length));

    expect(await factsOf(reader)).toMatchObject({ incomplete: 'it is shorter than its size says' });
  });

  test.each([
    ['an index of 4 GB', bytesOf(box('ftyp', 'isom'), be(0xffff_ffff, 4), 'moov'), /^its index has more/],
    ['an impossible length', bytesOf(box('ftyp', 'isom'), be(3, 4), 'moov'), /impossible size or name/],
    [
      'ten thousand boxes',
      bytesOf(...Array.from({ length: 10_001 }, () => box('free'))),
      /more than 10000 parts/,
    ],
    ['no index', box('ftyp', 'isom'), /no index/],
  ])('has %s', async (_name, bytes, reason) => {
    const facts = await factsOf(bytes);

    expect(facts.incomplete).toMatch(reason);
    expect(facts.requests).toBeLessThan(100);
  });

  test.each([
    [0, 0, undefined, undefined],
    [0, -4, 0, 0],
    [80, 60, 160, 64],
    // Of an odd rest, in halves.
    [0.5, 0, 1, 4],
  ])('has a clean aperture %d, %d from the middle', async (right, down, left, top) => {
    const width = right === 0.5 ? 639 : right ? 480 : 640;
    const clean = box(
      'clap',
      ...[width, 1, 360, 1, right * 2, 2, down * 2, 2].map((each) => be(each >>> 0, 4)),
    );
    const entry = box('avc1', new Uint8Array(24), be(640, 2), be(368, 2), new Uint8Array(50), clean);
    const media = box(
      'mdia',
      box('hdlr', be(0, 4), be(0, 4), 'vide'),
      box('minf', box('stbl', box('stsd', be(0, 4), be(1, 4), entry))),
    );
    const { video } = await factsOf(bytesOf(box('ftyp', 'isom'), box('moov', box('trak', media))));

    expect(video?.cleanAperture).toEqual({ width, height: 360, ...(left !== undefined && { left, top }) });
  });

  test('nests without end', async () => {
    const depth = 100_000;
    const bytes = new Uint8Array(8 * depth);
    for (let at = 0; at < depth; at++) bytes.set(bytesOf(be(8 * (depth - at), 4), 'moov'), 8 * at);

    expect(await factsOf(bytes)).toMatchObject({ format: 'mov', kind: 'unknown' });
  });

  test('claims ten million times in one entry, and as many samples', async () => {
    const table = box(
      'stbl',
      box('stsd', be(0, 4), be(1, 4), box('avc1', new Uint8Array(78))),
      box('stts', be(0, 4), be(1, 4), be(0xffff_ffff, 4), be(1, 4)),
      box('stsz', be(0, 4), be(1, 4), be(0xffff_ffff, 4)),
    );
    const track = box(
      'trak',
      box('tkhd', be(1, 4), new Uint8Array(80)),
      box(
        'mdia',
        box('hdlr', be(0, 4), be(0, 4), 'vide'),
        box('mdhd', new Uint8Array(12), be(1, 4)),
        box('minf', table),
      ),
    );
    const started = process.cpuUsage();
    const facts = await factsOf(bytesOf(box('ftyp', 'isom'), box('moov', track)));

    expect(facts).toMatchObject({ kind: 'video', video: { gop: 'unknown' } });
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });

  test('has a header of segments without end', async () => {
    const comments = segment(0xfe, '');
    const endless = new Uint8Array(comments.length * 20_000);
    for (let at = 0; at < 20_000; at++) endless.set(comments, at * comments.length);

    expect(await factsOf(bytesOf(0xff, 0xd8, endless))).toMatchObject({
      incomplete: expect.stringMatching(/more than 5000 segments/),
    });
  });

  test('would have to be read whole', async () => {
    const noise = new Uint8Array(100_000).fill(0x11);
    const reader = counted(10 ** 12, (offset, length) =>
      offset === 0
        ? bytesOf(0xff, 0xd8, 0xff, 0xfe, new Uint8Array(length - 4).fill(0x11))
        : length <= noise.length
          ? noise.subarray(0, length)
          : new Uint8Array(length).fill(0x11),
    );
    const facts = await factsOf(reader);

    expect(facts.incomplete).toMatch(/more than 16777216 bytes|more than 4096 reads/);
    expect(facts.bytesRead).toBeLessThanOrEqual(16_777_216);
  });
});

describe('whatever is changed in a file, the result has facts, within bounds', () => {
  const names = [
    'default.mp4',
    'fragmented.mp4',
    'open.mp4',
    'surround.mp4',
    'segments.mp4',
    'encrypted.mp4',
  ];
  const files = [...names.map(fileOf), jpeg({ before: [segment(0xe1, 'Exif\0\0MM\0*')] })];
  const headers = files.map((file) => {
    // Frames are zeros: only what is near something else is worth a change.
    const isNear = new Uint8Array(file.length);
    for (const [at, byte] of file.entries()) if (byte > 0) isNear.fill(1, Math.max(0, at - 7), at + 9);
    return { file, places: [...file.keys()].filter((at) => isNear[at]) };
  });
  const change = fc.record({
    at: fc.nat(),
    value: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat({ max: 255 })),
    isWord: fc.boolean(),
  });
  const mutation = fc.record({
    index: fc.nat({ max: headers.length - 1 }),
    changes: fc.array(change, { minLength: 1, maxLength: 8 }),
    cut: fc.option(fc.nat(), { freq: 5 }),
  });

  function mutate({
    index,
    changes,
    cut,
  }: {
    index: number;
    changes: readonly { at: number; value: number; isWord: boolean }[];
    cut: number | null;
  }): Uint8Array {
    const { file, places } = headers[index] ?? { file: new Uint8Array(), places: [] };
    const bytes = file.slice();
    for (const { at, value, isWord } of changes) {
      const place = places[at % places.length] ?? 0;
      bytes.fill(value, place, place + (isWord ? 4 : 1));
    }
    return cut === null ? bytes : bytes.subarray(0, cut % bytes.length);
  }

  async function hold(bytes: Uint8Array): Promise<void> {
    const facts: MediaFacts = await factsOf(bytes);
    expect(facts.bytesRead).toBeLessThanOrEqual(16_777_216);
    expect(facts.requests).toBeLessThanOrEqual(4096);
    expect(numbersIn(facts).filter((each) => !Number.isFinite(each) || each < 0)).toEqual([]);
  }

  test('a hundred mutations', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, (each) => hold(mutate(each))),
      { numRuns: 100 },
    );
  });

  test('many more', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(mutation, (each) => hold(mutate(each))),
      { numRuns: runs(100_000) },
    );
  });

  test('any bytes', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), hold), { numRuns: 1000 });
  });
});

function numbersIn(value: unknown): number[] {
  // What is not finite would have become null.
  if (typeof value === 'number' || value === null) return [value ?? NaN];
  return typeof value === 'object' ? Object.values(value as object).flatMap(numbersIn) : [];
}
