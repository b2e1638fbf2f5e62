#!/usr/bin/env bash
# csmith's programs on the software GPU against the host: at least 300 at three levels, some for the other targets, and some in
# all lanes of a wave, which part ways. About half the seeds make programs worth comparing; tests/programs/csmith.sh says what is
# left out and why. TAP.
set -u
csmith=$(cd "$(dirname "$0")/../programs" && pwd)/csmith.sh
status=0
"$csmith" 1 600 300 || status=1
TARGET=gfx906 "$csmith" 601 650 20 || status=1
TARGET=gfx908 "$csmith" 651 700 20 || status=1
LANES=64 "$csmith" 701 780 25 || status=1
exit $status
