#!/usr/bin/env bash
# heif-convert of libheif 1.15.1, as Debian 12 has it, turns pictures twice: it turns the pixels as the file says (`irot`), and
# copies EXIF with an orientation that says the same to the JPEG, whose readers turn it once more. Pictures of phones have both,
# since the EXIF of HEIC and AVIF counts for nothing. After `exiftool -Orientation=`, the JPEG is right.
#
# It matters for uploads to platforms that take JPEG only: a tall picture is published lying on its side.
#
# Seen, of a tall picture of 32 × 64 pixels, which sharp 0.35.5 stores as phones do, lying, with both (it needs heif-convert on
# the PATH):
#   avif: stored 64x32, rotation 270, orientation 6
#   jpeg: stored 32x64, orientation 6, so shown 64x32
set -euo pipefail
command -v heif-convert >/dev/null || { echo 'heif-convert is needed, of libheif-examples'; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund sharp@0.35.5
cat >make.mjs <<'JS'
import sharp from 'sharp';

const lying = { width: 64, height: 32, channels: 3, background: 'red' };
const jpeg = await sharp({ create: lying }).withMetadata({ orientation: 6 }).jpeg().toBuffer();
await sharp(jpeg).keepMetadata().avif().toFile('tall.avif');
JS
node make.mjs
heif-convert tall.avif tall.jpg >/dev/null
cat >check.mjs <<'JS'
import { readFileSync } from 'node:fs';

import sharp from 'sharp';

/** The orientation that EXIF tells: tag 0x0112, a SHORT, big- or little-endian. */
function orientationOf(bytes) {
  const [, big, little] = /MM\0\*.*?\x01\x12\0\x03\0{3}\x01\0(.)|II\*\0.*?\x12\x01\x03\0\x01\0{3}(.)/s.exec(bytes.toString('latin1'));
  return (big ?? little).charCodeAt(0);
}

const avif = readFileSync('tall.avif');
const extent = avif.indexOf('ispe') + 8;
const rotation = avif[avif.indexOf('irot') + 4] * 90;
const jpeg = readFileSync('tall.jpg');
const { width, height, autoOrient } = await sharp(jpeg).metadata();
const seen = [
  `avif: stored ${avif.readUInt32BE(extent)}x${avif.readUInt32BE(extent + 4)}, rotation ${rotation}, orientation ${orientationOf(avif)}`,
  `jpeg: stored ${width}x${height}, orientation ${orientationOf(jpeg)}, so shown ${autoOrient.width}x${autoOrient.height}`,
];
console.log(seen.join('\n'));
const expected = `avif: stored 64x32, rotation 270, orientation 6
jpeg: stored 32x64, orientation 6, so shown 64x32`;
process.exitCode = seen.join('\n') === expected ? 0 : 1;
JS
node check.mjs
