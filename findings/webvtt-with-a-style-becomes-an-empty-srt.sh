#!/usr/bin/env bash
# ffmpeg 5.1.9 makes an empty SRT of WebVTT with a block `STYLE`, which the standard has since 2018, and exits with 0: all
# captions are gone, and a warning says that nothing was encoded. Four packages make four things of the same file: subtitle 4.2.2
# and node-webvtt 1.9.4 refuse it. subsrt-ts 2.1.2 counts blocks that are no captions, so that the first one has the number 4,
# and leaves `&amp;` in a format that has no such signs. @plussub/srt-vtt-parser 2.0.5 finds no end of a caption with settings
# whose times have no hours; without the settings, or with hours, it does.
#
# It matters for platforms that take captions as SRT only, since what editors and transcripts export is WebVTT: a video is
# published with captions that are none, or that say "Tea &amp; cake". The block can be cut out before: it ends at an empty line.
#
# Seen (it needs ffmpeg on the PATH):
#   ffmpeg: exit 0, ""
#   ffmpeg, without the block: exit 0, "1\n00:00:01,000 --> 00:00:02,500\nTea & cake\n\n"
#   subtitle: expected timestamp at row 5, but received: "STYLE"
#   node-webvtt: Cue identifier needs to be followed by timestamp (cue #1)
#   subsrt-ts: "4\n00:00:01,000 --> 00:00:02,500\nTea &amp; cake\n\n\n"
#   @plussub/srt-vtt-parser: from 1000 to NaN
#   @plussub/srt-vtt-parser, with hours: from 1000 to 2500
set -euo pipefail
command -v ffmpeg >/dev/null || { echo 'ffmpeg is needed'; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts subtitle@4.2.2 node-webvtt@1.9.4 subsrt-ts@2.1.2 @plussub/srt-vtt-parser@2.0.5
cat >check.mjs <<'JS'
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

import { parse } from '@plussub/srt-vtt-parser';
import webvtt from 'node-webvtt';
import subsrt from 'subsrt-ts';
import { parseSync } from 'subtitle';

const plain = `WEBVTT

NOTE made by hand

00:01.000 --> 00:02.500 align:start
Tea &amp; cake
`;
const styled = plain.replace('\n00:01', '\nSTYLE\n::cue { color: red }\n\n00:01');

function convert(text) {
  writeFileSync('captions.vtt', text);
  const { status } = spawnSync('ffmpeg', ['-v', 'quiet', '-y', '-i', 'captions.vtt', 'captions.srt']);
  return `exit ${status}, ${JSON.stringify(readFileSync('captions.srt', 'utf8'))}`;
}

function said(read) {
  try {
    return read();
  } catch ({ message }) {
    return message;
  }
}

function timesOf(text) {
  const [{ from, to }] = parse(text).entries;
  return `from ${from} to ${to}`;
}

const seen = [
  `ffmpeg: ${convert(styled)}`,
  `ffmpeg, without the block: ${convert(plain)}`,
  `subtitle: ${said(() => parseSync(styled))}`,
  `node-webvtt: ${said(() => webvtt.parse(styled))}`,
  `subsrt-ts: ${JSON.stringify(subsrt.convert(styled, { format: 'srt' }).replaceAll('\r', ''))}`,
  `@plussub/srt-vtt-parser: ${timesOf(styled)}`,
  `@plussub/srt-vtt-parser, with hours: ${timesOf(styled.replaceAll('00:0', '00:00:0'))}`,
];
console.log(seen.join('\n'));
const expected = String.raw`ffmpeg: exit 0, ""
ffmpeg, without the block: exit 0, "1\n00:00:01,000 --> 00:00:02,500\nTea & cake\n\n"
subtitle: expected timestamp at row 5, but received: "STYLE"
node-webvtt: Cue identifier needs to be followed by timestamp (cue #1)
subsrt-ts: "4\n00:00:01,000 --> 00:00:02,500\nTea &amp; cake\n\n\n"
@plussub/srt-vtt-parser: from 1000 to NaN
@plussub/srt-vtt-parser, with hours: from 1000 to 2500`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
