import { boxHead, boxesIn, find } from './boxes.ts';
import { littleEndian, text, u32 } from './bytes.ts';
import { type PictureFacts, readExif, readJpeg, readTiff, sizesOf } from './jpeg.ts';
import type { Ranges } from './source.ts';
import type { ImageFacts, MediaFacts, MediaFormat } from './types.ts';

/** The list of properties of a HEIF file is not read if it is larger. */
const mostMeta = 1_048_576;

const plain: ImageFacts = { orientation: 1, isMultiPicture: false, hasGainMap: false, isAnimated: false };

/** Reads a picture; `undefined` if the format is none of pictures. `start` has the first bytes. */
export async function readPicture(
  ranges: Ranges,
  format: MediaFormat,
  start: Uint8Array,
): Promise<PictureFacts | undefined> {
  if (format === 'jpeg') return readJpeg(ranges);
  if (format === 'png') return readPng(await ranges.bytes(0, 65_536));
  if (format === 'gif')
    return sized(littleEndian(start, 6, 2), littleEndian(start, 8, 2), {
      isAnimated: text(start, 0, 4096).includes('NETSCAPE2.0'),
    });
  if (format === 'webp') return readWebp(start);
  if (format === 'bmp') return readBmp(start);
  if (format === 'tiff') return readTiff(ranges, start);
  if (format === 'heic' || format === 'avif') return { ...(await readHeif(ranges)), image: plain };
  return format === 'jxl' ? { image: plain } : undefined;
}

function readBmp(bytes: Uint8Array): PictureFacts {
  const isOld = bytes[14] === 12;
  return isOld
    ? sized(littleEndian(bytes, 18, 2), littleEndian(bytes, 20, 2))
    : // A picture from top to bottom has a negative height.
      sized(littleEndian(bytes, 18, 4), Math.abs(littleEndian(bytes, 22, 4) | 0));
}

function sized(width: number, height: number, more: Partial<ImageFacts> = {}): PictureFacts {
  const image = { ...plain, ...more };
  const stored = { width, height };
  return width > 0 && height > 0 ? { ...sizesOf(stored, image.orientation), stored, image } : { image };
}

function readPng(bytes: Uint8Array): PictureFacts {
  const type = bytes[25] ?? 0;
  let more: Partial<ImageFacts> = { colour: type & 2 ? 'untagged' : 'gray' };
  let at = 8;
  // What is about the picture stands before it.
  for (let left = 64; left > 0 && at + 8 <= bytes.length; left--) {
    const length = u32(bytes, at);
    const name = text(bytes, at + 4, 4);
    if (name === 'IDAT') break;
    if (name === 'acTL') more = { ...more, isAnimated: true };
    if (name === 'sRGB') more = { ...more, colour: 'srgb' };
    if (name === 'iCCP' && more.colour === 'untagged') more = { ...more, colour: 'other' };
    if (name === 'eXIf')
      more = { ...more, orientation: readExif(bytes.subarray(at + 8, at + 8 + length)).orientation };
    at += 12 + length;
  }
  return sized(u32(bytes, 16), u32(bytes, 20), {
    components: [1, 0, 3, 3, 2, 0, 4][type] ?? 0,
    bitDepth: bytes[24] ?? 0,
    ...more,
  });
}

function readWebp(bytes: Uint8Array): PictureFacts {
  const three = (at: number): number => littleEndian(bytes, at, 2) + (bytes[at + 2] ?? 0) * 0x10000;
  const type = text(bytes, 12, 4);
  if (type === 'VP8X') return sized(three(24) + 1, three(27) + 1, { isAnimated: ((bytes[20] ?? 0) & 2) > 0 });
  if (type === 'VP8L') {
    const bits = littleEndian(bytes, 21, 4);
    return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  return sized(littleEndian(bytes, 26, 2) & 0x3fff, littleEndian(bytes, 28, 2) & 0x3fff);
}

/** Reads the size of a picture of the HEIF family. */
async function readHeif(
  ranges: Ranges,
): Promise<Pick<MediaFacts, 'width' | 'height' | 'stored' | 'rotation'>> {
  let at = 0;
  for (let left = 32; left > 0 && at < ranges.size; left--) {
    const { type, head, length } = boxHead(await ranges.bytes(at, 16));
    if (length < head) return {};
    if (type === 'meta') {
      const bytes = length <= mostMeta ? await ranges.bytes(at, length) : new Uint8Array();
      return sizeOfItem(bytes.subarray(head + 4, length));
    }
    at += length;
  }
  return {};
}

function sizeOfItem(meta: Uint8Array): Pick<MediaFacts, 'width' | 'height' | 'stored' | 'rotation'> {
  const primary = find(meta, 'pitm');
  const id = primary[0] === 0 ? u32(primary, 2) & 0xffff : u32(primary, 4);
  const properties = boxesIn(find(meta, 'iprp', 'ipco'));
  const own = propertiesOf(find(meta, 'iprp', 'ipma'), id).map((index) => properties[index - 1]);
  const size = own.find((box) => box?.type === 'ispe')?.body;
  const turn = own.find((box) => box?.type === 'irot')?.body[0] ?? 0;
  if (!size) return {};
  const stored = { width: u32(size, 4), height: u32(size, 8) };
  // It is turned counterclockwise.
  const rotation = ([0, 270, 180, 90] as const)[turn & 3] ?? 0;
  const [width, height] = rotation % 180 ? [stored.height, stored.width] : [stored.width, stored.height];
  return { width, height, stored, rotation };
}

/** The numbers of the properties of an item. */
function propertiesOf(bytes: Uint8Array, id: number): readonly number[] {
  const isLong = (bytes[0] ?? 0) > 0;
  const isWide = ((bytes[3] ?? 0) & 1) === 1;
  let at = 8;
  for (let left = Math.min(u32(bytes, 4), 10_000); left > 0 && at < bytes.length; left--) {
    const item = isLong ? u32(bytes, at) : u32(bytes, at) >>> 16;
    at += isLong ? 4 : 2;
    const count = bytes[at++] ?? 0;
    const found = Array.from({ length: count }, (_, index) =>
      isWide ? (u32(bytes, at + index * 2) >>> 16) & 0x7fff : (bytes[at + index] ?? 0) & 0x7f,
    );
    if (item === id) return found;
    at += count * (isWide ? 2 : 1);
  }
  return [];
}
