/** An incremental SHA-256, which Web Crypto does not have. */
export interface Checksum {
  readonly add: (bytes: Uint8Array) => void;
  /** The digest in hex of what was added so far. More can be added after it. */
  readonly hex: () => string;
}

const rounds = Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const start = Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));

export function createChecksum(): Checksum {
  const state = start.slice();
  const block = new Uint8Array(64);
  let filled = 0;
  let length = 0;

  function add(bytes: Uint8Array): void {
    length += bytes.length;
    let at = 0;
    if (filled > 0) {
      at = Math.min(64 - filled, bytes.length);
      block.set(bytes.subarray(0, at), filled);
      filled += at;
      if (filled < 64) return;
      mix(state, block, 0);
    }
    for (; at + 64 <= bytes.length; at += 64) mix(state, bytes, at);
    block.set(bytes.subarray(at));
    filled = bytes.length - at;
  }

  function hex(): string {
    const last = new Uint8Array(filled < 56 ? 64 : 128);
    last.set(block.subarray(0, filled));
    last[filled] = 0x80;
    const view = new DataView(last.buffer);
    view.setUint32(last.length - 8, Math.floor(length / 0x2000_0000));
    view.setUint32(last.length - 4, (length << 3) >>> 0);
    const end = state.slice();
    for (let at = 0; at < last.length; at += 64) mix(end, last, at);
    return [...end].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  return { add, hex };
}

const schedule = new Uint32Array(64);

/** Written for speed: it sees every byte of a video. */
function mix(state: Uint32Array, bytes: Uint8Array, from: number): void {
  for (let i = 0; i < 16; i += 1) {
    const at = from + i * 4;
    schedule[i] =
      (at8(bytes, at) << 24) | (at8(bytes, at + 1) << 16) | (at8(bytes, at + 2) << 8) | at8(bytes, at + 3);
  }
  for (let i = 16; i < 64; i += 1) {
    const x = at32(schedule, i - 15);
    const y = at32(schedule, i - 2);
    const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    schedule[i] = at32(schedule, i - 16) + low + at32(schedule, i - 7) + high;
  }
  let a = at32(state, 0);
  let b = at32(state, 1);
  let c = at32(state, 2);
  let d = at32(state, 3);
  let e = at32(state, 4);
  let f = at32(state, 5);
  let g = at32(state, 6);
  let h = at32(state, 7);
  for (let i = 0; i < 64; i += 1) {
    const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + high + ((e & f) ^ (~e & g)) + at32(rounds, i) + at32(schedule, i)) | 0;
    const low = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  const sums = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i += 1) state[i] = at32(state, i) + (sums[i] ?? 0);
}

function at8(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}

function at32(words: Uint32Array, at: number): number {
  return words[at] as number;
}

function turn(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by));
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 0x1_0000_0000);
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
}
