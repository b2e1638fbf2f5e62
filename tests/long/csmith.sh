#!/usr/bin/env bash
# Random csmith programs on the software GPU compared with the host: at least 300 at three optimization levels on gfx900
# and in each wave size of gfx1100, some for the other targets, and some in all lanes of a wave with divergence. About half
# of the seeds give comparable programs; tests/programs/csmith.sh explains which are skipped and why. TAP.
set -u
csmith=$(dirname "$0")/../programs/csmith.sh
status=0
"$csmith" 1 600 300 || status=1
TARGET=gfx906 "$csmith" 601 650 20 || status=1
TARGET=gfx908 "$csmith" 601 800 90 || status=1
TARGET=gfx90a "$csmith" 601 800 90 || status=1
LANES=64 "$csmith" 701 780 25 || status=1
TARGET=gfx1100 WAVE=32 "$csmith" 1 600 300 || status=1
TARGET=gfx1100 WAVE=64 "$csmith" 1 600 300 || status=1
TARGET=gfx1100 LANES=32 WAVE=32 "$csmith" 701 760 18 || status=1
TARGET=gfx1100 LANES=64 WAVE=64 "$csmith" 701 740 12 || status=1
exit $status
