#!/usr/bin/env bash
# ffprobe 5.1: the `bit_rate` of an MPEG-1 video of variable rate in an MP4 is 104857200, whatever it is: that is the number
# 0x3ffff by which the stream says that its rate is variable, times 400. The file is of some hundred kilobits a second.
#
# It matters where a limit of bit rate is checked by what ffprobe tells.
#
# Seen, with ffmpeg 5.1.9 (it needs ffmpeg and ffprobe on the PATH):
#   told: 104857200
#   the file is smaller by a factor of more than 10
set -euo pipefail
command -v ffprobe >/dev/null || { echo 'ffmpeg and ffprobe are needed'; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ffmpeg -loglevel error -f lavfi -i testsrc2=s=128x128:r=25:d=4 -c:v mpeg1video video.mp4
told=$(ffprobe -v error -show_entries stream=bit_rate -of csv=p=0 video.mp4 | tr -d ',')
real=$(($(stat -c %s video.mp4) * 8 / 4))
echo "told: $told"
[ "$told" = 104857200 ] && [ $((real * 10)) -lt "$told" ]
echo 'the file is smaller by a factor of more than 10'
