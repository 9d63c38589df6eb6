#!/usr/bin/env bash
# ffmpeg 5.1.9: `-af loudnorm`, the usual remedy for sound that is too quiet, makes
# 192 kHz of whatever comes in, since it looks for peaks at that rate. WAV keeps it; the AAC encoder takes the highest rate it
# has, 96 kHz. `-ar 48000` mends it.
#
# It matters for platforms that take sound of up to 48 kHz: a file that was accepted is refused once its loudness is right.
#
# Seen, of sound at 48 kHz:
#   loudnorm, wav: 192000
#   loudnorm, aac: 96000
#   loudnorm, aac, -ar 48000: 48000
#
# It needs ffmpeg and ffprobe on the PATH.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v ffmpeg >/dev/null || { echo 'this needs ffmpeg on the PATH'; exit 2; }
rate() { # filters, encoder, file
  ffmpeg -v error -f lavfi -i 'sine=duration=2:sample_rate=48000' -af "$1" -c:a $2 "$3"
  ffprobe -v error -show_entries stream=sample_rate -of csv=p=0 "$3"
}
seen="loudnorm, wav: $(rate loudnorm pcm_s16le one.wav)
loudnorm, aac: $(rate loudnorm aac two.m4a)
loudnorm, aac, -ar 48000: $(rate loudnorm 'aac -ar 48000' three.m4a)"
echo "$seen"
[ "$seen" = 'loudnorm, wav: 192000
loudnorm, aac: 96000
loudnorm, aac, -ar 48000: 48000' ]
