#!/usr/bin/env bash
# ffprobe 5.1: of a monochrome H.264 video (4:0:0, `-pix_fmt gray`), it tells `pix_fmt` yuvj420p, as its decoder makes it,
# not as the file is coded: the last bytes of `avcC` say chroma_format 0.
#
# It matters where a check asks for 4:2:0 by what ffprobe tells: hardware that decodes 4:2:0 only refuses such a file.
#
# Seen, with ffmpeg 5.1.9 (it needs ffmpeg and ffprobe on the PATH):
#   ffprobe: yuvj420p
#   avcC: chroma_format 0
set -euo pipefail
command -v ffprobe >/dev/null || { echo 'ffmpeg and ffprobe are needed'; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ffmpeg -loglevel error -f lavfi -i testsrc2=s=128x128:r=25:d=1 -pix_fmt gray -c:v libx264 gray.mp4
cat >check.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const bytes = readFileSync('gray.mp4');
const at = bytes.indexOf('avcC');
// The box ends with chroma format, two bit depths, and the number of extensions.
const chroma = bytes[at - 4 + bytes.readUInt32BE(at - 4) - 4] & 3;
const told = execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'stream=pix_fmt', '-of', 'csv=p=0', 'gray.mp4']);
const seen = [`ffprobe: ${told.toString().trim()}`, `avcC: chroma_format ${chroma}`];
console.log(seen.join('\n'));
process.exitCode = seen.join() === 'ffprobe: yuvj420p,avcC: chroma_format 0' ? 0 : 1;
JS
node check.mjs
