#!/usr/bin/env bash
# ffmpeg 5.1.9: `amix` divides what it mixes by the number of its inputs, silent ones too, and by fewer when one has ended. So
# sound that is mixed with a silent track is half as loud (6 dB less), and as loud as before once that track is over.
# `normalize=0` leaves it as it is.
#
# It matters where a silent track is mixed in so that every clip has sound: those that had some come out quiet, and jump in
# volume where the silence ends.
#
# Seen, of a tone of 8 s, with a silence of 2 s:
#   alone: -21.1 dB
#   amix, while the silence lasts: -27.1 dB
#   amix, at the end: -21.1 dB
#   amix=normalize=0, while the silence lasts: -21.1 dB
#
# It needs ffmpeg on the PATH.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v ffmpeg >/dev/null || { echo 'this needs ffmpeg on the PATH'; exit 2; }
loud() { # file, from, filter
  ffmpeg -hide_banner -ss "$2" -t 1 -i "$1" -af volumedetect -f null - 2>&1 | sed -n 's/.*mean_volume: //p'
}
ffmpeg -v error -f lavfi -i 'sine=duration=8' tone.wav
mix() { ffmpeg -v error -i tone.wav -f lavfi -i anullsrc=channel_layout=mono:sample_rate=44100:duration=2 -filter_complex "$1" "$2"; }
mix amix=inputs=2 one.wav
mix amix=inputs=2:normalize=0 two.wav
seen="alone: $(loud tone.wav 0.5)
amix, while the silence lasts: $(loud one.wav 0.5)
amix, at the end: $(loud one.wav 6)
amix=normalize=0, while the silence lasts: $(loud two.wav 0.5)"
echo "$seen"
[ "$seen" = 'alone: -21.1 dB
amix, while the silence lasts: -27.1 dB
amix, at the end: -21.1 dB
amix=normalize=0, while the silence lasts: -21.1 dB' ]
