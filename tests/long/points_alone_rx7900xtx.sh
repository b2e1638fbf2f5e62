#!/usr/bin/env bash
# tests/long/points_alone.sh on the RDNA3 model. TAP.
cd "$(dirname "$0")/../.." || exit 1
DEVICE=soft:rx7900xtx exec tests/long/points_alone.sh
