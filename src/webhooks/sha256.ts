/** The bits that SHA-256 begins with, of roots of the first primes: 8 words of square roots, 64 of cube roots. */
const primeWords = wordsOfPrimes();

/** SHA-256 of a text, in hexadecimal. That of Web Crypto is asynchronous, and an event has its key at once. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const { length } = bytes;
  // A one bit, and 64 bits of the length, in whole blocks.
  const padded = new Uint8Array((length + 72) & ~63);
  padded.set(bytes);
  padded[length] = 128;
  const blocks = new DataView(padded.buffer);
  blocks.setUint32(padded.length - 8, length / 2 ** 29);
  blocks.setUint32(padded.length - 4, length * 8);
  let state: State = primeWords.squares;
  const words = new DataView(new ArrayBuffer(256));
  for (let at = 0; at < padded.length; at += 64) state = addBlock(state, blocks, at, words);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

type State = readonly number[];

function addBlock(state: State, blocks: DataView, at: number, words: DataView): State {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let byte = 0; byte < 256; byte += 4) {
    let word: number;
    if (byte < 64) word = blocks.getInt32(at + byte);
    else {
      const [near, far] = [words.getInt32(byte - 8), words.getInt32(byte - 60)];
      word =
        words.getInt32(byte - 64) +
        (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)) +
        words.getInt32(byte - 28) +
        (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10));
    }
    words.setInt32(byte, word);
    const one =
      h +
      (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
      ((e & f) ^ (~e & g)) +
      primeWords.cubes.getInt32(byte) +
      word;
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + (state[index] ?? 0)) | 0);
}

/** Turns a word to the right. */
function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function wordsOfPrimes(): { readonly squares: State; readonly cubes: DataView } {
  const squares: number[] = [];
  const cubes = new DataView(new ArrayBuffer(256));
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++) {
    if (primes.some((prime) => number % prime === 0)) continue;
    if (primes.length < 8) squares.push(fraction(number ** (1 / 2)));
    cubes.setInt32(4 * primes.length, fraction(number ** (1 / 3)));
    primes.push(number);
  }
  return { squares, cubes };
}

/** The first 32 bits after the point. */
function fraction(number: number): number {
  return ((number % 1) * 2 ** 32) | 0;
}
