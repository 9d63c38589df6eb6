#!/usr/bin/env bash
# A video whose pixels are narrow has two sizes. HandBrake stores a tall one as 1080 × 1080 with pixels of 9:16: ffmpeg 5.1
# makes it less wide (`scale=iw*sar:ih`, and what it tells as the ratio), 608 × 1080; mediabunny 1.61.0 makes it taller,
# 1080 × 1920, as browsers do: HTML asks them to stretch a side, and never to shrink one.
#
# It matters for limits of resolution: by one of the two, a valid file has fewer pixels than a platform asks for.
#
# Seen, with ffmpeg 5.1.9 (it needs ffmpeg and ffprobe on the PATH):
#   ffmpeg: 608x1080
#   mediabunny: 1080x1920
set -euo pipefail
command -v ffprobe >/dev/null || { echo 'ffmpeg and ffprobe are needed'; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund mediabunny@1.61.0
ffmpeg -loglevel error -f lavfi -i testsrc=s=1080x1080:r=25:d=1 -vf setsar=9/16 -pix_fmt yuv420p -c:v libx264 narrow.mp4
ffmpeg -loglevel error -i narrow.mp4 -frames:v 1 -vf 'scale=round(iw*sar):ih' frame.png
cat >check.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';

const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(readFileSync('narrow.mp4')) });
const track = await input.getPrimaryVideoTrack();
const frame = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0:s=x', 'frame.png'];
const seen = [
  `ffmpeg: ${execFileSync('ffprobe', frame).toString().trim()}`,
  `mediabunny: ${await track.getDisplayWidth()}x${await track.getDisplayHeight()}`,
];
console.log(seen.join('\n'));
process.exitCode = seen.join() === 'ffmpeg: 608x1080,mediabunny: 1080x1920' ? 0 : 1;
JS
node check.mjs
