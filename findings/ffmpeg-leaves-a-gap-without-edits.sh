#!/usr/bin/env bash
# ffmpeg 5.1.9 with `-c:v copy -use_editlist 0` writes an MP4 whose sound has a gap behind its first 21 ms, if the picture has
# B-frames: it lets the picture begin two frames late, as its decoder needs, and makes the first part of the sound longer by as
# much. Of what comes after, all times are right, yet whoever plays or decodes the sound on without gaps is ahead of the picture
# by 46 ms: ffmpeg itself, into a WAV, where the 21 ms that AAC begins with are in it too. With a list of edits, which is the
# default, there is no gap. The exit code is 0.
#
# It matters where `-use_editlist 0` is added because a platform asks for files without lists of edits. Encode such a file
# without B-frames (`-bf 0`), or keep the list, which only skips what the decoder needs first.
#
# Seen, of a Matroska file at 30 pictures a second whose picture begins at 0 and whose tone begins at 1 s:
#   with a list: the picture begins at 0.000 s, the tone in a WAV of it at 1.00 s
#   without: the picture begins at 0.067 s, the tone in a WAV of it at 1.02 s
#   without, and without B-frames: the picture begins at 0.000 s, the tone in a WAV of it at 1.02 s
#
# It needs ffmpeg on the PATH.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v ffmpeg >/dev/null || { echo 'this needs ffmpeg on the PATH'; exit 2; }
tone="aevalsrc='if(gte(t,1),0.5*sin(2000*PI*t),0)':s=48000:d=3"
for frames in 2 0; do
  ffmpeg -v error -f lavfi -i testsrc=size=64x64:rate=30:duration=3 -f lavfi -i "$tone" \
    -c:v libx264 -bf "$frames" -pix_fmt yuv420p -c:a pcm_s16le "$frames.mkv"
done
begins() { # file, options
  ffmpeg -v error -y -i "$1" -c:v copy -c:a aac "${@:2}" copy.mp4
  ffmpeg -v error -y -i copy.mp4 -vn sound.wav
  picture=$(ffprobe -v error -select_streams v -show_entries stream=start_time -of csv=p=0 copy.mp4)
  tone=$(ffmpeg -i sound.wav -af silencedetect=noise=-20dB:d=0.5 -f null - 2>&1 | sed -n 's/.*silence_end: \([0-9.]*\).*/\1/p')
  printf 'the picture begins at %.3f s, the tone in a WAV of it at %.2f s' "$picture" "$tone"
}
seen="with a list: $(begins 2.mkv)
without: $(begins 2.mkv -use_editlist 0)
without, and without B-frames: $(begins 0.mkv -use_editlist 0)"
echo "$seen"
[ "$seen" = 'with a list: the picture begins at 0.000 s, the tone in a WAV of it at 1.00 s
without: the picture begins at 0.067 s, the tone in a WAV of it at 1.02 s
without, and without B-frames: the picture begins at 0.000 s, the tone in a WAV of it at 1.02 s' ]
