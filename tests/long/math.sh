#!/usr/bin/env bash
# The device's math functions over many more arguments than `make check` takes: the worst error of each, in ulp, beside its
# limit. Functions of one argument take every value of its upper 16 bits (of halves: all), and all take 60000 random arguments.
# TESTS_MATH="500000 20" takes ten times as many. TAP.
# shellcheck disable=SC2086
exec "${BUILD:-build}/tests/programs/test_math" ${TESTS_MATH:-60000 16}
