// Reads numbers out of bytes that may end early or lie: what is beyond the end is 0, and nothing throws.

export function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

export function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) * 0x10000 + u16(bytes, at + 2);
}

/** Exact up to 2 ** 53, which no file exceeds; what lies about its size may have any number. */
export function u64(bytes: Uint8Array, at: number): number {
  return u32(bytes, at) * 0x1_0000_0000 + u32(bytes, at + 4);
}

export function i32(bytes: Uint8Array, at: number): number {
  return u32(bytes, at) | 0;
}

/** One character a byte. */
export function text(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** Whether a text stands at a place, and begins there. */
export function startsWith(bytes: Uint8Array, words: string, at = 0): boolean {
  return text(bytes, at, words.length) === words;
}

/** Numbers in the byte order of a TIFF header. */
export function littleEndian(bytes: Uint8Array, at: number, length: 2 | 4): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  return length === 2 ? low : low + littleEndian(bytes, at + 2, 2) * 0x10000;
}

/** Reads bits, the highest of each byte first. */
export interface Bits {
  /** Up to 32 bits as a number. */
  readonly read: (count: number) => number;
  readonly skip: (count: number) => void;
  /** Exponential-Golomb codes, without and with a sign. */
  readonly ue: () => number;
  readonly se: () => number;
  readonly left: () => number;
}

export function bitsOf(bytes: Uint8Array): Bits {
  let at = 0;
  const read = (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index++, at++) {
      value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    }
    return value;
  };
  const ue = (): number => {
    let zeros = 0;
    // Beyond the end all bits are 0.
    while (zeros < 32 && read(1) === 0) zeros++;
    return 2 ** zeros - 1 + read(zeros);
  };
  return {
    read,
    skip: (count) => void (at += count),
    ue,
    se: () => {
      const value = ue();
      return value % 2 === 0 ? -value / 2 : (value + 1) / 2;
    },
    left: () => bytes.length * 8 - at,
  };
}
