#!/usr/bin/env bash
# tests/softgpu/driver/points_alone.sh for every experiment. TAP.
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
export BUILD
mapfile -t all < <("$BUILD/wavedeck" list | awk 'NF > 2 && $1 !~ /^[0-9]/ { print $2 }')
exec tests/softgpu/driver/points_alone.sh "${all[@]}"
