#!/usr/bin/env bash
# A machine without ROCm's libraries: captures and experiments run there on the software GPU. A mount namespace hides the
# libraries, where `unshare -rm` and overlays work. TAP.
# shellcheck source=kept_program.bash
. "$(dirname "$0")/kept_program.bash"
libraries=$(dirname "$(readlink -f "$(ldconfig -p | awk '/libamdhip64/ { print $NF; exit }')")")
# The folder's files stay as they are.
cat >"$tmp/hidden" <<'END'
libraries=$1 layer=$2
shift 2
mount -t tmpfs none "$layer" && mkdir "$layer/upper" "$layer/work" &&
	mount -t overlay none -o "lowerdir=$libraries,upperdir=$layer/upper,workdir=$layer/work" "$libraries" &&
	rm -f "$libraries"/libamdhip64* "$libraries"/libhsa-runtime64* "$libraries"/librocm_smi64* "$libraries"/libamd_smi* &&
	exec "$@"
END
mkdir "$tmp/layer"
without_rocm() { # command
	timeout -k 5 $patience unshare -rm sh "$tmp/hidden" "$libraries" "$tmp/layer" "$@" </dev/null
}
if [ ! -d /usr/lib/x86_64-linux-gnu ] || [ "$libraries" = / ] || [ -e /opt/rocm/lib/libamdhip64.so ] || ! without_rocm true 2>"$tmp/log"; then
	skip 'a machine without ROCm' "namespaces do not work here, or ROCm is not from the distribution"
	finish
fi
asked() { # arguments
	without_rocm "$wavedeck" "$@" >"$tmp/out" 2>"$tmp/log"
	status=$?
}

capture -o app.wbc -- ./kept
"$wavedeck" run app.wbc:sum_rows --format csv 2>/dev/null | grep -v '^#' >"$tmp/here"
asked run app.wbc:sum_rows --format csv
[ $status -eq 0 ] && [ -s "$tmp/here" ] && cmp <(cut -d, -f1-20,25- "$tmp/here") <(grep -v '^#' "$tmp/out" | cut -d, -f1-20,25-)
result $? 'a capture: the same table as with ROCm'
grep -q '^# versions: .*runtime=kernel driver, without HIP: it is not installed here' "$tmp/out"
result $? 'which says that HIP is not installed' "$tmp/out"
asked run app.wbc:sum_rows compute_units=64 --format json
grep -q '"verify_text":"as captured' "$tmp/out" && grep -q '"sclk_mhz":null' "$tmp/out"
result $? 'as captured, without clocks of an SMI library' "$tmp/out"
asked isa app.wbc:sum_rows
grep -q '; kept_hip.cpp:' "$tmp/out"
result $? 'isa shows the code'

while read -r points arguments; do
	# shellcheck disable=SC2086
	asked run $arguments --device soft:mi25 --format json
	[ "$(grep -c '"type":"point".*"status":"ok".*"verify":"ok"' "$tmp/out")" = "$points" ]
	result $? "$arguments: $points verified points"
done <<'ROWS'
10 stream-bandwidth @small
4 reduction @small
9 copy-compute-overlap @small
ROWS
cat >prints.hip <<'HIP'
#include <hip/hip_runtime.h>
extern "C" __global__ void prints(int *out)
{
	printf("%d\n", out[threadIdx.x]);
}
HIP
cat >prints.lua <<'LUA'
return {
  title = "It prints", kernel = { file = "prints.hip", entry = "prints" }, params = {},
  buffers = { out = { type = "int", count = 64 } }, args = { "int *out" }, launch = { grid = 1, block = 64 },
  metrics = { { "time", unit = "us", function(m) return m.seconds * 1e6 end } },
}
LUA
asked run ./prints.lua --device soft:mi25
grep -q 'prints calls printf or assert, which need HIP, and it is not installed here; remove the calls, or install it' "$tmp/log"
result $? 'a kernel that calls printf: one line says what is needed'
finish
