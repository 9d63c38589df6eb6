#!/usr/bin/env bash
# sharp 0.35.5 works on an animation as one tall picture of all its frames. So `flip()`, `rotate(180)` and, where EXIF says so, `autoOrient()`
# also turn the order of the frames round, and leave the delays in theirs: it plays backwards, and the last delay is that of the first frame.
# `composite` puts a logo on one frame: at the bottom, on the last. `resize` and `blur` mix the edge of each frame with that of
# its neighbour. Nothing is said of it; `rotate(90)` and `trim()` are refused, and `extend()` is right, frame by frame.
#
# It matters for whoever turns or marks a GIF or a WebP with `animated: true`: its size, its frames and its delays are as they
# should be, and the logo is seen for the last moment only. `flop()` does no harm.
#
# Seen, of a GIF of three frames, red, lime and blue, which wait 100, 200 and 3000 ms; the colour of each frame:
#   as it is: red lime blue, waits 100 200 3000
#   flip: blue lime red, waits 100 200 3000
#   rotate 180: blue lime red, waits 100 200 3000
#   auto-oriented by EXIF 3: blue lime red, waits 100 200 3000
#   rotate 90: Rotate is not supported for multi-page images
#   flop: red lime blue, waits 100 200 3000
#   a white bar at the bottom, its colour in each frame: red lime white
#   blur, the last row of each frame: mixed mixed blue
#   resize 100 × 75, the first row of each frame: red mixed mixed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund sharp@0.35.5
cat >check.mjs <<'JS'
import sharp from 'sharp';

const names = { '255 0 0': 'red', '0 255 0': 'lime', '0 0 255': 'blue', '255 255 255': 'white' };
const solid = (background, height = 48) => ({ create: { width: 64, height, channels: 3, background } });
const frames = await Promise.all(['red', 'lime', 'blue'].map((colour) => sharp(solid(colour)).png().toBuffer()));
const gif = await sharp(frames, { join: { animated: true } }).gif({ delay: [100, 200, 3000] }).toBuffer();
const lying = await sharp(gif, { animated: true }).withMetadata({ orientation: 3 }).webp({ lossless: true }).toBuffer();

/** The colour of a row, 0 or -1, of each frame after a step, and the delays. */
async function after(step, row, source = gif) {
  const made = await step(sharp(source, { animated: true })).webp({ lossless: true }).toBuffer();
  const { pages, delay } = await sharp(made, { animated: true }).metadata();
  const colours = [];
  for (let page = 0; page < pages; page++) {
    const { data, info } = await sharp(made, { page }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (row === 0 ? 0 : info.height - 1) * info.width * info.channels;
    colours.push(names[data.subarray(at, at + 3).join(' ')] ?? 'mixed');
  }
  return { colours: colours.join(' '), waits: `waits ${delay.join(' ')}` };
}
const whole = (step, source) =>
  after(step, 0, source).then(
    ({ colours, waits }) => `${colours}, ${waits}`,
    ({ message }) => message,
  );
const bar = { input: solid('white', 8), gravity: 'south' };

const seen = [
  `as it is: ${await whole((image) => image)}`,
  `flip: ${await whole((image) => image.flip())}`,
  `rotate 180: ${await whole((image) => image.rotate(180))}`,
  `auto-oriented by EXIF 3: ${await whole((image) => image.autoOrient(), lying)}`,
  `rotate 90: ${await whole((image) => image.rotate(90))}`,
  `flop: ${await whole((image) => image.flop())}`,
  `a white bar at the bottom, its colour in each frame: ${(await after((image) => image.composite([bar]), -1)).colours}`,
  `blur, the last row of each frame: ${(await after((image) => image.blur(3), -1)).colours}`,
  `resize 100 × 75, the first row of each frame: ${(await after((image) => image.resize(100, 75), 0)).colours}`,
];
console.log(seen.join('\n'));
const expected = `as it is: red lime blue, waits 100 200 3000
flip: blue lime red, waits 100 200 3000
rotate 180: blue lime red, waits 100 200 3000
auto-oriented by EXIF 3: blue lime red, waits 100 200 3000
rotate 90: Rotate is not supported for multi-page images
flop: red lime blue, waits 100 200 3000
a white bar at the bottom, its colour in each frame: red lime white
blur, the last row of each frame: mixed mixed blue
resize 100 × 75, the first row of each frame: red mixed mixed`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
