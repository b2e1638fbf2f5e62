#!/usr/bin/env bash
# A new backend is one file and one line: adds one to a copy of the tree, builds it, and measures on it. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=tree_copy.bash
. tests/tree/tree_copy.bash
copy_tree
wavedeck=$tree/build/wavedeck

cat >"$tree/gpu/backends/null.c" <<'C'
/* The backend "null:0": answers every job with the same time. */
#include <stdio.h>

#include "gpu/backends/backend.h"

static size_t list_null_device(char names[][DEVICE_SHORT_NAME], size_t max)
{
	if (max)
		snprintf(names[0], DEVICE_SHORT_NAME, "null:0");
	return max ? 1 : 0;
}

static bool open_null_device(const char *rest, struct opened_device *out, struct err *e)
{
	(void)rest, (void)e;
	out->record = json_pack("{s:s, s:s}", "name", "Null device", "arch", "gfx900");
	return true;
}

static json_t *answer_with_fixed_time(void *handle, const json_t *job, struct err *e)
{
	(void)handle, (void)e;
	return json_pack("{s:s, s:O, s:O, s:O, s:O, s:s, s:[f], s:f, s:s}", "type", "point", "job",
		json_object_get(job, "job"), "point", json_object_get(job, "point"), "experiment",
		json_object_get(job, "experiment"), "params", json_object_get(job, "params"), "status", "ok", "seconds",
		1e-3, "sclk_mhz", 1500.0, "verify", "none");
}

const struct backend backend_null = {
	.prefix = "null",
	.capabilities = DEVICE_DETERMINISTIC,
	.list = list_null_device,
	.open = open_null_device,
	.answer = answer_with_fixed_time,
};
C
echo 'BACKEND(null)' >>"$tree/gpu/backends/backends.def"

build_copy 3 build/wavedeck
result $? 'one file and one line build, and nothing else is compiled but the table of backends'

"$wavedeck" devices >"$tmp/log" 2>&1
grep -q '^null:0 *ready *Null device *gfx900' "$tmp/log"
result $? 'devices lists the device'
# 1 ms for 262144 reads at 1500 MHz are 5.722 cycles for each.
"$wavedeck" run range-latency rangesize=4096 --device null:0 --format csv >"$tmp/log" 2>&1
grep -q '^4096,262144,2,128,published,5.722' "$tmp/log"
result $? 'run measures on it'
"$wavedeck" run range-latency --device nul:0 >"$tmp/log" 2>&1
grep -q 'did you mean null:0' "$tmp/log"
result $? 'an unknown device name suggests it'
finish
