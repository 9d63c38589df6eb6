#!/usr/bin/env bash
# mkvmerge 74.0.0 (MKVToolNix of Debian 12): a video of a phone, stored on its side in an MP4 with the matrix that turns it,
# lies on its side in the Matroska that it makes. The matrix is dropped, nothing stands in its place, and nothing is said.
# ffmpeg 5.1.9 with `-c copy` drops it too.
#
# It matters where clips are joined, cut or given subtitles in Matroska without encoding: turn them before, or encode them.
#
# Seen, of a video that is shown 240 wide and 320 high:
#   MP4: 90 degrees
#   Matroska of mkvmerge: not turned
#   Matroska of ffmpeg: not turned
#
# It needs ffmpeg and mkvmerge (apt install mkvtoolnix) on the PATH, and Node.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for program in ffmpeg mkvmerge mkvinfo node; do
  command -v $program >/dev/null || { echo "this needs $program on the PATH"; exit 2; }
done
ffmpeg -v error -f lavfi -i testsrc=size=320x240:duration=1 -pix_fmt yuv420p -c:v libx264 flat.mp4
# As phones do: the matrix of the track turns it by 90 degrees.
node -e "
const { readFileSync, writeFileSync } = require('node:fs');
const bytes = readFileSync('flat.mp4');
const matrix = bytes.indexOf('tkhd') + 44;
[0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000].forEach((value, at) => bytes.writeInt32BE(value, matrix + at * 4));
writeFileSync('phone.mp4', bytes);
"
mkvmerge -q -o merged.mkv phone.mp4
ffmpeg -v error -i phone.mp4 -c copy copied.mkv
turned() {
  local found
  found=$(ffprobe -v error -show_streams "$1" | sed -n 's/^rotation=-\{0,1\}//p')
  if [ -n "$found" ]; then echo "$found degrees"
  # What Matroska has for it is an element of the projection.
  elif mkvinfo "$1" | grep -qi projection; then echo 'by its projection'
  else echo 'not turned'; fi
}
seen="MP4: $(turned phone.mp4)
Matroska of mkvmerge: $(turned merged.mkv)
Matroska of ffmpeg: $(turned copied.mkv)"
echo "$seen"
[ "$seen" = 'MP4: 90 degrees
Matroska of mkvmerge: not turned
Matroska of ffmpeg: not turned' ]
