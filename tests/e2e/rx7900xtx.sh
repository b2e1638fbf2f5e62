#!/usr/bin/env bash
# The software RX 7900 XTX in the worker: through HIP where the ROCm runtime knows gfx1100, otherwise through the kernel
# driver's queues. Results are compared with the C references. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck device=soft:rx7900xtx
export XDG_DATA_HOME=$tmp/data
details() { head -n 8 "$1" | cut -c1-300; }
run() { timeout $patience "$wavedeck" run "$@" --device $device --format json >"$tmp/json" 2>"$tmp/log" </dev/null; }
verified() { # points
	[ "$(grep -c '"type":"point".*"status":"ok".*"verify":"ok"' "$tmp/json")" = "$1" ]
}

"$wavedeck" devices >"$tmp/log" 2>&1
grep -q "^$device ready .*Radeon RX 7900 XTX  gfx1100  48 CUs  24 GiB" "$tmp/log"
result $? 'devices: it opens'
grep -q "^$device .*without HIP: ROCm here does not know gfx1100" "$tmp/log"
hip=$? # 0: without
"$wavedeck" doctor >"$tmp/log" 2>&1
grep -q "^ok .*$device opens as AMD Radeon RX 7900 XTX" "$tmp/log"
result $? 'doctor: it opens'

# Kernels with LDS, scratch, barriers, atomics, doubles, machine code, more launches than one.
while read -r points arguments; do
	# shellcheck disable=SC2086
	run $arguments && verified "$points"
	result $? "$arguments: $points verified points"
done <<'ROWS'
5 sgemm-k1-naive @small
1 sgemm-k2-lds-tile @small
3 sgemm-k6-dual-issue @small
4 reduction @small
5 padding-scratch @small
10 stream-bandwidth @small
3 dispatch-1d @small
3 occupancy-cliff @small
3 lds-bank-conflict @small
2 range-latency rangesize=4096,65536 reads=1024
2 math-functions @small
20 transfer-size @small
9 copy-compute-overlap @small
4 recompute-or-transfer @small
ROWS

# Variants that are assembly for gfx9: defaults and presets use another one, a named one stays.
grep -q '"params":{[^}]*"variant":"compiled"' <(run range-latency rangesize=4096 && cat "$tmp/json")
result $? 'the default is a variant that fits, and is recorded' "$tmp/json"
run range-latency @small
grep -qx 'wavedeck: range-latency: @small without variant=published: assembly for another GPU than gfx1100' "$tmp/log" &&
	verified 2
result $? 'a preset says which variant it leaves out'
run range-latency variant=published
[ $? -eq 2 ] && [ "$(cat "$tmp/log")" = 'wavedeck: range-latency: variant=published is assembly for another GPU than gfx1100; use variant=compiled' ]
result $? 'a variant that is named and does not fit: one line says what to use'

run reduction @small && cp "$tmp/json" "$tmp/first" && run reduction @small
sed 's/"at":[0-9.]*//' "$tmp/json" >"$tmp/second"
sed 's/"at":[0-9.]*//' "$tmp/first" | grep '"type":"point"' | cmp -s - <(grep '"type":"point"' "$tmp/second")
result $? 'two runs measure the same'

run sgemm-k1-naive n=64 block=8x8 --counters SQ_WAVES,CYCLES_VALU &&
	grep -q '"counters":{"SQ_WAVES":128,"CYCLES_VALU":[1-9]' "$tmp/json"
result $? 'counters and the breakdown of cycles'

# --- kernels that stop ---
mkdir "$tmp/own"
cat >"$tmp/own/stop.hip" <<'HIP'
#include <hip/hip_runtime.h>
extern "C" __global__ void prints(int *out, int how)
{
	if (how == 1)
		printf("%d\n", how);
	out[threadIdx.x] = how;
}
extern "C" __global__ void stop(int *out, int how)
{
	if (how == 1)
		*(volatile int *)64 = 1;
	if (how == 2)
		__builtin_trap();
	if (how == 3)
		out[64] = 1;
	out[threadIdx.x] = how;
}
HIP
cat >"$tmp/own/stop.lua" <<'LUA'
return {
  title = "Kernels that stop", kernel = { file = "stop.hip", entry = "stop" },
  params = { { "how", unit = "", min = 0, max = 3, step = 1, default = 0, sweep = true } },
  buffers = { out = { type = "int", count = 64 } }, args = { "int *out", "int how" },
  launch = { grid = 1, block = 64 },
  metrics = { { "time", unit = "us", function(m) return m.seconds * 1e6 end } },
}
LUA
stops() { # how, text, what
	run "$tmp/own/stop.lua" "how=$1,0"
	grep -q "\"point\":0,.*\"status\":\"failed\",\"error\":\"[^\"]*$2" "$tmp/json" &&
		grep -q '"how":0.*"status":"ok"' "$tmp/json"
	result $? "$3 is reported, and the next point is measured" "$tmp/json"
}
stops 1 'memory fault' 'a wild store'
stops 2 's_trap' 'a trap'
stops 3 'out\[64\]' 'a store behind a buffer'

# --- the screen ---
"$wavedeck" --device $device --script - >"$tmp/log" 2>&1 <<END
wait sweep $patience
expect soft:rx7900xtx
expect 19 points measured
expect compiled
action param-less variant
wait idle
expect variant=published is assembly
action param-default variant
wait sweep $patience
expect 19 points measured
action devices
expect gfx1100
END
result $? 'the workbench opens it and measures its first experiment'

# --- libraries, and programs of others ---
if [ $hip = 0 ]; then
	sed 's/entry = "stop"/entry = "prints"/' "$tmp/own/stop.lua" >"$tmp/own/prints.lua"
	run "$tmp/own/prints.lua" how=0
	grep -q 'prints calls printf or assert, which need HIP, and ROCm here does not know gfx1100; remove the calls' "$tmp/log"
	result $? 'printf without HIP: one line says what is needed'
	"$wavedeck" --device $device --script - >"$tmp/log" 2>&1 <<END
wait sweep $patience
action devices
wait background $patience
action device-down soft:rx7900xtx
action device-down runtime
expect without HIP: ROCm here does not know gfx1100
END
	result $? "the device's page says that it is open without HIP"
	run sgemm-k0-library @small
	grep -q 'need HIP' "$tmp/log"
	result $? 'rocBLAS without HIP: one line says what is needed'
	"$wavedeck" exec --model rx7900xtx -- true 2>"$tmp/log"
	grep -q '^wavedeck: HIP programs find no GPU: .*does not know gfx1100' "$tmp/log"
	result $? 'exec says that HIP programs find no GPU'
	skip 'rocBLAS computes a matrix product' 'the ROCm runtime here does not know gfx1100'
else
	run sgemm-k0-library @small
	if grep -q 'rocBLAS not found' "$tmp/log"; then
		grep -q 'rocBLAS not found (librocblas.so); install it: .*librocblas' "$tmp/log"
		result $? 'without rocBLAS: one line names the package'
		skip 'rocBLAS computes a matrix product' 'rocBLAS is not installed'
	else
		verified 2 && grep -q '"library":{"name":"rocBLAS [0-9.]*","kernel":"Cijk_' "$tmp/json"
		result $? 'rocBLAS computes a matrix product'
	fi
fi
finish
