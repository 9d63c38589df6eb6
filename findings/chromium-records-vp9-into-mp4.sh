#!/usr/bin/env bash
# Chromium 156 on Debian 12: a MediaRecorder that is asked for `video/mp4` writes VP9 and Opus into the MP4, though the same
# browser records H.264 if it is asked for `video/mp4;codecs=avc1`. The sound is Opus then, too: it says of AAC that it cannot.
# Other Chromiums may: `isTypeSupported` tells.
#
# It matters for what is recorded on a page and uploaded to a platform that takes MP4 with H.264 and AAC: name, type and container
# are right, and the file is refused.
#
# Seen, with Chromium 156.0.8078.108 (it needs chromium on the PATH):
#   AAC: not supported
#   video/mp4: video/mp4;codecs=vp9,opus, with vp09 and Opus
#   video/mp4;codecs=avc1: video/mp4;codecs=avc1,opus, with avc1 and Opus
set -euo pipefail
command -v chromium >/dev/null || { echo 'chromium is needed'; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts playwright-core@1.65.1
cat >check.mjs <<'JS'
import { execFileSync } from 'node:child_process';

import { chromium } from 'playwright-core';

/** In the page: records a second of a canvas and a tone. */
async function record(mimeType) {
  const canvas = document.createElement('canvas');
  const drawing = canvas.getContext('2d');
  let frame = 0;
  const timer = setInterval(() => drawing.fillRect(frame++ % 200, 0, 9, 9), 30);
  const audio = new AudioContext();
  const sound = audio.createMediaStreamDestination();
  const tone = audio.createOscillator();
  tone.connect(sound);
  tone.start();
  const stream = new MediaStream([...canvas.captureStream(30).getTracks(), ...sound.stream.getTracks()]);
  const recorder = new MediaRecorder(stream, { mimeType });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  setTimeout(() => recorder.stop(), 1000);
  await stopped;
  clearInterval(timer);
  await audio.close();
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return { type: recorder.mimeType, text: Array.from(bytes, (byte) => String.fromCharCode(byte)).join('') };
}

const executablePath = execFileSync('which', ['chromium']).toString().trim();
const args = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'];
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage();
const canAac = await page.evaluate(() => MediaRecorder.isTypeSupported('video/mp4;codecs=avc1,mp4a.40.2'));
const seen = [`AAC: ${canAac ? 'supported' : 'not supported'}`];
for (const asked of ['video/mp4', 'video/mp4;codecs=avc1']) {
  const { type, text } = await page.evaluate(record, asked);
  // The sample entries of its two tracks.
  const entries = ['vp09', 'avc1', 'mp4a', 'Opus'].filter((name) => text.slice(0, 4096).includes(`${name}\0\0\0\0\0\0\0\x01`));
  seen.push(`${asked}: ${type}, with ${entries.join(' and ')}`);
}
await browser.close();
console.log(seen.join('\n'));
const expected = `AAC: not supported
video/mp4: video/mp4;codecs=vp9,opus, with vp09 and Opus
video/mp4;codecs=avc1: video/mp4;codecs=avc1,opus, with avc1 and Opus`;
process.exitCode = seen.join('\n') === expected ? 0 : 1;
JS
node check.mjs
