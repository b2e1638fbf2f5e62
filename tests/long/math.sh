#!/usr/bin/env bash
# The device's math functions with many more arguments than in `make check`: the largest error of each, in ulp, and its
# limit. Functions of one argument are tested with every value of its upper 16 bits (halves: all values), and all
# functions with 60000 random arguments, on gfx908 and gfx90a, too. TESTS_MATH="500000 20" uses ten times as many. TAP.
# shellcheck disable=SC2086
exec "${BUILD:-build}/tests/programs/test_math" ${TESTS_MATH:-60000 16}
