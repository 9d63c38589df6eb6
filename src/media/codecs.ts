import { type Bits, bitsOf, u16, u8 } from './bytes.ts';
import type { VideoFacts } from './types.ts';

/** What the configuration of a codec says; what it does not tell is `undefined`. */
export interface Coded {
  readonly profile?: string | undefined;
  readonly chroma?: VideoFacts['chroma'] | undefined;
  readonly bitDepth?: number | undefined;
  readonly scan?: VideoFacts['scan'] | undefined;
  readonly transfer?: VideoFacts['transfer'] | undefined;
  /** The width of a pixel by its height. */
  readonly pixelAspect?: number | undefined;
}

const chromas = ['4:0:0', '4:2:0', '4:2:2', '4:4:4'] as const;

const h264Profiles: Readonly<Record<number, string>> = {
  66: 'Baseline',
  77: 'Main',
  88: 'Extended',
  100: 'High',
  110: 'High 10',
  122: 'High 4:2:2',
  244: 'High 4:4:4 Predictive',
};
const hevcProfiles = [undefined, 'Main', 'Main 10', 'Main Still Picture', 'Rext'];

/** Pixel aspects that have a number, from 1; 255 is followed by one of its own. */
const pixelAspects =
  '1/1 12/11 10/11 16/11 40/33 24/11 20/11 32/11 80/33 18/11 15/11 64/33 160/99 4/3 3/2 2/1'.split(' ');

/** The dynamic range of a transfer function by its number; 2 says that it is not known. */
export function transferOf(number: number): VideoFacts['transfer'] {
  return number === 16 ? 'pq' : number === 18 ? 'hlg' : number > 0 && number !== 2 ? 'sdr' : undefined;
}

/** Reads `avcC`, whose first sequence parameter set tells all. */
export function readAvc(config: Uint8Array): Coded {
  const length = u16(config, 6);
  const idc = u8(config, 1);
  const constraints = u8(config, 2);
  const name = h264Profiles[idc];
  const profile =
    idc === 66 && constraints & 64
      ? `Constrained ${name}`
      : (idc === 110 || idc === 122) && constraints & 16
        ? `${name} Intra`
        : name;
  return u8(config, 5) & 31 && length > 4
    ? { profile, ...readAvcSequence(idc, bitsOf(unescaped(config.subarray(12, 8 + length)))) }
    : { profile };
}

function readAvcSequence(idc: number, bits: Bits): Coded {
  bits.code();
  let chroma = 1;
  let bitDepth = 8;
  // Those of High and above have more to say.
  if (idc > 88 || idc < 66) {
    chroma = bits.code();
    if (chroma === 3) bits.read(1);
    bitDepth += bits.code();
    bits.code();
    bits.read(1);
    if (bits.read(1)) for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) skipScalingList(bits, list);
  }
  bits.code();
  const order = bits.code();
  if (order === 0) bits.code();
  if (order === 1) {
    bits.read(1);
    bits.codes(2);
    bits.codes(Math.min(bits.code(), 255));
  }
  bits.code();
  bits.read(1);
  bits.codes(2);
  const isFrames = bits.read(1);
  bits.read(isFrames ? 1 : 2);
  if (bits.read(1)) bits.codes(4);
  return {
    chroma: chromas[chroma],
    bitDepth,
    scan: isFrames ? 'progressive' : 'maybe_interlaced',
    ...readUsability(bits),
  };
}

function skipScalingList(bits: Bits, list: number): void {
  if (!bits.read(1)) return;
  let last = 8;
  let next = 8;
  for (let left = list < 6 ? 16 : 64; left > 0 && next !== 0; left--) {
    const code = bits.code();
    next = (last + (code % 2 ? (code + 1) / 2 : -code / 2) + 256) % 256;
    last = next || last;
  }
}

/** What both codecs say of usability begins alike. */
function readUsability(bits: Bits): Coded {
  if (!bits.read(1)) return {};
  const number = bits.read(1) && bits.read(8);
  const [width = 0, height = 0] =
    number === 255 ? [bits.read(16), bits.read(16)] : (pixelAspects[number - 1] ?? '').split('/').map(Number);
  if (bits.read(1)) bits.read(1);
  let transfer = 0;
  if (bits.read(1)) {
    bits.read(4);
    if (bits.read(1)) {
      bits.read(8);
      transfer = bits.read(8);
    }
  }
  return { pixelAspect: width / height || undefined, transfer: transferOf(transfer) };
}

/** Without the bytes that keep a start code from appearing. */
function unescaped(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== 3 || at < 2 || u16(bytes, at - 2));
}

/** Reads `hvcC`; its sequence parameter set tells the dynamic range and the aspect of pixels. */
export function readHevc(config: Uint8Array): Coded {
  const source = u8(config, 6) >> 6;
  let usability: Coded = {};
  let at = 23;
  for (let arrays = u8(config, 22); arrays > 0; arrays--) {
    const type = u8(config, at) & 63;
    let units = u16(config, at + 1);
    for (at += 3; units > 0 && at < config.length; units--) {
      const length = u16(config, at);
      if (type === 33)
        usability = readHevcSequence(bitsOf(unescaped(config.subarray(at + 4, at + 2 + length))));
      at += 2 + length;
    }
  }
  return {
    profile: hevcProfiles[u8(config, 1) & 31],
    chroma: chromas[u8(config, 16) & 3],
    bitDepth: 8 + (u8(config, 17) & 7),
    // Both flags or none say nothing.
    scan: source === 2 ? 'progressive' : source === 1 ? 'maybe_interlaced' : undefined,
    ...usability,
  };
}

function readHevcSequence(bits: Bits): Coded {
  bits.read(4);
  const layers = bits.read(3);
  bits.read(97);
  const flags = bits.read(layers && 16);
  for (let layer = 0; layer < layers; layer++) {
    const present = flags >> (14 - layer * 2);
    bits.read((present & 2 ? 88 : 0) + (present & 1 ? 8 : 0));
  }
  bits.code();
  if (bits.code() === 3) bits.read(1);
  bits.codes(2);
  if (bits.read(1)) bits.codes(4);
  bits.codes(2);
  const orderBits = bits.code() + 4;
  bits.codes(bits.read(1) ? 3 * layers + 3 : 3);
  bits.codes(6);
  // Lists of scaling factors, which no encoder in use writes, would have to be read to skip them.
  if (bits.read(1) && bits.read(1)) return {};
  bits.read(2);
  if (bits.read(1)) {
    bits.read(8);
    bits.codes(2);
    bits.read(1);
  }
  if (!skipReferenceSets(bits)) return {};
  if (bits.read(1)) bits.read(Math.min(bits.code(), 32) * (orderBits + 1));
  bits.read(2);
  return readUsability(bits);
}

/** Skips the sets of reference pictures; false if they are no valid ones. */
function skipReferenceSets(bits: Bits): boolean {
  const sets = bits.code();
  if (sets > 64) return false;
  let pictures = 0;
  for (let set = 0; set < sets; set++) {
    if (set > 0 && bits.read(1)) {
      bits.read(1);
      bits.code();
      let count = 0;
      for (let left = pictures; left >= 0; left--) if (bits.read(1) || bits.read(1)) count++;
      pictures = count;
    } else {
      pictures = bits.code() + bits.code();
      if (pictures > 32) return false;
      for (let left = pictures; left > 0; left--) {
        bits.code();
        bits.read(1);
      }
    }
  }
  return true;
}

/** Reads `av1C`. */
export function readAv1(config: Uint8Array): Coded {
  const flags = u8(config, 2);
  return {
    profile: ['Main', 'High', 'Professional'][u8(config, 1) >> 5],
    chroma: chromas[flags & 16 ? 0 : flags & 8 ? (flags & 4 ? 1 : 2) : 3],
    bitDepth: flags & 64 ? (flags & 32 ? 12 : 10) : 8,
    scan: 'progressive',
  };
}

/** Reads `vpcC`, after its version and flags. */
export function readVpx(config: Uint8Array): Coded {
  const flags = u8(config, 6);
  return {
    profile: `Profile ${u8(config, 4)}`,
    chroma: chromas[(flags >> 1) & 7 || 1],
    bitDepth: flags >> 4,
    scan: 'progressive',
    transfer: transferOf(u8(config, 8)),
  };
}

export const proResProfiles: Readonly<Record<string, string>> = {
  apco: 'Proxy',
  apcs: 'LT',
  apcn: 'Standard',
  apch: 'HQ',
  ap4h: '4444',
  ap4x: 'XQ',
};

/** What the entry of ProRes says. */
export function readProRes(entry: string): Coded {
  const profile = proResProfiles[entry];
  const is444 = entry.startsWith('ap4');
  return profile ? { profile, chroma: is444 ? '4:4:4' : '4:2:2', bitDepth: is444 ? 12 : 10 } : {};
}

/** What the configuration of MPEG-4 video says, of which only simple profiles are in use. */
export function readMpeg4(config: Uint8Array): Coded {
  const level = u8(config, 4);
  const profile = level > 239 ? 'Advanced Simple Profile' : 'Simple Profile';
  return u16(config, 2) === 0x1b0 && (level < 16 || level > 239)
    ? { profile, chroma: '4:2:0', bitDepth: 8 }
    : {};
}

/**
 * Reads the descriptors of an `esds` box: the number of the kind of object, of which 0x40 is AAC and 0x20 MPEG-4 video,
 * and its configuration.
 */
export function readElementary(bytes: Uint8Array): { object: number; config: Uint8Array } {
  let object = 0;
  let at = 4;
  // Each is in the one before it: tag, length in groups of seven bits, content.
  while (at < bytes.length) {
    const tag = bytes[at++];
    let length = 0;
    let more = 128;
    while (more & 128) {
      more = u8(bytes, at++);
      length = length * 128 + (more & 127);
    }
    if (tag === 5) return { object, config: bytes.subarray(at, at + length) };
    if (tag === 4) object = u8(bytes, at);
    const flags = u8(bytes, at + 2);
    at +=
      tag === 4
        ? 13
        : 3 + (flags & 128 ? 2 : 0) + (flags & 64 ? 1 + u8(bytes, at + 3) : 0) + (flags & 32 ? 2 : 0);
  }
  return { object, config: new Uint8Array() };
}

const rates = [96, 88.2, 64, 48, 44.1, 32, 24, 22.05, 16, 12, 11.025, 8, 7.35];

/** What an AudioSpecificConfig says: the fields of the box around it may be wrong. */
export function readAac(config: Uint8Array): { sampleRate: number; channels: number } {
  const bits = bitsOf(config);
  const objectType = (): number => {
    const type = bits.read(5);
    return type === 31 ? 32 + bits.read(6) : type;
  };
  const rate = (): number => {
    const index = bits.read(4);
    return index === 15 ? bits.read(24) : (rates[index] ?? 0) * 1000;
  };
  const type = objectType();
  let sampleRate = rate();
  const layout = bits.read(4);
  // One channel is made two by parametric stereo.
  let channels = type === 29 && layout === 1 ? 2 : Number('012345680007808'[layout] ?? 0);
  const isExtended = type === 5 || type === 29;
  if (isExtended) {
    sampleRate = rate();
    objectType();
  }
  bits.read(1);
  if (bits.read(1)) bits.read(14);
  bits.read(1);
  if (layout === 0) channels = countChannels(bits);
  // The extension of a stream that older decoders can play stands at the end.
  else if (!isExtended && bits.read(11) === 0x2b7 && objectType() === 5 && bits.read(1)) sampleRate = rate();
  return { sampleRate, channels };
}

/** The channels of a stream that lists its elements. */
function countChannels(bits: Bits): number {
  bits.read(10);
  const elements = bits.read(4) + bits.read(4) + bits.read(4);
  let channels = bits.read(2);
  bits.read(7);
  for (const length of [4, 4, 3]) if (bits.read(1)) bits.read(length);
  for (let left = elements; left > 0; left--) {
    channels += 1 + bits.read(1);
    bits.read(4);
  }
  return channels;
}
