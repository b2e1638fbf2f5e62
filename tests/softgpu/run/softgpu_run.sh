#!/usr/bin/env bash
# softgpu-run executes code objects of every family without ROCm. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
here=tests/softgpu/run
groups=2000 # more waves than any model holds at a time
log=$tmp/log
details() { head -n 20 "$1"; }

runs() { # model, target, more compiler flags
	local model=$1 target=$2 code=$tmp/code.co
	shift 2
	kernels/in_scratch.sh "$CLANG" -x hip -nogpuinc -nogpulib "--offload-arch=$target" --offload-device-only \
		--no-gpu-bundle-output -O2 "$@" -o "$code" $here/scratch.hip >"$log" 2>&1 &&
		"$BUILD/softgpu-run" -m "$model" -g $((256 * groups)) -b 256 -d $((256 * groups)) "$code" sum_of_array \
			"buf:$((1024 * groups))" i:5 >"$log" 2>&1 &&
		grep -q "^cycles [1-9][0-9]* waves $waves " "$log" &&
		tail -n +3 "$log" | tr ' ' '\n' | cmp -s - "$tmp/expected"
	result $? "$model: $target $* with scratch, $waves waves"
}

# Checks change no cycle and no result.
checks() { # model, target
	local code=$tmp/code.co all=memory,init,race,barrier
	kernels/in_scratch.sh "$CLANG" -x hip -nogpuinc -nogpulib "--offload-arch=$2" --offload-device-only \
		--no-gpu-bundle-output -O2 -o "$code" $here/scratch.hip >"$log" 2>&1 &&
		"$BUILD/softgpu-run" -m "$1" -g 1024 -b 256 -d 1024 "$code" sum_of_array buf:4096 i:5 >"$tmp/plain" 2>&1 &&
		"$BUILD/softgpu-run" -m "$1" -k $all -g 1024 -b 256 -d 1024 "$code" sum_of_array buf:4096 i:5 >"$log" 2>&1 &&
		cmp "$tmp/plain" "$log"
	result $? "$1: a kernel without a fault: the same with checks"

	"$BUILD/softgpu-run" -m "$1" -k $all -g 2048 -b 256 "$code" sum_of_array buf:4096 i:5 >"$log" 2>&1
	[ $? = 1 ] && [ "$(grep -c ' count ' "$log")" = 1 ] &&
		grep -q '^unmapped: .*: count 1024, at +[1-9][0-9]*, work-item 0,0,0 of workgroup [4-7],0,0, 4 bytes at 0x' "$log"
	result $? "$1: -k memory reports accesses past a buffer, and ends with status 1"

	"$BUILD/softgpu-run" -m "$1" -k $all "$code" mark_element buf:4096 i:5 >"$log" 2>&1 &&
		! "$BUILD/softgpu-run" -m "$1" -k $all "$code" mark_element buf:4096 i:2 >"$log" 2>&1 &&
		grep -q '^undefined_address: .*: count [1-9][0-9]*, at +[1-9][0-9]*, work-item [0-9]*[13579],0,0 ' "$log"
	result $? "$1: -k init reports an address that was never written"
}

# Caches are warm from the second launch on, and nothing else lasts.
repeats() { # model, target
	kernels/in_scratch.sh "$CLANG" -x hip -nogpuinc -nogpulib "--offload-arch=$2" --offload-device-only \
		--no-gpu-bundle-output -O2 -o "$tmp/code.co" $here/scratch.hip >"$log" 2>&1 &&
		"$BUILD/softgpu-run" -m "$1" -r 4 -g 8192 -b 256 "$tmp/code.co" sum_of_array buf:32768 i:5 >"$log" 2>&1
	status=$?
	[ $status = 0 ] && [ "$(sed -n '2,4s/^cycles \([0-9]*\) .*/\1/p' "$log" | uniq | wc -l)" = 1 ]
	result $? "$1: equal launches take equal cycles"
}

seq 0 $((256 * groups - 1)) | awk '{ printf "%08x\n", 64 * $1 + 2016 }' >"$tmp/expected"
waves=$((4 * groups))
runs mi25 gfx900
runs mi100 gfx908
runs rx7900xtx gfx1100 -mwavefrontsize64
waves=$((8 * groups))
runs rx7900xtx gfx1100

repeats mi25 gfx900
repeats rx7900xtx gfx1100
checks mi25 gfx900
checks rx7900xtx gfx1100

for list in memory,rice leak ''; do
	"$BUILD/softgpu-run" -m rx7900xtx -k "$list" "$tmp/code.co" sum_of_array buf:4096 i:5 >"$log" 2>&1
	[ $? = 2 ] && [ "$(wc -l <"$log")" = 1 ] && grep -q '^softgpu-run: -k: ' "$log"
	result $? "-k '$list' is refused"
done

for models in mi25:gfx1100 rx7900xtx:gfx900; do
	kernels/in_scratch.sh "$CLANG" -x hip -nogpuinc -nogpulib "--offload-arch=${models#*:}" --offload-device-only \
		--no-gpu-bundle-output -O2 -o "$tmp/code.co" $here/scratch.hip >"$log" 2>&1
	"$BUILD/softgpu-run" -m "${models%:*}" "$tmp/code.co" sum_of_array buf:4096 i:5 >"$log" 2>&1
	status=$?
	[ $status != 0 ] && [ "$(wc -l <"$log")" -le 2 ] && grep -q "${models#*:}" "$log"
	result $? "${models%:*} refuses code for ${models#*:} and names it"
done

"$BUILD/softgpu-run" -m rx7900xt "$tmp/code.co" >"$log" 2>&1
[ $? = 2 ] && grep -q 'rx7900xtx' "$log"
result $? "an unknown model: lists all"

finish
