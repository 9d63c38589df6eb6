/** SHA-256 that takes its bytes piece by piece; Web Crypto wants them all at once. */
export interface Checksum {
  readonly add: (bytes: Uint8Array) => void;
  /** Hex of what was added so far; more may follow. */
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
    while (at < bytes.length) {
      const piece = bytes.subarray(at, at + 64 - filled);
      void block.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      if (filled < 64) return;
      void mix(state, block);
      filled = 0;
    }
  }

  function hex(): string {
    const last = new Uint8Array(filled < 56 ? 64 : 128);
    void last.set(block.subarray(0, filled));
    last[filled] = 0x80;
    const view = new DataView(last.buffer);
    void view.setUint32(last.length - 8, Math.floor(length / 0x2000_0000));
    void view.setUint32(last.length - 4, (length << 3) >>> 0);
    const end = state.slice();
    for (let at = 0; at < last.length; at += 64) void mix(end, last.subarray(at, at + 64));
    return [...end].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  return { add, hex };
}

const schedule = new Uint32Array(64);

function mix(state: Uint32Array, block: Uint8Array): void {
  const view = new DataView(block.buffer, block.byteOffset, 64);
  const word = (at: number): number => schedule[at] ?? 0;
  for (let i = 0; i < 64; i += 1) {
    if (i < 16) schedule[i] = view.getUint32(i * 4);
    else {
      const x = word(i - 15);
      const y = word(i - 2);
      const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      schedule[i] = word(i - 16) + low + word(i - 7) + high;
    }
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (rounds[i] ?? 0) + word(i)) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  const sums = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i += 1) state[i] = (state[i] ?? 0) + (sums[i] ?? 0);
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
    if (found.every((prime) => n % prime !== 0)) void found.push(n);
  }
  return found;
}
