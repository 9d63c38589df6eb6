import { bodyOf, boxHead, boxesIn, find } from './boxes.ts';
import { littleEndian, startsWith, textAt, u16, u32, u8 } from './bytes.ts';
import { type PictureFacts, readExif, readJpeg, readTiff, sized } from './jpeg.ts';
import type { Loose } from './movie.ts';
import type { Ranges } from './source.ts';
import type { ImageFacts, MediaFormat } from './types.ts';

/** The list of properties of a HEIF file is not read if it is larger. */
const mostMeta = 1_048_576;

/** Reads a picture, of which `start` has the first bytes. */
type ReadPicture = (ranges: Ranges, start: Uint8Array) => PictureFacts | Promise<PictureFacts>;

/** The formats of pictures. */
export const pictureReaders: Readonly<Partial<Record<MediaFormat, ReadPicture>>> = {
  jpeg: readJpeg,
  png: readPng,
  gif: readGif,
  webp: readWebp,
  bmp: readBmp,
  tiff: readTiff,
  heic: readHeif,
  avif: readHeif,
  jxl: () => sized(0, 0),
};

async function readGif(ranges: Ranges, start: Uint8Array): Promise<PictureFacts> {
  const isAnimated = await hasSecondPicture(ranges, start);
  return sized(littleEndian(start, 6, 2), littleEndian(start, 8, 2), { isAnimated });
}

/** How much of a GIF is read to find its second picture, at most. */
const mostGif = 4_194_304;

/** Whether a GIF has a second picture, which stands behind all of the first. */
async function hasSecondPicture(ranges: Ranges, start: Uint8Array): Promise<boolean> {
  const end = Math.min(mostGif, ranges.room(), ranges.size);
  const table = (flags: number): number => (flags & 128 ? 6 << (flags & 7) : 0);
  let [from, bytes] = [0, start];
  let [pictures, mark, isInside] = [0, 0, false];
  for (let at = 13 + table(u8(start, 10)); at < end;) {
    // It waits only for what is not at hand.
    if (at + 10 > from + bytes.length && from + bytes.length < end) {
      bytes = await ranges.bytes(at, Math.min(ranges.isNear ? 16_384 : 1_048_576, end - at));
      from = at;
    }
    const byte = u8(bytes, at - from);
    if (isInside) {
      // Parts of a block, up to one without bytes.
      isInside = byte > 0;
      at += byte + 1;
      continue;
    }
    mark = byte;
    isInside = true;
    if (mark === 0x2c) {
      if (++pictures > 1) return true;
      at += 11 + table(u8(bytes, at - from + 9));
    } else if (mark === 0x21) at += 2;
    else break;
  }
  // Of what ends early, or is too long to look, those that are told to repeat have several.
  return mark !== 0x3b && textAt(start, 0, 1024).includes('NETSCAPE2.0');
}

function readBmp(_: Ranges, bytes: Uint8Array): PictureFacts {
  const half = u8(bytes, 14) === 12 ? 2 : 4;
  // A picture from top to bottom has a negative height.
  return sized(littleEndian(bytes, 18, half), Math.abs(littleEndian(bytes, 18 + half, half) | 0));
}

async function readPng(ranges: Ranges): Promise<PictureFacts> {
  const bytes = await ranges.bytes(0, 65_536);
  const type = u8(bytes, 25);
  let { colour, orientation, isAnimated }: Loose<ImageFacts> = { colour: type & 2 ? 'untagged' : 'gray' };
  let at = 8;
  // What is about the picture stands before it.
  for (let left = 64; left > 0 && at + 8 <= bytes.length; left--) {
    const length = u32(bytes, at);
    const name = textAt(bytes, at + 4, 4);
    if (name === 'IDAT') break;
    if (name === 'acTL') isAnimated = u32(bytes, at + 8) > 1;
    if (name === 'sRGB') colour = 'srgb';
    // A profile is compressed.
    if (name === 'iCCP' && colour === 'untagged') colour = undefined;
    if (name === 'eXIf') ({ orientation } = readExif(bytes.subarray(at + 8, at + 8 + length)));
    at += 12 + length;
  }
  return sized(u32(bytes, 16), u32(bytes, 20), {
    components: [1, 0, 3, 3, 2, 0, 4][type],
    bitDepth: u8(bytes, 24),
    colour,
    orientation,
    isAnimated,
  });
}

async function readWebp(ranges: Ranges, bytes: Uint8Array): Promise<PictureFacts> {
  const number = (at: number, length: number): number => littleEndian(bytes, at, length);
  const type = textAt(bytes, 12, 4);
  if (type === 'VP8L') {
    const bits = number(21, 4);
    return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (type !== 'VP8X') return sized(number(26, 2) & 0x3fff, number(28, 2) & 0x3fff);
  const flags = number(20, 1);
  let orientation: ImageFacts['orientation'] | undefined;
  let at = 12;
  let pictures = 0;
  // EXIF stands behind the picture, and so do all pictures of an animation but the first.
  for (let left = flags & 10 ? 64 : 0; left > 0 && at < ranges.size; left--) {
    const chunk = await ranges.bytes(at, 8);
    const length = littleEndian(chunk, 4, 4);
    at += 8;
    if (startsWith(chunk, 'EXIF')) {
      const exif = await ranges.bytes(at, Math.min(length, 65_536));
      ({ orientation } = readExif(exif.subarray(0, length)));
      break;
    }
    if (startsWith(chunk, 'ANMF') && ++pictures > 1 && !(flags & 8)) break;
    at += length + (length % 2);
  }
  return sized(number(24, 3) + 1, number(27, 3) + 1, { orientation, isAnimated: pictures > 1 });
}

/** Reads the size of a picture of the HEIF family. */
async function readHeif(ranges: Ranges, start: Uint8Array): Promise<PictureFacts> {
  const isAnimated = /^(?:avis|msf1|hev[cs])/.test(textAt(start, 8, 4));
  let at = 0;
  for (let left = 32; left > 0 && at < ranges.size; left--) {
    const { type, head, length } = boxHead(await ranges.bytes(at, 16));
    if (length < head) break;
    if (type === 'meta' && length <= mostMeta)
      return sizeOfItem((await ranges.bytes(at, length)).subarray(head + 4, length), isAnimated);
    at += length;
  }
  return sized(0, 0, { isAnimated });
}

function sizeOfItem(meta: Uint8Array, isAnimated: boolean): PictureFacts {
  const primary = find(meta, 'pitm');
  const id = primary[0] === 0 ? u16(primary, 4) : u32(primary, 4);
  const properties = boxesIn(find(meta, 'iprp', 'ipco'));
  const own = propertiesOf(find(meta, 'iprp', 'ipma'), id).flatMap((index) => properties[index - 1] ?? []);
  const size = bodyOf(own, 'ispe');
  const facts = sized(u32(size, 4), u32(size, 8), { isAnimated });
  // It is turned counterclockwise.
  const rotation = ([0, 270, 180, 90] as const)[u8(bodyOf(own, 'irot'), 0) & 3] ?? 0;
  const { width, height } = facts;
  return { ...facts, rotation, ...(rotation % 180 && { width: height, height: width }) };
}

/** The numbers of the properties of an item. */
function propertiesOf(bytes: Uint8Array, id: number): readonly number[] {
  const width = bytes[0] ? 4 : 2;
  const isWide = u8(bytes, 3) & 1;
  let at = 8;
  for (let left = Math.min(u32(bytes, 4), 10_000); left > 0 && at < bytes.length; left--) {
    const item = width > 2 ? u32(bytes, at) : u16(bytes, at);
    at += width;
    const count = u8(bytes, at++);
    if (item === id)
      return Array.from({ length: count }, (_, index) =>
        isWide ? u16(bytes, at + index * 2) & 0x7fff : u8(bytes, at + index) & 127,
      );
    at += isWide ? count * 2 : count;
  }
  return [];
}
