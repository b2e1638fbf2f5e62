#!/usr/bin/env bash
# An export format is added to a copy of the tree with one file and one line, and export, help, errors and completion
# know it. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
here=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0 status=0
result() { # status, what
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; sed 's/^/# /' "$tmp/out" | tail -n 20; status=1; fi
}
# The copy keeps the times of sources and objects, so that make compiles only what the new format changes. The objects
# name their sources by relative paths, as the build folder does.
case $BUILD in "$here"/*) build=${BUILD#"$here"/} ;; /*) build=build ;; *) build=$BUILD ;; esac
tree=$tmp/tree
mkdir -p "$tree/$build/obj"
cp -a Makefile wavedeck.c base softgpu kernels gpu plot sessions experiments cli tui share "$tree/"
for part in "$BUILD"/obj/*; do
	[ "${part##*/}" = tests ] || cp -a "$part" "$tree/$build/obj/"
done
cp -a "$BUILD/libwavedeck.a" "$BUILD/wavedeck" "$BUILD/libsoftgpu.so" "$tree/$build/"

cat >"$tree/sessions/export/export_test.c" <<'C'
/* Export format "test": the number of points. */
#include "sessions/export/exporters.h"

void test_export(const struct session_output *o)
{
	fprintf(o->file, "%zu points\n", o->count);
}
C
echo 'EXPORTER(TEST, "test-format", "tst", EXPORT_TO_TERMINAL | EXPORT_TO_FILE, test_export, "a format of the test")' \
	>>"$tree/sessions/export/exporters.def"
[ "$build" = "${BUILD#"$here"/}" ] || touch "$(grep -rl exporters "$tree/sessions" "$tree/cli" --include='*.c')"
make -C "$tree" --no-print-directory BUILD="$build" MODE="${MODE:-release}" ${CC:+CC="$CC"} "$build/wavedeck" >"$tmp/out" 2>&1
result $? 'the copy builds'
[ "$(grep -c '^  CC ' "$tmp/out")" -lt 40 ]; result $? 'and little of it is compiled again'

wavedeck=$tree/$build/wavedeck
session=$here/share/sessions/range-latency-mi25.wbs
export HOME=$tmp XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config XDG_CACHE_HOME=$tmp/cache
cd "$tmp" || exit 1
"$wavedeck" export "$session" -o "$tmp/a.tst" >"$tmp/out" 2>&1 && grep -q '^[1-9][0-9]* points$' "$tmp/a.tst"
result $? 'export: the file extension selects the format'
"$wavedeck" export "$session" --format test-format >"$tmp/out" 2>&1 && cmp -s "$tmp/out" "$tmp/a.tst"
result $? 'export: --format selects it'
"$wavedeck" open "$session" --format test-format >"$tmp/out" 2>&1 && cmp -s "$tmp/out" "$tmp/a.tst"
result $? 'open: --format selects it'
"$wavedeck" help export >"$tmp/out" 2>&1
grep -q 'test-format  *a format of the test' "$tmp/out"; result $? 'the help lists it'
"$wavedeck" help --man >"$tmp/out" 2>&1
grep -q 'test\\-format .*a format of the test' "$tmp/out"; result $? 'the manual lists it'
"$wavedeck" completion words export --format te >"$tmp/out" 2>&1
grep -qx 'test-format' "$tmp/out"; result $? 'the completion offers it'
"$wavedeck" export "$session" --format no-such >"$tmp/out" 2>&1
grep -q "unknown format 'no-such'; use .*test-format" "$tmp/out"; result $? 'the error message lists it'
echo "1..$n"
exit $status
