#!/usr/bin/env bash
# sharp 0.35.5 makes wrong colours of a TIFF whose numbers are whole ones of 32 bits, and says nothing: the lower half of them is
# cut off at 255, as if they had eight bits, and the upper half becomes 0. Floating ones it takes for linear light, and those of
# gray for 0 to 255, so that what is meant as 0 to 1 becomes black. Of 8 and 16 bits it reads all right.
#
# It matters wherever uploads become JPEG: ImageMagick writes such files for `-depth 32`, with numbers that are not linear. The
# file is accepted, the exit code is 0, and the picture has other colours. `metadata()` tells: `depth` is `uint` or `float`.
#
# Seen, of one colour, of 75 % red, 12 % green and 12 % blue, and of a gray of 50 %:
#   8 bits: uchar, 191 31 31
#   16 bits: ushort, 191 30 30
#   32 bits: uint, 0 255 255
#   floating: float, 224 97 97
#   gray, 16 bits: ushort, 128 128 128
#   gray, floating: float, 0 0 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund sharp@0.35.5
cat >check.mjs <<'JS'
import sharp from 'sharp';

/** A TIFF of 8 x 8 pixels of one colour, whose parts are from 0 to 1. */
function tiffOf(colour, bits, isFloating = false) {
  const number = Buffer.alloc(bits / 8);
  const pixel = colour.map((part) => {
    if (isFloating) number.writeFloatLE(part);
    else number.writeUIntLE(Math.round(part * (2 ** bits - 1)), 0, bits / 8);
    return Buffer.from(number);
  });
  const pixels = Buffer.concat(Array(64).fill(Buffer.concat(pixel)));
  const count = colour.length;
  const tags = [
    [256, 8], [257, 8], [258, count > 1 ? 8 : bits], [259, 1], [262, count > 1 ? 2 : 1], [273, 300],
    [277, count], [278, 8], [279, pixels.length], [339, count > 1 ? 14 : isFloating ? 3 : 1],
  ];
  const head = Buffer.alloc(300);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(20, 4);
  for (let part = 0; part < 3; part++) {
    head.writeUInt16LE(bits, 8 + part * 2);
    head.writeUInt16LE(isFloating ? 3 : 1, 14 + part * 2);
  }
  head.writeUInt16LE(tags.length, 20);
  tags.forEach(([tag, value], at) => {
    const of = tag === 258 || tag === 339 ? count : 1;
    head.writeUInt16LE(tag, 22 + at * 12);
    head.writeUInt16LE(tag === 273 || tag === 279 ? 4 : 3, 24 + at * 12);
    head.writeUInt32LE(of, 26 + at * 12);
    head.writeUInt32LE(value, 30 + at * 12);
  });
  return Buffer.concat([head, pixels]);
}

const red = [0.75, 0.12, 0.12];
const files = {
  '8 bits': tiffOf(red, 8),
  '16 bits': tiffOf(red, 16),
  '32 bits': tiffOf(red, 32),
  floating: tiffOf(red, 32, true),
  'gray, 16 bits': tiffOf([0.5], 16),
  'gray, floating': tiffOf([0.5], 32, true),
};
const seen = [];
for (const [name, bytes] of Object.entries(files)) {
  const { depth } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const pixel = [...data.subarray(0, info.channels)];
  seen.push(`${name}: ${depth}, ${(pixel.length < 3 ? [pixel[0], pixel[0], pixel[0]] : pixel.slice(0, 3)).join(' ')}`);
}
console.log(seen.join('\n'));
const expected = `8 bits: uchar, 191 31 31
16 bits: ushort, 191 30 30
32 bits: uint, 0 255 255
floating: float, 224 97 97
gray, 16 bits: ushort, 128 128 128
gray, floating: float, 0 0 0`;
process.exitCode = seen.join('\n') === expected ? 0 : 1;
JS
node check.mjs
