#!/usr/bin/env bash
# Random csmith programs on the software GPU compared with the host: at least 300 at three optimization levels, some for
# the other targets, and some in all lanes of a wave with divergence. About half of the seeds give comparable programs;
# tests/programs/csmith.sh explains which are skipped and why. TAP.
set -u
csmith=$(dirname "$0")/../programs/csmith.sh
status=0
"$csmith" 1 600 300 || status=1
TARGET=gfx906 "$csmith" 601 650 20 || status=1
TARGET=gfx908 "$csmith" 651 700 20 || status=1
LANES=64 "$csmith" 701 780 25 || status=1
exit $status
