#!/usr/bin/env bash
# The tests of compiled programs at every optimization level; `make check` uses only the lowest and the highest. TAP.
set -u
build=$(cd "${BUILD:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
TESTS_LEVELS='-O0 -O1 -O2 -O3'
[ "${LLVM_VERSION:-}" = 17 ] && TESTS_LEVELS='-O1 -O2 -O3' # lowest_level of tests/toolchain.h
export TESTS_LEVELS CMOCKA_MESSAGE_OUTPUT=TAP
failed=0 run=0
for program in "$build"/tests/programs/test_{kernels,groups,spaces,lanes,numbers} "$here/../programs/runtime.sh"; do
	echo "# $(basename "$program") at $TESTS_LEVELS"
	"$program" || failed=$((failed + 1))
	run=$((run + 1))
done
echo "# $run programs at 4 levels: $((run - failed)) passed, $failed failed"
[ $failed -eq 0 ]
