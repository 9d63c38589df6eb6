#!/usr/bin/env bash
# heic-convert 2.1.0 and Jimp 1.6.1 drop the colour profile of a picture, and keep its numbers. Pictures of phones are mostly in
# Display P3, where the full red of sRGB is 234, 51, 34: without the profile, whoever shows the picture takes that for sRGB, and
# each colour is duller. sharp 0.35.5 drops the profile as well, but converts the numbers first.
#
# It matters for uploads to platforms that take JPEG only: the picture is accepted, and nothing in the file tells any more that
# its colours are wrong.
#
# Seen, of a square in the full red of sRGB that is stored in Display P3:
#   sharp: profile none, 255 0 0
#   jimp: profile none, 234 51 34
#   heic-convert: profile none, 234 51 35
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund heic-convert@2.1.0 jimp@1.6.1 sharp@0.35.5
# A square of 64 pixels, written by heif-enc of libheif 1.15.1.
base64 --decode >square.heic <<'HEIC'
AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAy9tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAA
Imlsb2MAAAAAREAAAQABAAAAAANTAAEAAAAAAAAAHgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAACr2lwcnAAAAKQaXBjbwAAAHhodmND
AQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqSSmubgQEDAgA
AAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAEAAAABAAAAB7GNvbHJwcm9mAAAB4GxjbXMEIAAAbW50clJHQiBYWVogB+IAAwAUAAkADgAd
YWNzcE1TRlQAAAAAc2F3c2N0cmwAAAAAAAAAAAAAAAAAAPbWAAEAAAAA0y1oYW5kguKocouKP/clPrmS7iTWrgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
AAAAAAAKZGVzYwAAAPwAAAAkY3BydAAAASAAAAAid3RwdAAAAUQAAAAUY2hhZAAAAVgAAAAsclhZWgAAAYQAAAAUZ1hZWgAAAZgAAAAUYlhZWgAAAawAAAAU
clRSQwAAAcAAAAAgZ1RSQwAAAcAAAAAgYlRSQwAAAcAAAAAgbWx1YwAAAAAAAAABAAAADGVuVVMAAAAIAAAAHABzAFAAMwBDbWx1YwAAAAAAAAABAAAADGVu
VVMAAAAGAAAAHABDAEMAMAAAWFlaIAAAAAAAAPbWAAEAAAAA0y1zZjMyAAAAAAABDEIAAAXe///zJQAAB5MAAP2Q///7of///k4AAAOaAADAFFhZWiAAAAAA
AACD3wAAPb8AAAAAWFlaIAAAAAAAAEq/AACxNwAACrVYWVogAAAAAAAAKDgAABEKAADIeHBhcmEAAAAAAAMAAAACZmkAAPKnAAANWQAAE9AAAApbAAAAEHBp
eGkAAAAAAwgICAAAABdpcG1hAAAAAAAAAAEAAQSBAoOEAAAAJm1kYXQAAAAaKAGvCeAhOXVf//pf///zylyH753B0HMPX4A=
HEIC
cat >check.mjs <<'JS'
import { readFileSync } from 'node:fs';

import convert from 'heic-convert';
import { Jimp } from 'jimp';
import sharp from 'sharp';

const heic = readFileSync('square.heic');
if (!heic.includes('colrprof')) throw new Error('the HEIC has a profile');
const red = { width: 64, height: 64, channels: 3, background: 'rgb(255, 0, 0)' };
const p3 = await sharp({ create: red }).withIccProfile('p3').png().toBuffer();

const pictures = {
  sharp: await sharp(p3).png().toBuffer(),
  jimp: await (await Jimp.read(p3)).getBuffer('image/png'),
  'heic-convert': await convert({ buffer: heic, format: 'PNG' }),
};
const seen = [];
for (const [name, bytes] of Object.entries(pictures)) {
  const picture = sharp(Buffer.from(bytes)).removeAlpha();
  const { icc } = await picture.metadata();
  const { channels } = await picture.stats();
  const colour = channels.slice(0, 3).map(({ mean }) => Math.round(mean));
  seen.push(`${name}: profile ${icc ? 'kept' : 'none'}, ${colour.join(' ')}`);
}
console.log(seen.join('\n'));
const expected = `sharp: profile none, 255 0 0
jimp: profile none, 234 51 34
heic-convert: profile none, 234 51 35`;
process.exitCode = seen.join('\n') === expected ? 0 : 1;
JS
node check.mjs
