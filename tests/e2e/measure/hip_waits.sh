#!/usr/bin/env bash
# On hip:N the GPU waits until the host has issued what is measured: a software GPU in the place of a board, under the real
# HIP, whose calls are noted (hip_waits.c). TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export XDG_DATA_HOME=$tmp/data WAITS_CALLS=$tmp/calls
hip=$("$BUILD/wavedeck" doctor | sed -n 's/^ok .*libamdhip64 .*, //p')
if [ -e "${hip%.so*}.so.7" ]; then
	skip 'calls of HIP are noted' 'the functions in front of HIP need a name before that of the installed one'
	finish
	exit
fi
mkdir "$tmp/hip"
${CC:-cc} -O1 -shared -fPIC -I"${ROCM_PATH:-/usr}/include" -o "$tmp/hip/libamdhip64.so.7" tests/e2e/measure/hip_waits.c \
	-Wl,--no-as-needed "$hip" -Wl,-rpath,"$(dirname "$hip")" 2>"$tmp/log"
result $? 'the functions in front of HIP compile'

measure() { # device, arguments of run
	rm -f "$tmp/calls" "$tmp/last.wbs"
	LD_LIBRARY_PATH=$tmp/hip timeout $patience "$BUILD/wavedeck" exec -- "$BUILD/wavedeck" run --device "$@" \
		--record "$tmp/last.wbs" >"$tmp/log" 2>&1
}
times() { # median of each point, and whether its results are right
	python3 - "$tmp/last.wbs" <<'END' 2>&1
import json, statistics, sys
for p in map(json.loads, open(sys.argv[1])):
    if p.get("type") == "point":
        print("%.9f" % statistics.median(p["seconds"]), p["verify"])
END
}
longest() { # kind of line: the most of them in a row
	awk -v kind="$1" '$0 == kind { n++; most = n > most ? n : most } $0 != kind { n = 0 } END { print most + 0 }' "$tmp/calls"
}
calls() { grep -cx "$1" "$tmp/calls"; }
sweep=(fma-blocks fma_per_thread=1000 "blocks=4,8")

# --- launches ---
measure hip:0 "${sweep[@]}"
result $? 'a sweep is measured'
[ "$(head -n 1 "$tmp/calls")" = 'unheld wait' ] && [ "$(calls 'unheld launch')" -eq 1 ] && [ "$(calls 'held launch')" -ge 12 ]
result $? 'all launches but the first of the kernel are issued before the GPU begins' "$tmp/calls"
equal 'the GPU does not wait twice' 0 "$(calls 'held wait')"
times >"$tmp/held"
WAITS_CANNOT=attribute measure hip:0 "${sweep[@]}"
equal 'a device that cannot wait is measured without' '0 0' "$(calls 'unheld wait') $(calls 'held launch')"
cmp "$tmp/held" <(times) >"$tmp/log" 2>&1
result $? 'the times of the software GPU are the same'
WAITS_CANNOT="wait" measure hip:0 "${sweep[@]}"
equal 'a runtime that refuses is asked once' '1 0' "$(calls 'unheld wait') $(calls 'held launch')"
cmp "$tmp/held" <(times) >"$tmp/log" 2>&1
result $? 'and measures without'
GPU_STREAMOPS_CP_WAIT=1 measure hip:0 "${sweep[@]}"
[ "$(calls 'held launch')" -ge 12 ] && cmp "$tmp/held" <(times) >"$tmp/log" 2>&1
result $? 'the command processor waits, without a kernel'

# --- many commands, copies ---
measure hip:0 launch-sequence side=32 block=64x16 launches=200
result $? 'many launches in a row are measured'
longest=$(longest 'held launch')
[ "$longest" -ge 8 ] && [ "$longest" -le 16 ]
result $? 'the runtime gets no more of them at once than it can keep' "$tmp/calls"
measure hip:0 copy-compute-overlap streams=2 chunks=2 memory=pinned elements=65536
[ "$(calls 'held copy')" -gt 0 ] && [ "$(calls 'unheld copy')" -gt 0 ]
result $? 'copies of pinned memory wait' "$tmp/calls"
measure hip:0 copy-compute-overlap streams=2 chunks=2 memory=pageable elements=65536
[ "$(calls 'held copy')" -eq 0 ] && [ "$(calls 'unheld copy')" -gt 0 ]
result $? 'copies of pageable memory do not' "$tmp/calls"
measure hip:0 copy-compute-overlap streams=4 chunks=16 memory=pinned elements=65536
result $? 'four streams are measured'

# --- a runtime that does not return while the GPU waits ---
WAITS_BLOCK=1 measure hip:0 "${sweep[@]}"
result $? 'a runtime that waits for the GPU does not hang'
equal 'the GPU waits three times for it' 3 "$(calls 'held launch')"
equal 'one line tells it' 1 "$(grep -c 'the GPU does not wait for launches any more, because the driver then waited' "$tmp/log")"
check 'no call waits for a GPU that waits' "$(grep wrong "$tmp/calls")"

# --- software GPUs ---
LD_LIBRARY_PATH=$tmp/hip measure soft:mi25 "${sweep[@]}"
equal 'a software GPU has no need to wait' '0 0' "$(calls 'unheld wait') $(calls 'held launch')"
finish
