#!/usr/bin/env bash
# ffmpeg 5.1.9: the filter `overlay`, such as for a logo, makes pictures of 8 bits of those of 10, and the tags of HDR stay:
# the file still says that its transfer is PQ and its primaries BT.2020, with a quarter of the steps that this needs.
# `overlay=format=auto` keeps the 10 bits.
#
# It matters for whoever judges a file by its tags: it is taken for HDR, and shows bands in the sky; and for a check that looks
# at the bits alone, the HDR is gone.
#
# Seen:
#   before: yuv420p10le,bt2020nc,smpte2084,bt2020
#   overlay: yuv420p,bt2020nc,smpte2084,bt2020
#   overlay=format=auto: yuv420p10le,bt2020nc,smpte2084,bt2020
#
# It needs ffmpeg with libx265, and ffprobe, on the PATH.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v ffmpeg >/dev/null || { echo 'this needs ffmpeg on the PATH'; exit 2; }
tags() { ffprobe -v error -show_entries stream=pix_fmt,color_space,color_transfer,color_primaries -of csv=p=0 "$1"; }
encoder=(-c:v libx265 -x265-params log-level=error)
hdr=(-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc)
ffmpeg -v error -f lavfi -i testsrc2=size=320x180:duration=0.5 -pix_fmt yuv420p10le "${encoder[@]}" "${hdr[@]}" before.mp4
logo() { # filter, file
  ffmpeg -v error -i before.mp4 -f lavfi -i color=red:size=32x32:duration=0.5 -filter_complex "$1" "${encoder[@]}" "$2"
}
logo overlay one.mp4
logo overlay=format=auto two.mp4
seen="before: $(tags before.mp4)
overlay: $(tags one.mp4)
overlay=format=auto: $(tags two.mp4)"
echo "$seen"
[ "$seen" = 'before: yuv420p10le,bt2020nc,smpte2084,bt2020
overlay: yuv420p,bt2020nc,smpte2084,bt2020
overlay=format=auto: yuv420p10le,bt2020nc,smpte2084,bt2020' ]
