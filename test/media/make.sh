#!/bin/bash
# Makes the files of test/media/files: videos of common encoders, of which only the headers are kept. They are stored, so
# that the tests need none of these tools. Needs ffmpeg 5.1 with x264 and x265, HandBrakeCLI 1.6, gst-launch-1.0 1.22
# with x264enc, and node with the package mediabunny 1.61 (in MEDIABUNNY, a folder with node_modules).
# Usage: test/media/make.sh [PATTERN]
set -eu
cd "$(dirname "$0")"
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pattern=${1:-.}

F="ffmpeg -hide_banner -loglevel error -y -nostdin"
video() { echo "-f lavfi -i testsrc2=size=${1:-180x320}:rate=${2:-30}:duration=${3:-3}"; }
sound() { echo "-f lavfi -i sine=frequency=440:sample_rate=${1:-48000}:duration=${2:-3}"; }
X264="-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
X265="-c:v libx265 -preset ultrafast -tag:v hvc1 -x265-params log-level=error"

# make NAME COMMAND...: runs the command, which writes NAME, and stores its header.
make() {
  local name=$1
  shift
  (cd "$work" && eval "$@")
  [[ $name =~ $pattern ]] && node "$here/header.mjs" "$work/$name" "$here/files/$name.gz" || true
}

make default.mp4 $F $(video) $(sound) -c:v libx264 -pix_fmt yuv420p -c:a aac default.mp4
make faststart.mp4 $F -i default.mp4 -c copy -movflags +faststart faststart.mp4
make rotated.mp4 $F $(video 320x180 30000/1001) -c:v libx264 -pix_fmt yuv420p source.mp4 '&&' $F -i source.mp4 -c copy -metadata:s:v rotate=90 rotated.mp4
make open.mp4 $F $(video 180x320 30 4) $X265:keyint=30:min-keyint=30:bframes=4:rc-lookahead=20 -preset medium open.mp4
make closed.mp4 $F $(video 180x320 30 4) $X265:keyint=30:open-gop=0 closed.mp4
make pq.mp4 $F $(video 180x320 30 1) -pix_fmt yuv420p10le $X265:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc -color_trc smpte2084 pq.mp4
make from-rgb.mp4 $F -f lavfi -i testsrc=size=180x320:rate=30:duration=1 -c:v libx264 from-rgb.mp4
make interlaced.mov $F $(video 320x180 50 2) -vf interlace,setfield=tff $X264 -flags +ildct+ilme -x264-params tff=1 interlaced.mov
make fragmented.mp4 $F -i default.mp4 -c copy -movflags +frag_keyframe+empty_moov+default_base_moof -frag_duration 1000000 fragmented.mp4
make half-fragmented.mp4 $F $(video) $(sound) $X264 -g 30 -c:a aac -movflags +frag_keyframe half-fragmented.mp4
make segments.mp4 $F $(video) $X264 -g 30 -movflags +cmaf+frag_keyframe+global_sidx segments.mp4
make anamorphic.mp4 $F $(video) -vf setsar=2/1 $X264 anamorphic.mp4
make cover.mp4 $F -f lavfi -i color=size=60x60:duration=0.1 -frames:v 1 cover.jpg '&&' $F -i cover.jpg -i default.mp4 -map 0 -map 1 -c copy cover.mp4
make surround.mp4 $F $(video 180x320 30 1) $(sound 44100 1) $X264 -c:a aac -ac 6 surround.mp4
make 96k.mov $F $(video 180x320 30 1) $(sound 96000 1) $X264 -c:a aac 96k.mov
make pcm.mov $F $(video 180x320 30 1) $(sound 48000 1) $X264 -c:a pcm_s24le -ac 2 pcm.mov
make opus.mp4 $F $(video 180x320 30 1) $(sound 48000 1) $X264 -c:a libopus opus.mp4
make mp3.mp4 $F $(video 180x320 30 1) $(sound 44100 1) $X264 -c:a libmp3lame mp3.mp4
make cut.mp4 $F $(video 180x320 30 5) $X264 -g 60 -sc_threshold 0 long.mp4 '&&' $F -ss 1.3 -i long.mp4 -c copy cut.mp4
make late.mp4 $F -itsoffset 1.5 $(video 180x320 30 2) $(sound 48000 4) -map 0 -map 1 -fps_mode passthrough $X264 -c:a aac late.mp4
make variable.mp4 $F $(video 180x320 30 2) $(video 180x320 12 2) -filter_complex '"[0:v][1:v]concat=n=2:v=1[v]"' -map '"[v]"' -fps_mode vfr -enc_time_base 1:120 $X264 variable.mp4
make vp9.mp4 $F $(video 180x320 30 1) -c:v libvpx-vp9 -deadline realtime -cpu-used 8 vp9.mp4
make prores.mov $F $(video 180x320 24 1) -c:v prores_ks prores.mov
make mpeg4.mp4 $F $(video 180x320 30 1) -c:v mpeg4 mpeg4.mp4
make encrypted.mp4 $F $(video 180x320 30 1) $X264 -encryption_scheme cenc-aes-ctr -encryption_key 00112233445566778899aabbccddeeff -encryption_kid 00112233445566778899aabbccddeeff encrypted.mp4
make audio.m4a $F $(sound 44100 1) -c:a aac audio.m4a
make handbrake.mp4 $F $(video 1080x1920 30 2) $(sound 48000 2) $X264 -c:a aac tall.mp4 '&&' HandBrakeCLI -i tall.mp4 -o handbrake.mp4 --preset "'Fast 1080p30'" '>/dev/null' '2>&1'
make gstreamer.mov gst-launch-1.0 -q videotestsrc num-buffers=60 ! video/x-raw,width=180,height=320,framerate=30/1,format=I420 ! x264enc ! h264parse ! qtmux ! filesink location=gstreamer.mov
make mediabunny.mp4 node "$here/mediabunny.mjs" faststart.mp4 mediabunny.mp4
