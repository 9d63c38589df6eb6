#!/usr/bin/env bash
# mediabunny 1.61.0: `computeDuration()` of an MP4 whose edit list shows the first 3 of its 6 seconds is 6. So says mp4box
# 2.4.1 of the track; ffprobe 5.1 tells 3 for the stream, decodes 75 of its 150 frames, and still tells 6 for the file.
# Cutting without encoding anew (`-c copy`, and the editors of phones) makes such files.
#
# It matters for limits of duration: one valid file is too long for one reader and not for another.
#
# Seen, with ffmpeg 5.1.9 (it needs ffmpeg and ffprobe on the PATH):
#   mediabunny: 6
#   ffprobe: stream 3.000000, file 6.000000
set -euo pipefail
command -v ffprobe >/dev/null || { echo 'ffmpeg and ffprobe are needed'; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund mediabunny@1.61.0
ffmpeg -loglevel error -f lavfi -i testsrc=s=128x128:r=25:d=6 -pix_fmt yuv420p -c:v libx264 whole.mp4
cat >check.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';

const bytes = readFileSync('whole.mp4');
// The only entry of the edit list: its first field is how long it shows, in milliseconds.
bytes.writeUInt32BE(3000, bytes.indexOf('elst') + 12);
writeFileSync('cut.mp4', bytes);

const bunny = await new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) }).computeDuration();
const probe = (section) =>
  execFileSync('ffprobe', ['-v', 'error', '-show_entries', `${section}=duration`, '-of', 'csv=p=0', 'cut.mp4'])
    .toString()
    .trim();
const seen = [`mediabunny: ${bunny}`, `ffprobe: stream ${probe('stream')}, file ${probe('format')}`];
console.log(seen.join('\n'));
process.exitCode = seen.join() === 'mediabunny: 6,ffprobe: stream 3.000000, file 6.000000' ? 0 : 1;
JS
node check.mjs
