import { type Bits, bitsOf, u16 } from './bytes.ts';
import type { MediaSize, VideoFacts } from './types.ts';

/** What the configuration of a codec says. */
export type Coded = Partial<Pick<VideoFacts, 'profile' | 'chroma' | 'bitDepth' | 'scan' | 'transfer'>> & {
  readonly size?: MediaSize;
  /** The width of a pixel by its height. */
  readonly pixelAspect?: number;
};

const chromas = ['4:0:0', '4:2:0', '4:2:2', '4:4:4'] as const;

const h264Profiles: Readonly<Record<number, string>> = {
  44: 'CAVLC 4:4:4 Intra',
  66: 'Baseline',
  77: 'Main',
  88: 'Extended',
  100: 'High',
  110: 'High 10',
  122: 'High 4:2:2',
  244: 'High 4:4:4 Predictive',
};
const hevcProfiles = [undefined, 'Main', 'Main 10', 'Main Still Picture', 'Rext'];

/** Pixel aspects that have a number; 255 is followed by one of its own. */
const pixelAspects = [
  [1, 1],
  [12, 11],
  [10, 11],
  [16, 11],
  [40, 33],
  [24, 11],
  [20, 11],
  [32, 11],
  [80, 33],
  [18, 11],
  [15, 11],
  [64, 33],
  [160, 99],
  [4, 3],
  [3, 2],
  [2, 1],
] as const;

/** The dynamic range of a transfer function by its number; 2 says that it is not known. */
export function transferOf(number: number): { readonly transfer?: 'sdr' | 'pq' | 'hlg' } {
  if (number === 16) return { transfer: 'pq' };
  if (number === 18) return { transfer: 'hlg' };
  return number > 0 && number !== 2 ? { transfer: 'sdr' } : {};
}

/** Reads `avcC`, whose first sequence parameter set tells all. */
export function readAvc(config: Uint8Array): Coded {
  const length = u16(config, 6);
  return ((config[5] ?? 0) & 31) > 0 && length > 4
    ? readAvcSequence(unescaped(config.subarray(8, 8 + length)))
    : profileOf(config[1] ?? 0, config[2] ?? 0);
}

function profileOf(idc: number, constraints: number): Coded {
  const name = h264Profiles[idc];
  if (name === undefined) return {};
  if (idc === 66 && constraints & 0x40) return { profile: `Constrained ${name}` };
  return { profile: constraints & 0x10 && (idc === 110 || idc === 122) ? `${name} Intra` : name };
}

function readAvcSequence(bytes: Uint8Array): Coded {
  const bits = bitsOf(bytes.subarray(4));
  const idc = bytes[1] ?? 0;
  bits.ue();
  let chroma = 1;
  let bitDepth = 8;
  // Those of High and above have more to say.
  if (![66, 77, 88].includes(idc)) {
    chroma = bits.ue();
    if (chroma === 3) bits.skip(1);
    bitDepth = 8 + bits.ue();
    bits.ue();
    bits.skip(1);
    if (bits.read(1)) for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) skipScalingList(bits, list);
  }
  bits.ue();
  const order = bits.ue();
  if (order === 0) bits.ue();
  if (order === 1) {
    bits.skip(1);
    bits.se();
    bits.se();
    for (let left = Math.min(bits.ue(), 255); left > 0; left--) bits.se();
  }
  bits.ue();
  bits.skip(1);
  const columns = bits.ue() + 1;
  const rows = bits.ue() + 1;
  const isFrames = bits.read(1);
  if (!isFrames) bits.skip(1);
  bits.skip(1);
  const stepX = chroma === 1 || chroma === 2 ? 2 : 1;
  const stepY = (chroma === 1 ? 2 : 1) * (2 - isFrames);
  const [left, right, top, bottom] = bits.read(1)
    ? [bits.ue(), bits.ue(), bits.ue(), bits.ue()]
    : [0, 0, 0, 0];
  return {
    ...profileOf(idc, bytes[2] ?? 0),
    ...chromaOf(chroma),
    bitDepth,
    scan: isFrames ? 'progressive' : 'maybe_interlaced',
    size: {
      width: columns * 16 - stepX * (left + right),
      height: rows * 16 * (2 - isFrames) - stepY * (top + bottom),
    },
    ...(bits.read(1) ? readUsability(bits) : {}),
  };
}

function skipScalingList(bits: Bits, list: number): void {
  if (!bits.read(1)) return;
  let last = 8;
  let next = 8;
  for (let at = 0; at < (list < 6 ? 16 : 64); at++) {
    if (next !== 0) next = (last + bits.se() + 256) % 256;
    if (next !== 0) last = next;
  }
}

/** What both codecs say of usability begins alike. */
function readUsability(bits: Bits): Coded {
  const known = bits.read(1);
  const number = known ? bits.read(8) : 0;
  const [width, height] =
    number === 255 ? [bits.read(16), bits.read(16)] : (pixelAspects[number - 1] ?? [0, 0]);
  if (bits.read(1)) bits.skip(1);
  let transfer = 0;
  if (bits.read(1)) {
    bits.skip(4);
    if (bits.read(1)) {
      bits.skip(8);
      transfer = bits.read(8);
    }
  }
  return { ...(width && height ? { pixelAspect: width / height } : {}), ...transferOf(transfer) };
}

function chromaOf(number: number): Pick<Coded, 'chroma'> {
  const chroma = chromas[number];
  return chroma ? { chroma } : {};
}

/** Without the bytes that keep a start code from appearing. */
function unescaped(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== 3 || at < 2 || bytes[at - 1] !== 0 || bytes[at - 2] !== 0);
}

/** Reads `hvcC`; its sequence parameter set tells the dynamic range and the aspect of pixels. */
export function readHevc(config: Uint8Array): Coded {
  const profile = hevcProfiles[(config[1] ?? 0) & 31];
  const source = (config[6] ?? 0) >> 6;
  let sequence: Coded = {};
  let at = 23;
  for (let arrays = config[22] ?? 0; arrays > 0 && at < config.length; arrays--) {
    const type = (config[at] ?? 0) & 63;
    let units = u16(config, at + 1);
    for (at += 3; units > 0 && at < config.length; units--) {
      const length = u16(config, at);
      if (type === 33 && !sequence.size)
        sequence = readHevcSequence(unescaped(config.subarray(at + 2, at + 2 + length)));
      at += 2 + length;
    }
  }
  return {
    ...(profile ? { profile } : {}),
    ...chromaOf((config[16] ?? 0) & 3),
    bitDepth: 8 + ((config[17] ?? 0) & 7),
    // Both flags or none say nothing.
    scan: source === 2 ? 'progressive' : source === 1 ? 'maybe_interlaced' : 'unknown',
    ...sequence,
  };
}

function readHevcSequence(bytes: Uint8Array): Coded {
  const bits = bitsOf(bytes.subarray(2));
  bits.skip(4);
  const layers = bits.read(3);
  bits.skip(1 + 96);
  const present = Array.from({ length: layers }, () => [bits.read(1), bits.read(1)]);
  if (layers > 0) bits.skip(2 * (8 - layers));
  for (const [profile, level] of present) bits.skip((profile ? 88 : 0) + (level ? 8 : 0));
  bits.ue();
  const chroma = bits.ue();
  if (chroma === 3) bits.skip(1);
  const width = bits.ue();
  const height = bits.ue();
  const [left, right, top, bottom] = bits.read(1)
    ? [bits.ue(), bits.ue(), bits.ue(), bits.ue()]
    : [0, 0, 0, 0];
  const stepX = chroma === 1 || chroma === 2 ? 2 : 1;
  const stepY = chroma === 1 ? 2 : 1;
  const size = { width: width - stepX * (left + right), height: height - stepY * (top + bottom) };
  bits.ue();
  bits.ue();
  const orderBits = bits.ue() + 4;
  for (let layer = bits.read(1) ? 0 : layers; layer <= layers; layer++) {
    bits.ue();
    bits.ue();
    bits.ue();
  }
  for (let left = 6; left > 0; left--) bits.ue();
  if (bits.read(1) && bits.read(1)) skipHevcScalingLists(bits);
  bits.skip(2);
  if (bits.read(1)) {
    bits.skip(8);
    bits.ue();
    bits.ue();
    bits.skip(1);
  }
  if (!skipReferenceSets(bits)) return { size };
  if (bits.read(1)) for (let left = Math.min(bits.ue(), 32); left > 0; left--) bits.skip(orderBits + 1);
  bits.skip(2);
  return { size, ...(bits.read(1) ? readUsability(bits) : {}) };
}

function skipHevcScalingLists(bits: Bits): void {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!bits.read(1)) {
        bits.ue();
        continue;
      }
      if (size > 1) bits.se();
      for (let left = Math.min(64, 1 << (4 + (size << 1))); left > 0; left--) bits.se();
    }
  }
}

/** Skips the sets of reference pictures; false if they are no valid ones. */
function skipReferenceSets(bits: Bits): boolean {
  const sets = bits.ue();
  if (sets > 64) return false;
  let pictures = 0;
  for (let set = 0; set < sets; set++) {
    if (set > 0 && bits.read(1)) {
      bits.skip(1);
      bits.ue();
      let kept = 0;
      for (let left = pictures; left >= 0; left--) if (bits.read(1) || bits.read(1)) kept++;
      pictures = kept;
    } else {
      const negative = bits.ue();
      const positive = bits.ue();
      pictures = negative + positive;
      if (pictures > 32) return false;
      for (let left = pictures; left > 0; left--) {
        bits.ue();
        bits.skip(1);
      }
    }
    if (bits.left() < 0) return false;
  }
  return true;
}

/** Reads `av1C`. */
export function readAv1(config: Uint8Array): Coded {
  const flags = config[2] ?? 0;
  const chroma = flags & 16 ? 0 : flags & 8 ? (flags & 4 ? 1 : 2) : 3;
  const profile = ['Main', 'High', 'Professional'][(config[1] ?? 0) >> 5];
  return {
    ...(profile ? { profile } : {}),
    ...chromaOf(chroma),
    bitDepth: flags & 64 ? (flags & 32 ? 12 : 10) : 8,
    scan: 'progressive',
  };
}

/** Reads `vpcC`, after its version and flags. */
export function readVpx(config: Uint8Array): Coded {
  const chroma = ((config[6] ?? 0) >> 1) & 7;
  return {
    profile: `Profile ${config[4] ?? 0}`,
    ...chromaOf(chroma < 2 ? 1 : chroma),
    bitDepth: (config[6] ?? 0) >> 4,
    scan: 'progressive',
    ...transferOf(config[8] ?? 0),
  };
}

const proResProfiles: Readonly<Record<string, string>> = {
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
  if (profile === undefined) return {};
  const is444 = entry.startsWith('ap4');
  return { profile, chroma: is444 ? '4:4:4' : '4:2:2', bitDepth: is444 ? 12 : 10 };
}

/** The kind of stream that an `esds` box describes, and its configuration. */
export interface Elementary {
  /** The number of the kind of object: 0x40 is AAC, 0x20 MPEG-4 video. */
  readonly object: number;
  readonly config: Uint8Array;
}

/** Reads the descriptors of an `esds` box, after its version and flags. */
export function readElementary(bytes: Uint8Array): Elementary {
  let object = 0;
  let at = 0;
  // Each is in the one before it: tag, length in groups of seven bits, content.
  for (let depth = 0; depth < 4 && at < bytes.length; depth++) {
    const tag = bytes[at++];
    let length = 0;
    let more = 0x80;
    for (let left = 4; left > 0 && more & 0x80; left--) {
      more = bytes[at++] ?? 0;
      length = length * 128 + (more & 127);
    }
    if (tag === 3) {
      const flags = bytes[at + 2] ?? 0;
      at += 3 + (flags & 0x80 ? 2 : 0);
      if (flags & 0x40) at += 1 + (bytes[at] ?? 0);
      if (flags & 0x20) at += 2;
    } else if (tag === 4) {
      object = bytes[at] ?? 0;
      at += 13;
    } else {
      return { object, config: tag === 5 ? bytes.subarray(at, at + length) : new Uint8Array() };
    }
  }
  return { object, config: new Uint8Array() };
}

const rates = [96, 88.2, 64, 48, 44.1, 32, 24, 22.05, 16, 12, 11.025, 8, 7.35];

/** What an AudioSpecificConfig says: the fields of the box around it may be wrong. */
export function readAac(config: Uint8Array): { sampleRate?: number; channels?: number } {
  const bits = bitsOf(config);
  const objectType = (): number => {
    const type = bits.read(5);
    return type === 31 ? 32 + bits.read(6) : type;
  };
  const rate = (): number => {
    const index = bits.read(4);
    return index === 15 ? bits.read(24) : (rates[index] ?? 0) * 1000;
  };
  if (config.length < 2) return {};
  let type = objectType();
  let sampleRate = rate();
  const layout = bits.read(4);
  let channels = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 0, 8][layout] ?? 0;
  const isExtended = type === 5 || type === 29;
  if (type === 29 && channels === 1) channels = 2;
  if (isExtended) {
    sampleRate = rate();
    type = objectType();
  }
  bits.skip(1);
  if (bits.read(1)) bits.skip(14);
  bits.skip(1);
  if (layout === 0) channels = countChannels(bits);
  // The extension of a stream that older decoders can play stands at the end.
  if (!isExtended && layout > 0 && bits.left() > 16 && bits.read(11) === 0x2b7 && objectType() === 5) {
    if (bits.read(1)) sampleRate = rate();
  }
  return { ...(sampleRate ? { sampleRate } : {}), ...(channels ? { channels } : {}) };
}

/** The channels of a stream that lists its elements. */
function countChannels(bits: Bits): number {
  bits.skip(10);
  const pairs = bits.read(4) + bits.read(4) + bits.read(4);
  const low = bits.read(2);
  bits.skip(7);
  for (const length of [4, 4, 3]) if (bits.read(1)) bits.skip(length);
  let channels = low;
  for (let left = pairs; left > 0; left--) {
    channels += 1 + bits.read(1);
    bits.skip(4);
  }
  return channels;
}

/** What the configuration of MPEG-4 video says, of which only simple profiles are in use. */
export function readMpeg4(config: Uint8Array): Coded {
  const isSequence = u16(config, 2) === 0x1b0;
  const level = config[4] ?? 0;
  const profile = level >= 0xf0 ? 'Advanced Simple Profile' : 'Simple Profile';
  return isSequence && (level < 16 || level >= 0xf0) ? { profile, chroma: '4:2:0', bitDepth: 8 } : {};
}
