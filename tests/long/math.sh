#!/usr/bin/env bash
# The device's math functions over many more arguments than `make check` takes: the worst error of each, in ulp, beside its
# limit. TAP, a line per function.
exec "${BUILD:-build}/tests/programs/test_math" "${TESTS_MATH:-60000}"
