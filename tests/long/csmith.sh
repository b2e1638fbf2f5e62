#!/usr/bin/env bash
# csmith's programs on the software GPU against the host: 300 of them at three levels, some for the other targets, and some in
# all lanes of a wave, which part ways. TAP; tests/programs/csmith.sh says what is left out and why.
set -u
csmith=$(cd "$(dirname "$0")/../programs" && pwd)/csmith.sh
status=0
"$csmith" 1 400 300 || status=1
TARGET=gfx906 "$csmith" 401 428 20 || status=1
TARGET=gfx908 "$csmith" 429 456 20 || status=1
LANES=64 "$csmith" 457 528 40 || status=1
exit $status
