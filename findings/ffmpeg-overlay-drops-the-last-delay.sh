#!/usr/bin/env bash
# ffmpeg 5.1.9: behind `overlay`, the last picture of a GIF is shown for one frame, however long it waits. So it is behind
# `alphamerge`, `blend` and `hstack`, which join two inputs too. A chain of one input keeps it to its end. Nothing is said,
# and the exit code is 0.
#
# It matters where an animation is painted over a colour, such as white where it is transparent, before it becomes a video:
# makers of GIFs let the last picture wait, so that it can be read. In place of it: `negate,premultiply=inplace=1,negate`
# of `gbrap` is white where it was transparent, and keeps the end.
#
# Seen, of a GIF of 8 pictures, of which the last waits 2.5 s; ffprobe says 6 s of it:
#   fps=25: 6.00 s
#   overlay over white: 3.52 s
#   premultiply in place: 6.00 s
#
# It needs ffmpeg on the PATH.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v ffmpeg >/dev/null || { echo 'this needs ffmpeg on the PATH'; exit 2; }
ffmpeg -v error -f lavfi -i testsrc=size=64x64:rate=2:duration=4 -final_delay 250 last.gif
lasts() { # filters
  ffmpeg -v error -y -i last.gif -filter_complex "$1,fps=25,format=yuv420p" -c:v mpeg4 video.mp4
  printf '%.2f s' "$(ffprobe -v error -show_entries stream=duration -of csv=p=0 video.mp4)"
}
seen="fps=25: $(lasts null)
overlay over white: $(lasts 'format=rgba,split[a][b];[a]lutrgb=r=255:g=255:b=255:a=255[w];[w][b]overlay=format=rgb')
premultiply in place: $(lasts 'format=gbrap,negate,premultiply=inplace=1,negate')"
echo "$seen"
[ "$seen" = 'fps=25: 6.00 s
overlay over white: 3.52 s
premultiply in place: 6.00 s' ]
