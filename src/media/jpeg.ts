import { littleEndian, startsWith, text, u16, u32, i32 } from './bytes.ts';
import type { Ranges } from './source.ts';
import type { ImageFacts, MediaFacts } from './types.ts';

type Orientation = ImageFacts['orientation'];
type Colour = NonNullable<ImageFacts['colour']>;

/** What a picture's reader finds. */
export type PictureFacts = Pick<MediaFacts, 'width' | 'height' | 'stored' | 'image' | 'incomplete'>;

/** The segments before the picture; no camera comes near it. */
const mostSegments = 5000;
/** Each read is four times as long as the one before: headers have up to some megabytes. */
const growth = 4;

/** What segments begin with that tell something. */
const known = /^(?:Exif\0|http:\/\/ns\.adobe\.com\/xap\/1|ICC_PROFILE\0|MPF\0|urn:iso)/;

/** Reads a JPEG up to where its first scan begins. */
export async function readJpeg(ranges: Ranges): Promise<PictureFacts> {
  let at = 2;
  let ahead = ranges.isNear ? 4096 : 65_536;
  const found: Segments = {
    frame: undefined,
    exif: undefined,
    hasGainMap: false,
    isMultiPicture: false,
    profile: [],
  };
  let incomplete: string | undefined;

  for (let left = mostSegments; ; left--) {
    if (left === 0) {
      incomplete = `it has more than ${mostSegments} segments`;
      break;
    }
    let bytes = await ranges.bytes(at, 4, ahead);
    // A marker may be preceded by any number of fill bytes, and some writers leave others behind.
    const skipped = fillBefore(bytes);
    at += skipped;
    bytes = bytes.subarray(skipped);
    if (bytes.length < 4) {
      if (skipped > 0 && at < ranges.size && !ranges.state.exceeded && !ranges.state.failure) continue;
      incomplete = 'it ends within its header';
      break;
    }
    const marker = bytes[1] ?? 0;
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
    // What a file at hand has in segments that nobody asks for is not read.
    const isRead = !ranges.isNear || (marker >= 0xc0 && marker <= 0xcf) || known.test(text(bytes, 4, 29));
    if (isRead && bytes.length < length + 2) {
      if (!ranges.isNear) ahead *= growth;
      bytes = await ranges.bytes(at, length + 2, ahead);
    }
    const body = bytes.subarray(4, length + 2);
    takeSegment(marker, body, found);
    at += length + 2;
  }
  const { frame, exif, profile, isMultiPicture, hasGainMap } = found;
  if (!frame) return { incomplete: incomplete ?? 'it has no frame' };
  const components = frame.bytes[5] ?? 0;
  const stored = { width: u16(frame.bytes, 3), height: u16(frame.bytes, 1) };
  const orientation = exif?.orientation ?? 1;
  const process = processOf(frame.marker);
  return {
    ...sizesOf(stored, orientation),
    stored,
    image: {
      ...(process ? { process } : {}),
      components,
      bitDepth: frame.bytes[0] ?? 0,
      orientation,
      colour: colourOf(components, profile, exif?.colour),
      isMultiPicture,
      hasGainMap,
      isAnimated: false,
    },
    ...(incomplete ? { incomplete } : {}),
  };
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
  frame: { readonly marker: number; readonly bytes: Uint8Array } | undefined;
  exif: Exif | undefined;
  hasGainMap: boolean;
  isMultiPicture: boolean;
  readonly profile: { readonly number: number; readonly bytes: Uint8Array }[];
}

function takeSegment(marker: number, body: Uint8Array, found: Segments): void {
  if ((marker >= 0xc0 && marker <= 0xcf && marker % 4 !== 0) || marker === 0xc0) {
    found.frame ??= { marker, bytes: body };
  } else if (marker === 0xe1 && startsWith(body, 'Exif\0')) {
    found.exif ??= readExif(body.subarray(6));
  } else if (marker === 0xe1 && startsWith(body, 'http://ns.adobe.com/xap/1.0/\0')) {
    found.hasGainMap ||= /hdrgm:Version|HDRGainMapVersion/.test(latin1(body));
  } else if (marker === 0xe2 && startsWith(body, 'ICC_PROFILE\0')) {
    found.profile.push({ number: body[12] ?? 0, bytes: body.subarray(14) });
  } else if (marker === 0xe2 && startsWith(body, 'MPF\0')) {
    found.isMultiPicture ||= hasSeveralPictures(body.subarray(4));
  } else if (marker === 0xe2 && startsWith(body, 'urn:iso:std:iso:ts:21496:-1')) {
    found.hasGainMap = true;
  }
}

/** In the size that is shown, if it is known: the height may be given after the picture. */
export function sizesOf(
  { width, height }: { readonly width: number; readonly height: number },
  orientation: number,
): Pick<MediaFacts, 'width' | 'height'> {
  if (width <= 0 || height <= 0) return {};
  return orientation > 4 ? { width: height, height: width } : { width, height };
}

function processOf(marker: number): ImageFacts['process'] {
  const number = marker - 0xc0;
  if (number > 8) return number % 4 === 3 ? 'lossless' : 'arithmetic';
  if (number % 4 === 3) return 'lossless';
  return number === 0 ? 'baseline' : number % 4 === 2 ? 'progressive' : 'extended';
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

interface Exif {
  readonly orientation: Orientation;
  readonly colour: Colour | undefined;
}

/** Reads numbers and lists of a TIFF structure, wherever its own sizes lead. */
function tiffOf(bytes: Uint8Array): {
  readonly first: number;
  readonly entries: (at: number) => ReadonlyMap<number, { value: number; at: number; count: number }>;
  readonly number: (at: number) => number;
} {
  const isLittle = startsWith(bytes, 'II');
  const short = (at: number): number => (isLittle ? littleEndian(bytes, at, 2) : u16(bytes, at));
  const long = (at: number): number => (isLittle ? littleEndian(bytes, at, 4) : u32(bytes, at));
  return {
    first: long(4),
    number: long,
    entries: (at) => {
      const found = new Map<number, { value: number; at: number; count: number }>();
      const count = Math.min(short(at), 1000);
      for (let index = 0; index < count && at > 0; index++) {
        const entry = at + 2 + index * 12;
        if (entry + 12 > bytes.length) break;
        const isShort = short(entry + 2) === 3;
        found.set(short(entry), {
          value: isShort ? short(entry + 8) : long(entry + 8),
          at: entry + 8,
          count: long(entry + 4),
        });
      }
      return found;
    },
  };
}

const orientations: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];

function orientationOf(value: number | undefined): Orientation {
  return orientations.find((each) => each === value) ?? 1;
}

/** Orientation and colour space of EXIF. */
export function readExif(bytes: Uint8Array): Exif {
  const { first, entries } = tiffOf(bytes);
  const main = entries(first);
  const orientation = orientationOf(main.get(0x112)?.value);
  const details = entries(main.get(0x8769)?.value ?? 0);
  const space = details.get(0xa001)?.value;
  const exchange = entries(details.get(0xa005)?.value ?? 0).get(1);
  const isAdobe =
    space === 2 || (space === 65_535 && exchange !== undefined && startsWith(bytes, 'R03', exchange.at));
  return {
    orientation,
    colour: space === 1 ? 'srgb' : isAdobe ? 'adobe_rgb' : undefined,
  };
}

/** Size and orientation of the first picture of a TIFF, whose list may stand anywhere in the file. */
export async function readTiff(ranges: Ranges, start: Uint8Array): Promise<PictureFacts> {
  const { first } = tiffOf(start);
  const list = await ranges.bytes(first, 2 + 12 * 64, 4096);
  // As if it stood where the file says.
  const joined = new Uint8Array(8 + list.length);
  joined.set(start.subarray(0, 8));
  joined.set(list, 8);
  const main = tiffOf(joined).entries(8);
  const stored = { width: main.get(256)?.value ?? 0, height: main.get(257)?.value ?? 0 };
  const orientation = orientationOf(main.get(0x112)?.value);
  if (!stored.width || !stored.height) return {};
  return {
    ...sizesOf(stored, orientation),
    stored,
    image: {
      orientation,
      isMultiPicture: false,
      hasGainMap: false,
      isAnimated: false,
    },
  };
}

/** Whether a list of pictures has some of equal rank. Previews, gain maps and depth maps are none. */
function hasSeveralPictures(bytes: Uint8Array): boolean {
  const { first, entries, number } = tiffOf(bytes);
  const list = entries(first).get(0xb002);
  if (!list) return false;
  for (
    let at = list.value;
    at + 16 <= bytes.length && at < list.value + Math.min(list.count, 16_000);
    at += 16
  ) {
    if ((number(at) & 0xff_ffff) >> 16 === 2) return true;
  }
  return false;
}

/** Colorants of red, green and blue, as the profiles of these spaces have them. */
const spaces: readonly (readonly [Colour, readonly number[]])[] = [
  ['srgb', [0.436, 0.222, 0.014, 0.385, 0.717, 0.097, 0.143, 0.061, 0.714]],
  ['display_p3', [0.515, 0.241, -0.001, 0.292, 0.692, 0.042, 0.157, 0.067, 0.784]],
  ['adobe_rgb', [0.61, 0.311, 0.019, 0.205, 0.626, 0.061, 0.149, 0.063, 0.745]],
];
const slack = 0.02;

function colourOf(
  components: number,
  profile: readonly { readonly number: number; readonly bytes: Uint8Array }[],
  ofExif: Colour | undefined,
): Colour {
  if (components === 4) return 'cmyk';
  if (components === 1) return 'gray';
  if (profile.length === 0) return ofExif ?? 'untagged';
  const parts = profile.toSorted((a, b) => a.number - b.number).slice(0, 16);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.bytes.length, 0));
  let length = 0;
  for (const part of parts) {
    bytes.set(part.bytes, length);
    length += part.bytes.length;
  }
  const tags = new Map<string, number>();
  for (let index = Math.min(u32(bytes, 128), 200) - 1; index >= 0; index--) {
    const at = 132 + index * 12;
    tags.set(text(bytes, at, 4), u32(bytes, at + 4));
  }
  const found = ['rXYZ', 'gXYZ', 'bXYZ'].flatMap((name) => {
    const at = tags.get(name);
    return at === undefined ? [] : [8, 12, 16].map((offset) => i32(bytes, at + offset) / 65_536);
  });
  const match = spaces.find(
    ([, colorants]) =>
      found.length === 9 && colorants.every((each, at) => Math.abs(each - (found[at] ?? 9)) < slack),
  );
  return match?.[0] ?? 'other';
}
