#!/usr/bin/env bash
# An export format is added to a copy of the tree with one file and one line, and export, help, errors and completion
# know it. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=tree_copy.bash
. tests/tree/tree_copy.bash
here=$PWD
copy_tree

cat >"$tree/sessions/export/export_test.c" <<'C'
/* Export format "test": the number of points. */
#include "sessions/export/exporters.h"
#include "sessions/load/point_list.h"

void test_export(const struct session_output *o)
{
	fprintf(o->file, "%zu points\n", o->points->count);
}
C
echo 'EXPORTER(TEST, "test-format", "tst", EXPORT_TO_TERMINAL | EXPORT_TO_FILE, test_export, "a format of the test")' \
	>>"$tree/sessions/export/exporters.def"
build_copy 40 build/wavedeck
result $? 'one file and one line build, and little is compiled again'

wavedeck=$tree/build/wavedeck
session=$here/share/sessions/range-latency-mi25.wbs
cd "$tmp" || exit 1
"$wavedeck" export "$session" -o "$tmp/a.tst" >"$tmp/log" 2>&1 && grep -q '^[1-9][0-9]* points$' "$tmp/a.tst"
result $? 'export: the file extension selects the format'
"$wavedeck" export "$session" --format test-format >"$tmp/log" 2>&1 && cmp -s "$tmp/log" "$tmp/a.tst"
result $? 'export: --format selects it'
"$wavedeck" open "$session" --format test-format >"$tmp/log" 2>&1 && cmp -s "$tmp/log" "$tmp/a.tst"
result $? 'open: --format selects it'
"$wavedeck" help export >"$tmp/log" 2>&1
grep -q 'test-format  *a format of the test' "$tmp/log"; result $? 'the help lists it'
"$wavedeck" help --man >"$tmp/log" 2>&1
grep -q 'test\\-format .*a format of the test' "$tmp/log"; result $? 'the manual lists it'
"$wavedeck" completion words export --format te >"$tmp/log" 2>&1
grep -qx 'test-format' "$tmp/log"; result $? 'the completion offers it'
"$wavedeck" export "$session" --format no-such >"$tmp/log" 2>&1
grep -q "unknown format 'no-such'; use .*test-format" "$tmp/log"; result $? 'the error message lists it'
finish
