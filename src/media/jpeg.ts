import { i32, littleEndian, startsWith, u16, u32, u8 } from './bytes.ts';
import type { Loose } from './movie.ts';
import { join, type Ranges } from './source.ts';
import type { ImageFacts, MediaFacts } from './types.ts';

type Orientation = ImageFacts['orientation'];
type Colour = NonNullable<ImageFacts['colour']>;

/** What a picture's reader finds. */
export type PictureFacts = Loose<
  Pick<MediaFacts, 'width' | 'height' | 'stored' | 'rotation' | 'image' | 'incomplete'>
>;

/** The segments before the picture; no camera comes near it. */
const mostSegments = 5000;
/** Each read is four times as long as the one before: headers have up to some megabytes. */
const growth = 4;

/** What segments begin with that tell something, and what they tell. */
const tellers: readonly (readonly [begins: string, take: (body: Uint8Array, found: Segments) => void])[] = [
  [
    'Exif\0',
    (body, found) => {
      found.exif ??= readExif(body);
    },
  ],
  [
    'http://ns.adobe.com/xap/1.0/\0',
    (body, found) => {
      const xmp = new TextDecoder('latin1').decode(body);
      found.hasGainMap ||= /hdrgm:Version|HDRGainMapVersion/.test(xmp);
      // An attribute or an element, whose value ends in a word of the IPTC.
      found.digitalSource = /DigitalSourceType\W[^<>]{0,200}?sourcetype\/(\w+)/.exec(xmp)?.[1];
    },
  ],
  [
    'ICC_PROFILE\0',
    (body, found) => {
      found.profile[u8(body, 12)] = body.subarray(14);
    },
  ],
  [
    'MPF\0',
    (body, found) => {
      found.isMultiPicture ||= hasSeveralPictures(body.subarray(4));
    },
  ],
  [
    'urn:iso:std:iso:ts:21496:-1',
    (_, found) => {
      found.hasGainMap = true;
    },
  ],
];
/** A segment up to the end of what it begins with. */
const segmentHead = 33;

/** Reads a JPEG up to where its first scan begins. */
export async function readJpeg(ranges: Ranges): Promise<PictureFacts> {
  let at = 2;
  let ahead = ranges.isNear ? 4096 : 65_536;
  const found: Segments = { profile: [] };
  let incomplete: string | undefined;

  for (let left = mostSegments; ; left--) {
    if (left === 0) {
      incomplete = `it has more than ${mostSegments} segments`;
      break;
    }
    let bytes = await ranges.bytes(at, segmentHead, ahead);
    // A marker may be preceded by any number of fill bytes, and some writers leave others behind.
    const skipped = fillBefore(bytes);
    if (skipped > 0) {
      at += skipped;
      continue;
    }
    if (bytes.length < 4) {
      incomplete = 'it ends within its header';
      break;
    }
    const marker = u8(bytes, 1);
    // Those without a length.
    if (marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    if (marker === 0xda || marker === 0xd9) break;
    const length = u16(bytes, 2);
    if (length < 2) {
      incomplete = 'a segment of its header has an impossible length';
      break;
    }
    const isFrame = marker === 0xc0 || (marker > 0xc0 && marker < 0xd0 && marker % 4 !== 0);
    const [, take] = tellers.find(([begins]) => startsWith(bytes, begins, 4)) ?? [];
    // What a file at hand has in segments that nobody asks for is not read.
    if ((isFrame || take || !ranges.isNear) && bytes.length < length + 2) {
      if (!ranges.isNear) ahead *= growth;
      bytes = await ranges.bytes(at, length + 2, ahead);
    }
    const body = bytes.subarray(4, length + 2);
    if (isFrame) found.frame ??= { marker, bytes: body };
    else take?.(body, found);
    at += length + 2;
  }
  const { frame, exif, profile, ...more } = found;
  if (!frame) return { incomplete: incomplete ?? 'it has no frame' };
  const components = u8(frame.bytes, 5);
  const facts = sized(u16(frame.bytes, 3), u16(frame.bytes, 1), {
    process: processOf(frame.marker),
    components,
    bitDepth: u8(frame.bytes, 0),
    orientation: exif?.orientation ?? 1,
    colour: colourOf(components, profile, exif?.colour),
    ...more,
  });
  return { ...facts, incomplete };
}

/** How many bytes come before the next marker. */
function fillBefore(bytes: Uint8Array): number {
  let skipped = 0;
  while (
    skipped < bytes.length &&
    (bytes[skipped] !== 0xff || bytes[skipped + 1] === 0xff || bytes[skipped + 1] === 0)
  )
    skipped++;
  return skipped;
}

/** What the segments before the picture tell. */
interface Segments {
  frame?: { readonly marker: number; readonly bytes: Uint8Array };
  exif?: Exif;
  hasGainMap?: boolean;
  isMultiPicture?: boolean;
  digitalSource?: string | undefined;
  /** The parts of the profile by their numbers, from 1. */
  readonly profile: Uint8Array[];
}

/**
 * A picture of this size, as it is stored, with what else is known of it. The height may be given after the picture;
 * then it has no size that is shown.
 */
export function sized(width: number, height: number, more: Loose<ImageFacts> = {}): PictureFacts {
  const { orientation = 1, isMultiPicture = false, hasGainMap = false, isAnimated = false } = more;
  const image = { ...more, orientation, isMultiPicture, hasGainMap, isAnimated };
  const stored = { width, height };
  const shown = orientation > 4 ? { width: height, height: width } : stored;
  return { ...(width > 0 && height > 0 && shown), ...(width > 0 && { stored }), image };
}

function processOf(marker: number): ImageFacts['process'] {
  if (marker % 4 === 3) return 'lossless';
  if (marker > 0xc8) return 'arithmetic';
  return marker === 0xc0 ? 'baseline' : marker % 4 === 2 ? 'progressive' : 'extended';
}

interface Exif {
  readonly orientation: Orientation;
  readonly colour: Colour | undefined;
}

/** Reads a TIFF structure, wherever its own sizes lead. */
function tiffOf(bytes: Uint8Array) {
  const isLittle = startsWith(bytes, 'II');
  const short = (at: number): number => (isLittle ? littleEndian(bytes, at, 2) : u16(bytes, at));
  const number = (at: number): number => (isLittle ? littleEndian(bytes, at, 4) : u32(bytes, at));
  /** Where the value of a tag stands in the list at an offset; 0 if it is not in it. */
  const place = (list: number, tag: number): number => {
    const end = Math.min(list && list + 2 + short(list) * 12, bytes.length - 11);
    for (let at = list + 2; at < end; at += 12) if (short(at) === tag) return at + 8;
    return 0;
  };
  /** The value of a tag in the list at an offset; 0 if it is not in it. */
  const value = (list: number, tag: number): number => {
    const at = place(list, tag);
    return at && (short(at - 6) === 3 ? short(at) : number(at));
  };
  return { place, value, number };
}

/** As EXIF has it; what is none is the usual one. */
function orientationOf(value: number): Orientation {
  // A field of the structure is a whole number.
  return value > 0 && value < 9 ? (value as Orientation) : 1;
}

/** Orientation and colour space of EXIF, whose name is left out in other formats than JPEG, but not by all writers. */
export function readExif(body: Uint8Array): Exif {
  const bytes = startsWith(body, 'Exif') ? body.subarray(6) : body;
  const { number, place, value } = tiffOf(bytes);
  const first = number(4);
  const details = value(first, 0x8769);
  const space = value(details, 0xa001);
  const exchange = place(value(details, 0xa005), 1);
  const isAdobe = space === 2 || (space === 65_535 && exchange > 0 && startsWith(bytes, 'R03', exchange));
  return {
    orientation: orientationOf(value(first, 0x112)),
    colour: space === 1 ? 'srgb' : isAdobe ? 'adobe_rgb' : undefined,
  };
}

/** Size and orientation of the first picture of a TIFF, whose list may stand anywhere in the file. */
export async function readTiff(ranges: Ranges, start: Uint8Array): Promise<PictureFacts> {
  const list = await ranges.bytes(tiffOf(start).number(4), 2 + 12 * 64, 4096);
  // As if it stood where the file begins.
  const { value } = tiffOf(join(start.subarray(0, 8), list));
  return sized(value(8, 256), value(8, 257), { orientation: orientationOf(value(8, 0x112)) });
}

/** Whether a list of pictures has some of equal rank. Previews, gain maps and depth maps are none. */
function hasSeveralPictures(bytes: Uint8Array): boolean {
  const { number, place } = tiffOf(bytes);
  const list = place(number(4), 0xb002);
  const end = Math.min(list && number(list) + number(list - 4), bytes.length - 15);
  for (let at = number(list); at < end; at += 16) if (((number(at) >> 16) & 255) === 2) return true;
  return false;
}

/** X and Y of the colorants of red and green, as the profiles of these spaces have them. */
const spaces: readonly (readonly [Colour, readonly number[]])[] = [
  ['srgb', [0.436, 0.222, 0.385, 0.717]],
  ['display_p3', [0.515, 0.241, 0.292, 0.692]],
  ['adobe_rgb', [0.61, 0.311, 0.205, 0.626]],
];
const slack = 0.02;

function colourOf(components: number, profile: readonly Uint8Array[], ofExif: Colour | undefined): Colour {
  if (components === 4) return 'cmyk';
  if (components === 1) return 'gray';
  if (profile.length === 0) return ofExif ?? 'untagged';
  // The table of what it has, and the colorants, stand in its first parts.
  const bytes = profile.slice(0, 5).reduce(join, new Uint8Array());
  const found = ['rXYZ', 'gXYZ'].flatMap((name) => {
    let at = 132;
    for (let left = Math.min(u32(bytes, 128), 200); left > 0 && !startsWith(bytes, name, at); left--)
      at += 12;
    const colorant = u32(bytes, at + 4);
    return [8, 12].map((offset) => i32(bytes, colorant + offset) / 65_536);
  });
  const match = spaces.find(([, colorants]) =>
    colorants.every((each, at) => Math.abs(each - (found[at] ?? 9)) < slack),
  );
  return match?.[0] ?? 'other';
}
