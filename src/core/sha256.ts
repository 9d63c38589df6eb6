/** SHA-256 of a text, in hexadecimal. That of Web Crypto is asynchronous, and takes several times as long for a short text. */
export function sha256(text: string): string {
  const bytes = roomFor(text);
  hash(bytes, encoder.encodeInto(text, bytes).written);
  return wordsToHex(shared);
}

/** HMAC-SHA256 of texts under a key, in hexadecimal. */
export function hmacSha256(key: string): (text: string) => string {
  let own = encoder.encode(key);
  if (own.length > 64) {
    const bytes = roomFor(key);
    hash(bytes, encoder.encodeInto(key, bytes).written);
    own = toBytes(shared);
  }
  const [inner, outer] = [stateAfter(own, 0x36), stateAfter(own, 0x5c)];
  return (text) => {
    const bytes = roomFor(text);
    hash(bytes, encoder.encodeInto(text, bytes).written, inner);
    buffer.set(toBytes(shared));
    hash(buffer, 32, outer);
    return wordsToHex(shared);
  };
}

const encoder = new TextEncoder();
const buffer = new Uint8Array(4096);
const shared = new Int32Array(8);
const words = new Int32Array(64);

/** Most texts are short: one buffer serves all of those. A character takes at most three bytes. */
function roomFor(text: string): Uint8Array<ArrayBuffer> {
  const most = text.length * 3 + 72;
  return most > buffer.length ? new Uint8Array(most) : buffer;
}

/** Hashes as many bytes into the shared state, which an HMAC has begun with a block of its key. */
function hash(bytes: Uint8Array, length: number, begun?: Int32Array): void {
  // A one bit, and 64 bits of the length, in whole blocks.
  const end = (length + 72) & ~63;
  bytes.fill(0, length, end);
  bytes[length] = 128;
  const before = begun === undefined ? 0 : 64;
  for (let at = 1, rest = (length + before) * 8; at <= 6; at++, rest /= 256) bytes[end - at] = rest;
  shared.set(begun ?? primeWords.squares);
  for (let at = 0; at < end; at += 64) addBlock(shared, bytes, at);
}

/** The state after a block of a key, each byte of which is mixed with another one. */
function stateAfter(key: Uint8Array, mixed: number): Int32Array {
  const block = new Uint8Array(64).fill(mixed);
  for (const [at, byte] of key.entries()) block[at] = byte ^ mixed;
  const state = newState();
  addBlock(state, block, 0);
  return state;
}

/** By a loop: `Uint8Array.from` takes fifteen times as long. */
function toBytes(state: Int32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(32);
  for (let at = 0; at < 32; at++) bytes[at] = (state[at >> 2] ?? 0) >>> (24 - 8 * (at & 3));
  return bytes;
}

export function wordsToHex(state: Int32Array): string {
  let hex = '';
  for (const word of state) {
    for (let shift = 24; shift >= 0; shift -= 8) hex += bytesInHex[(word >>> shift) & 255];
  }
  return hex;
}

/** Each byte in hexadecimal. A one before it keeps its zero. */
const bytesInHex = Array.from({ length: 256 }, (_, byte) => (byte | 256).toString(16).slice(1));

/** The bits that SHA-256 begins with, of roots of the first primes: 8 words of square roots, 64 of cube roots. */
const primeWords = wordsOfPrimes();

/** What a digest begins with. Each block of 64 bytes is added to it. */
export function newState(): Int32Array {
  return primeWords.squares.slice();
}

/** Adds a block to the state. All indexes are within the arrays, which their types cannot say: hence `?? 0`. */
export function addBlock(state: Int32Array, bytes: Uint8Array, at: number): void {
  const { cubes } = primeWords;
  for (let index = 0, byte = at; index < 16; index++, byte += 4) {
    words[index] =
      ((bytes[byte] ?? 0) << 24) |
      ((bytes[byte + 1] ?? 0) << 16) |
      ((bytes[byte + 2] ?? 0) << 8) |
      (bytes[byte + 3] ?? 0);
  }
  for (let index = 16; index < 64; index++) {
    const near = words[index - 2] ?? 0;
    const far = words[index - 15] ?? 0;
    words[index] =
      (words[index - 16] ?? 0) +
      (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)) +
      (words[index - 7] ?? 0) +
      (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10));
  }
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  let f = state[5] ?? 0;
  let g = state[6] ?? 0;
  let h = state[7] ?? 0;
  for (let index = 0; index < 64; index++) {
    const one =
      (h +
        (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
        (g ^ (e & (f ^ g))) +
        (cubes[index] ?? 0) +
        (words[index] ?? 0)) |
      0;
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) | (c & (a | b)));
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] = (state[0] ?? 0) + a;
  state[1] = (state[1] ?? 0) + b;
  state[2] = (state[2] ?? 0) + c;
  state[3] = (state[3] ?? 0) + d;
  state[4] = (state[4] ?? 0) + e;
  state[5] = (state[5] ?? 0) + f;
  state[6] = (state[6] ?? 0) + g;
  state[7] = (state[7] ?? 0) + h;
}

/** Turns a word to the right. */
function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function wordsOfPrimes(): { readonly squares: Int32Array; readonly cubes: Int32Array } {
  const squares: number[] = [];
  const cubes: number[] = [];
  for (let number = 2; cubes.length < 64; number++) {
    if (!isPrime(number)) continue;
    if (squares.length < 8) squares.push(fraction(number ** (1 / 2)));
    cubes.push(fraction(number ** (1 / 3)));
  }
  return { squares: Int32Array.from(squares), cubes: Int32Array.from(cubes) };
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return true;
}

/** The first 32 bits after the point. */
function fraction(number: number): number {
  return ((number % 1) * 2 ** 32) | 0;
}
