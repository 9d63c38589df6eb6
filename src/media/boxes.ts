import { text, u32, u64 } from './bytes.ts';

/** A box of an ISO file: its name and its content, without the header. */
export interface Box {
  readonly type: string;
  readonly body: Uint8Array;
}

/** The head of a box: where its content begins, and its length with the head; 0 means up to the end of the file. */
export function boxHead(bytes: Uint8Array, at = 0): { type: string; head: number; length: number } {
  const short = u32(bytes, at);
  const isLong = short === 1;
  return { type: text(bytes, at + 4, 4), head: isLong ? 16 : 8, length: isLong ? u64(bytes, at + 8) : short };
}

/** No box that is read has more in it, but those that try to keep a reader busy. */
const mostBoxes = 10_000;

/** The boxes in a box. What ends early is cut; it ends at the first that makes no sense. */
export function boxesIn(bytes: Uint8Array, from = 0): Box[] {
  const found: Box[] = [];
  let at = from;
  while (at + 8 <= bytes.length && found.length < mostBoxes) {
    const { type, head, length } = boxHead(bytes, at);
    if (length > 0 && length < head) break;
    const end = length === 0 ? bytes.length : at + length;
    found.push({ type, body: bytes.subarray(at + head, end) });
    at = end;
  }
  return found;
}

/** The first box along a path. It is empty if there is none. */
export function find(bytes: Uint8Array, ...path: readonly string[]): Uint8Array {
  const [name, ...rest] = path;
  if (name === undefined) return bytes;
  const box = boxesIn(bytes).find(({ type }) => type === name);
  return box ? find(box.body, ...rest) : new Uint8Array();
}
