import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { inspectMedia, type MediaFacts } from '../../src/media/index.ts';

/** A file that an encoder wrote, with frames of zeros: see `make.sh`. */
export function fileOf(name: string): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(`test/media/files/${name}.gz`)));
}

export async function factsOf(source: Parameters<typeof inspectMedia>[0]): Promise<MediaFacts> {
  return (await inspectMedia(source))._unsafeUnwrap();
}

/** Bytes of numbers, and of texts with one byte for each character. */
export function bytesOf(...parts: readonly (number | string | Uint8Array)[]): Uint8Array {
  const bytes = Buffer.concat(
    parts.map((part) =>
      typeof part === 'number'
        ? Uint8Array.of(part)
        : typeof part === 'string'
          ? Buffer.from(part, 'latin1')
          : part,
    ),
  );
  // Plain bytes, which are no part of a pool.
  return Uint8Array.from(bytes);
}

/** A number in two or four bytes, the highest first. */
export function be(value: number, length: 2 | 4): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes.subarray(4 - length);
}

/** A box of an ISO file. */
export function box(type: string, ...parts: readonly (number | string | Uint8Array)[]): Uint8Array {
  const body = bytesOf(...parts);
  return bytesOf(be(body.length + 8, 4), type, body);
}

/** A segment of a JPEG. */
export function segment(marker: number, ...parts: readonly (number | string | Uint8Array)[]): Uint8Array {
  const body = bytesOf(...parts);
  return bytesOf(0xff, marker, be(body.length + 2, 2), body);
}

interface Picture {
  readonly width?: number;
  readonly height?: number;
  readonly marker?: number;
  readonly components?: number;
  readonly bits?: number;
  /** Between the start and the frame, and between the frame and the scan. */
  readonly before?: readonly Uint8Array[];
  readonly after?: readonly Uint8Array[];
}

/** A JPEG with such a header, and a scan of zeros. */
export function jpeg({
  width = 1080,
  height = 1350,
  marker = 0xc0,
  components = 3,
  bits = 8,
  before = [],
  after = [],
}: Picture = {}): Uint8Array {
  const samplings = Array.from({ length: components }, (_, index) => bytesOf(index + 1, 0x11, 0));
  return bytesOf(
    0xff,
    0xd8,
    ...before,
    segment(marker, bits, be(height, 2), be(width, 2), components, ...samplings),
    ...after,
    segment(0xda, 1, 1, 0, 0, 63, 0),
    new Uint8Array(64),
    0xff,
    0xd9,
  );
}

/** A list of a TIFF structure: numbers, or the place of more. */
export function tiff(
  entries: readonly (readonly [tag: number, type: number, count: number, value: Uint8Array])[],
): Uint8Array {
  return bytesOf(
    'MM\0*',
    be(8, 4),
    be(entries.length, 2),
    ...entries.flatMap(([tag, type, count, value]) => [be(tag, 2), be(type, 2), be(count, 4), value]),
    be(0, 4),
  );
}

/** EXIF with an orientation. */
export function exif(orientation: number): Uint8Array {
  return segment(0xe1, 'Exif\0\0', tiff([[0x112, 3, 1, bytesOf(be(orientation, 2), 0, 0)]]));
}

/** A colour profile with three colorants, whose name is of no account. */
export function profile(space: string, colorants: readonly (readonly number[])[]): Uint8Array {
  const names = ['rXYZ', 'gXYZ', 'bXYZ'].slice(0, colorants.length);
  const first = 132 + names.length * 12;
  const tags = names.map((name, index) => bytesOf(name, be(first + index * 20, 4), be(20, 4)));
  const values = colorants.map((xyz) =>
    bytesOf('XYZ \0\0\0\0', ...xyz.map((each) => be(Math.round(each * 65_536), 4))),
  );
  const head = new Uint8Array(128);
  head.set(bytesOf(space), 16);
  return bytesOf(head, be(names.length, 4), ...tags, ...values);
}
