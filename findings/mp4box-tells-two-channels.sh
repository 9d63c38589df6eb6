#!/usr/bin/env bash
# mp4box 2.4.1: `audioTracks[].audio.channel_count` is the field of the sample entry, not what the AAC stream is
# configured for. ffmpeg 5.1 writes 2 there, whatever there are, so sound with one and with six channels is told as
# two. mediabunny 1.61.0 and ffprobe read the configuration, and tell 1 and 6.
#
# It matters for a check of uploads: platforms ask for at most two channels, and six pass unseen.
#
# Seen, with ffmpeg 5.1.9 (it needs ffmpeg on the PATH):
#   one.mp4: mp4box 2, mediabunny 1
#   six.mp4: mp4box 2, mediabunny 6
set -euo pipefail
command -v ffmpeg >/dev/null || { echo 'ffmpeg is needed'; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund mp4box@2.4.1 mediabunny@1.61.0
ffmpeg -loglevel error -f lavfi -i sine=d=1 -ac 1 -c:a aac one.mp4
ffmpeg -loglevel error -f lavfi -i sine=d=1 -ac 6 -c:a aac six.mp4
cat >check.mjs <<'JS'
import { readFileSync } from 'node:fs';

import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { createFile } from 'mp4box';

function channelsOfBox(bytes) {
  return new Promise((resolve, reject) => {
    const file = createFile();
    file.onReady = ({ audioTracks }) => resolve(audioTracks[0].audio.channel_count);
    file.onError = reject;
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    buffer.fileStart = 0;
    file.appendBuffer(buffer);
    file.flush();
  });
}

const seen = [];
for (const name of ['one.mp4', 'six.mp4']) {
  const bytes = readFileSync(name);
  const track = await new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) }).getPrimaryAudioTrack();
  seen.push(`${name}: mp4box ${await channelsOfBox(bytes)}, mediabunny ${track.numberOfChannels}`);
}
console.log(seen.join('\n'));
const expected = ['one.mp4: mp4box 2, mediabunny 1', 'six.mp4: mp4box 2, mediabunny 6'];
process.exitCode = seen.join() === expected.join() ? 0 : 1;
JS
node check.mjs
