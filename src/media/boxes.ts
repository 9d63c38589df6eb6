import { textAt, u32, u64 } from './bytes.ts';

/** A box of an ISO file: its name and its content, without the header. */
export interface Box {
  readonly type: string;
  readonly body: Uint8Array;
}

/** The head of a box: where its content begins, and its length with the head; 0 means up to the end of the file. */
export function boxHead(bytes: Uint8Array, at = 0): { type: string; head: number; length: number } {
  const short = u32(bytes, at);
  const isLong = short === 1;
  return {
    type: textAt(bytes, at + 4, 4),
    head: isLong ? 16 : 8,
    length: isLong ? u64(bytes, at + 8) : short,
  };
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
  let body: Uint8Array = bytes;
  for (const name of path) body = bodyOf(boxesIn(body), name);
  return body;
}

/** The content of the first box of a name. It is empty if there is none. */
export function bodyOf(boxes: readonly Box[], name: string): Uint8Array {
  return boxes.find(({ type }) => type === name)?.body ?? new Uint8Array();
}

/** A number of a box of which a version has more room for it. */
export function longer(bytes: Uint8Array, at: number, long: number): number {
  return bytes[0] === 1 ? u64(bytes, long) : u32(bytes, at);
}
