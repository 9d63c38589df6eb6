#!/usr/bin/env bash
# ffmpeg 5.1.9 shows the last picture of a GIF for as long as it waits, if it makes a video of it as it is. With any `-vf`, even
# `null`, it is shown for one frame, and `-r` beside it helps nothing; only the filter `fps` keeps the wait. Behind `overlay`, and
# so behind `alphamerge`, `blend` and `hstack`, which join two inputs too, not even that does. Of GIF into GIF, animated WebP or
# APNG, the wait is lost without a filter. Nothing is said, and the exit code is 0.
#
# It matters where an animation is scaled or painted over a colour before it becomes a video: makers of GIFs let the last
# picture wait, so that it can be read. Let `fps` stand in the chain; in place of `overlay`,
# `format=gbrap,negate,premultiply=inplace=1,negate` makes white of what is transparent.
#
# Seen, of a GIF of 8 pictures of half a second, of which the last waits 2.5 s; ffprobe says 6 s of it:
#   as it is: 6.00 s
#   null: 4.00 s
#   null, -r 25: 4.00 s
#   null,fps=25: 6.00 s
#   overlay over white, fps=25: 3.52 s
#   premultiply in place, fps=25: 6.00 s
#   the last picture of a GIF: 0.50 s
#
# It needs ffmpeg on the PATH.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v ffmpeg >/dev/null || { echo 'this needs ffmpeg on the PATH'; exit 2; }
ffmpeg -v error -f lavfi -i testsrc=size=64x64:rate=2:duration=4 -final_delay 250 last.gif
lasts() { # options
  ffmpeg -v error -y -i last.gif "$@" -c:v mpeg4 video.mp4
  printf '%.2f s' "$(ffprobe -v error -show_entries stream=duration -of csv=p=0 video.mp4)"
}
ffmpeg -v error -i last.gif again.gif
seen="as it is: $(lasts)
null: $(lasts -vf null)
null, -r 25: $(lasts -vf null -r 25)
null,fps=25: $(lasts -vf null,fps=25)
overlay over white, fps=25: $(lasts -vf 'format=rgba,split[a][b];[a]lutrgb=r=255:g=255:b=255:a=255[w];[w][b]overlay=format=rgb,fps=25')
premultiply in place, fps=25: $(lasts -vf 'format=gbrap,negate,premultiply=inplace=1,negate,fps=25')
the last picture of a GIF: $(printf '%.2f s' "$(ffprobe -v error -show_entries packet=duration_time -of csv=p=0 again.gif | tail -1)")"
echo "$seen"
[ "$seen" = 'as it is: 6.00 s
null: 4.00 s
null, -r 25: 4.00 s
null,fps=25: 6.00 s
overlay over white, fps=25: 3.52 s
premultiply in place, fps=25: 6.00 s
the last picture of a GIF: 0.50 s' ]
