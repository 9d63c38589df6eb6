// Reads numbers out of bytes that may end early or lie: what is beyond the end is 0, and nothing throws.

export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

export function u16(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) * 256 + u8(bytes, at + 1);
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
export function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** Whether a text stands at a place, and begins there. */
export function startsWith(bytes: Uint8Array, words: string, at = 0): boolean {
  return textAt(bytes, at, words.length) === words;
}

/** A number whose lowest byte comes first. */
export function littleEndian(bytes: Uint8Array, at: number, length: number): number {
  return length === 0 ? 0 : u8(bytes, at) + 256 * littleEndian(bytes, at + 1, length - 1);
}

/** Reads bits, the highest of each byte first. */
export interface Bits {
  /** Up to 32 bits as a number. */
  readonly read: (count: number) => number;
  /** An Exponential-Golomb code without a sign. One with a sign is as long. */
  readonly code: () => number;
  /** Skips codes of either kind. */
  readonly codes: (count: number) => void;
}

export function bitsOf(bytes: Uint8Array): Bits {
  let at = 0;
  const read = (count: number): number => {
    let value = 0;
    for (; count > 0; count--, at++) value = value * 2 + ((u8(bytes, at >> 3) >> (7 - (at & 7))) & 1);
    return value;
  };
  const code = (): number => {
    let zeros = 0;
    // Beyond the end all bits are 0.
    while (zeros < 32 && !read(1)) zeros++;
    return 2 ** zeros - 1 + read(zeros);
  };
  return {
    read,
    code,
    codes: (count) => {
      for (; count > 0; count--) code();
    },
  };
}
