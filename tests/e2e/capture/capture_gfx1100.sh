#!/usr/bin/env bash
# Launches of a program on the RX 7900 XTX are kept and run again, where ROCm knows gfx1100 (Debian 13), else skipped. TAP.
model=rx7900xtx target=gfx1100 here=tests/e2e/capture
# shellcheck source=../../softgpu/driver/hip_program.bash
. "$(dirname "$0")/../../softgpu/driver/hip_program.bash"
soft rocminfo
if ! says "Name: *$target"; then
	skip "captures on $target" "the ROCm runtime here does not know $target"
	finish
fi
export XDG_DATA_HOME=$tmp/data XDG_CACHE_HOME=$tmp/cache TMPDIR=$tmp
build_hip_program kept -g
ln -s "$program" "$tmp/kept" && cd "$tmp" || exit 1
timeout -k 5 $patience "$wavedeck" capture --model $model -- ./kept >"$tmp/out" 2>"$log" </dev/null
[ $? -eq 0 ] && grep -q '^wavedeck: kept.wbc: 5 kernels, 5 launches, ' "$log" && ! says 'cannot run again'
result $? 'the launches are kept, and run again at once'
for kernel in transpose_tile sum_rows add_all fill; do
	timeout -k 5 $patience "$wavedeck" run "kept.wbc:$kernel" caches=captured --format json >"$tmp/out" 2>"$log" </dev/null
	[ $? -eq 0 ] && grep -q "\"device\":\"soft:$model\"" "$tmp/out" && grep -q '"verify_text":"as captured' "$tmp/out"
	result $? "$kernel: the same cycles and memory in another process" "$tmp/out"
done
finish
