#!/usr/bin/env bash
# A new backend is one file and one line: adds one to a copy of the tree, builds it, and measures on it. TAP.
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD build=${BUILD:-$tree/build}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
n=0 status=0
check() { # description, exit status, output
	n=$((n + 1))
	if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; printf '%s\n' "$3" | tail -20 | sed 's/^/# /'; status=1; fi
}

# The copy reuses what is built: make compiles the new file and backends.c only.
for f in Makefile LICENSE README.md wavedeck.c base cli experiments gpu kernels plot sessions share softgpu tui; do cp -a "$tree/$f" "$copy/" || exit 1; done
mkdir "$copy/build"
for f in wavedeck libwavedeck.a libsoftgpu.so obj kernels; do cp -a "$build/$f" "$copy/build/" || exit 1; done

cat >"$copy/gpu/backends/null.c" <<'C'
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
echo 'BACKEND(null)' >>"$copy/gpu/backends/backends.def"

out=$(make -C "$copy" CC="${CC:-gcc}" BUILD=build MODE="${MODE:-release}" build/wavedeck 2>&1)
check 'one file and one line build' $? "$out"
compiled=$(printf '%s\n' "$out" | grep -c ' CC ')
[ "$compiled" -le 3 ]
check 'only the new file and the table of backends are compiled' $? "$out"

export XDG_CONFIG_HOME=/nonexistent
out=$("$copy/build/wavedeck" devices 2>&1)
printf '%s\n' "$out" | grep -q '^null:0 *ready *Null device *gfx900'
check '`wavedeck devices` lists the new device' $? "$out"

out=$("$copy/build/wavedeck" run range-latency rangesize=4096 --device null:0 --format csv 2>&1)
printf '%s\n' "$out" | grep -q '^4096,262144,2,published,5.722'
# 1 ms for 262144 reads at 1500 MHz are 5.722 cycles for each.
check '`wavedeck run` measures on it' $? "$out"

out=$("$copy/build/wavedeck" run range-latency --device nul:0 2>&1)
printf '%s\n' "$out" | grep -q 'did you mean null:0'
check 'an unknown device name suggests it' $? "$out"
echo "1..$n"
exit $status
