#!/usr/bin/env bash
# Every form of v_mfma on 10,000 random tiles, on both targets. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"

MATRIX_TILES=10000 "${BUILD:-build}/tests/softgpu/core/test_matrix_core" >"$tmp/log" 2>&1
result $? 'every form of v_mfma on 10,000 random tiles is what the model computes'
finish
