// Sets the content of the frames of an MP4 or QuickTime file to zero and compresses it: what is left is its header.
// Usage: node header.mjs FILE OUT.gz
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [input, output] = process.argv.slice(2);
const bytes = readFileSync(input);
for (let at = 0; at + 8 <= bytes.length;) {
  let length = bytes.readUInt32BE(at);
  const head = length === 1 ? 16 : 8;
  if (length === 1) length = Number(bytes.readBigUInt64BE(at + 8));
  if (length === 0) length = bytes.length - at;
  if (length < head) break;
  if (bytes.toString('latin1', at + 4, at + 8) === 'mdat') bytes.fill(0, at + head, at + length);
  at += length;
}
writeFileSync(output, gzipSync(bytes, { level: 9 }));
