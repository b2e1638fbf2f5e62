#!/usr/bin/env bash
# A few random programs on gfx1100: in waves of 32 and of 64 lanes, one of them in all lanes of a wave. tests/long/csmith.sh
# has hundreds. TAP.
set -u
csmith=$(dirname "$0")/csmith.sh
status=0
export TARGET=gfx1100
WAVE=32 "$csmith" 1 8 3 || status=1
WAVE=64 "$csmith" 15 22 3 || status=1
LANES=32 WAVE=32 "$csmith" 701 702 1 || status=1
exit $status
