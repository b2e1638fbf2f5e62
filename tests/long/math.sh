#!/usr/bin/env bash
# The device's math functions over many more arguments than `make check` takes: the worst error of each, in ulp, beside its
# limit. Functions of one argument take every value of its upper 20 bits, the others half a million random arguments. TAP.
exec "${BUILD:-build}/tests/programs/test_math" 500000 20
