#!/usr/bin/env bash
# image-size 2.1.0 throws "Corrupt JPG, exceeded buffer limits" for JPEGs that the standard (ITU-T T.81) allows: one whose
# frame is its first segment, and one with fill bytes (0xFF) before a marker (B.1.1.2). Of EXIF that stands behind the
# frame it tells no orientation, while exifr 7.1.3 does: the same file is 1080 x 1350 for one, and turned for the other.
#
# It matters for a check of ratios before an upload: a good picture is refused, or a turned one is judged unturned.
#
# Seen:
#   usual: 1080x1350
#   frame first: Corrupt JPG, exceeded buffer limits
#   fill bytes: Corrupt JPG, exceeded buffer limits
#   EXIF before the frame: 1080x1350, orientation 6; exifr 6
#   EXIF behind the frame: 1080x1350, orientation undefined; exifr 6
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund image-size@2.1.0 exifr@7.1.3
cat >check.mjs <<'JS'
import exifr from 'exifr';
import { imageSize } from 'image-size';

const two = (value) => [value >> 8, value & 255];
const segment = (marker, ...body) => [0xff, marker, ...two(body.length + 2), ...body];
const text = (letters) => [...Buffer.from(letters, 'latin1')];

const start = [0xff, 0xd8];
const jfif = segment(0xe0, ...text('JFIF\0'), 1, 2, 0, 0, 1, 0, 1, 0, 0);
const frame = segment(0xc0, 8, ...two(1350), ...two(1080), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0);
const exif = segment(0xe1, ...text('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0'));
const scan = [...segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0), ...Array(64).fill(0), 0xff, 0xd9];

function sizeOf(parts, also) {
  try {
    const { width, height, orientation } = imageSize(Uint8Array.from(parts.flat()));
    return `${width}x${height}${also ? `, orientation ${orientation}` : ''}`;
  } catch (error) {
    return error.message;
  }
}

const seen = [
  `usual: ${sizeOf([start, jfif, frame, scan])}`,
  `frame first: ${sizeOf([start, frame, scan])}`,
  `fill bytes: ${sizeOf([start, jfif, [0xff, 0xff], frame, scan])}`,
];
for (const [place, ...parts] of [
  ['before', start, jfif, exif, frame, scan],
  ['behind', start, jfif, frame, exif, scan],
]) {
  const turned = await exifr.orientation(Buffer.from(parts.flat()));
  seen.push(`EXIF ${place} the frame: ${sizeOf(parts, true)}; exifr ${turned}`);
}
console.log(seen.join('\n'));
const expected = `usual: 1080x1350
frame first: Corrupt JPG, exceeded buffer limits
fill bytes: Corrupt JPG, exceeded buffer limits
EXIF before the frame: 1080x1350, orientation 6; exifr 6
EXIF behind the frame: 1080x1350, orientation undefined; exifr 6`;
process.exitCode = seen.join('\n') === expected ? 0 : 1;
JS
node check.mjs
