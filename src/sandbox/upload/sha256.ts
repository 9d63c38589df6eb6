import { addBlock, newState, wordsToHex } from '../../core/sha256.ts';

/** An incremental SHA-256, which Web Crypto does not have. */
export interface Checksum {
  readonly add: (bytes: Uint8Array) => void;
  /** The digest of what was added so far, in hex. More can be added afterwards. */
  readonly hex: () => string;
}

export function createChecksum(): Checksum {
  const state = newState();
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
      addBlock(state, block, 0);
    }
    for (; at + 64 <= bytes.length; at += 64) addBlock(state, bytes, at);
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
    for (let at = 0; at < last.length; at += 64) addBlock(end, last, at);
    return wordsToHex(end);
  }

  return { add, hex };
}
