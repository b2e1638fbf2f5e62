#!/usr/bin/env bash
# The backend for GPUs of NVIDIA, on a double of their driver that runs no kernel (cuda_double.c): opening, errors,
# compilers, the order of calls, readings, samples. What real GPUs measured is in docs/devices.md. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export XDG_CONFIG_HOME=$tmp XDG_DATA_HOME=$tmp CUDA_DOUBLE_LOG=$tmp/wrong-calls WAVEDECK_CUDA_COMPILER=clang
mkdir "$tmp/driver" "$tmp/damaged"
${CC:-cc} -O1 -shared -fPIC -o "$tmp/driver/libcuda.so.1" tests/e2e/cuda/cuda_double.c 2>"$tmp/log"
result $? 'the double compiles'
cp "$tmp/driver/libcuda.so.1" "$tmp/driver/libnvidia-ml.so.1"
: >"$CUDA_DOUBLE_LOG"
on_double() { # arguments of wavedeck; VAR=VALUE in front work with env
	LD_LIBRARY_PATH=$tmp/driver "$BUILD/wavedeck" "$@" >"$tmp/log" 2>&1
}
refused() { # status, text, what: $tmp/log is one line
	[ "$status" -eq "$1" ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -qF -- "$2" "$tmp/log"
	result $? "$3"
}

# --- errors of opening ---
echo 'no library' >"$tmp/damaged/libcuda.so.1"
LD_LIBRARY_PATH=$tmp/damaged "$BUILD/wavedeck" devices --test cuda:0 >"$tmp/log" 2>&1; status=$?
refused 1 "cannot load NVIDIA's driver" 'a driver that does not load'
if ldconfig -p | grep -q libcuda.so.1; then
	skip 'no driver' 'this machine has one'
else
	"$BUILD/wavedeck" devices --test cuda:0 >"$tmp/log" 2>&1; status=$?
	refused 1 "NVIDIA's driver not found (libcuda.so.1); install the driver" 'no driver'
fi
CUDA_DOUBLE_FAIL=cuInit=100 on_double devices --test cuda:0; status=$?
refused 1 'CUDA finds no GPU; check that nvidia-smi lists one' 'no GPU'
CUDA_DOUBLE_FAIL=cuInit=999 on_double devices --test cuda:0; status=$?
refused 1 'cannot initialize CUDA; run nvidia-smi to find the cause: unknown error (CUDA error 999)' 'a driver in trouble'
on_double devices --test cuda:1; status=$?
refused 2 'no GPU cuda:1; the last GPU is cuda:0' 'a number that is too large'
on_double devices --test cuda:x; status=$?
refused 2 "unknown device 'cuda:x'" 'not a number'
CUDA_DOUBLE_FAIL=nvmlInit_v2=9 on_double run dispatch-1d --device cuda:0 block=64
grep -q 'no clock readings: cannot initialize NVML: Driver Not Loaded' "$tmp/log"; result $? 'without NVML it measures, and says why there are no clocks'

# --- kernels ---
mkdir -p "$tmp/bare/usr/lib/x86_64-linux-gnu"
cp "$tmp/driver/"* "$tmp/bare/usr/lib/x86_64-linux-gnu/"
without_compilers() { # $WAVEDECK_CUDA_COMPILER
	WAVEDECK_CUDA_COMPILER=$1 PATH=$tmp/bare WAVEDECK_SYSROOT=$tmp/bare WAVEDECK_CLANG=$tmp/bare/clang \
		on_double run dispatch-1d --device cuda:0 block=64
}
without_compilers ''
grep -q 'no compiler of CUDA found, needed to compile dispatch.hip for sm_90; install' "$tmp/log"; result $? 'no compiler' "$tmp/log"
without_compilers nvcc
grep -q 'nvcc not found, which WAVEDECK_CUDA_COMPILER names, needed to compile dispatch.hip for sm_90' "$tmp/log"
result $? 'not the compiler that is named' "$tmp/log"
without_compilers foo
grep -q "WAVEDECK_CUDA_COMPILER is 'foo', not a compiler of CUDA; set it to nvrtc, nvcc or clang" "$tmp/log"
result $? 'a name that is not a compiler' "$tmp/log"
for compiler in nvrtc nvcc clang; do
	WAVEDECK_CUDA_COMPILER=$compiler "$BUILD/wavedeck" isa "$PWD/kernels/copy.hip" --arch sm_9x >"$tmp/log" 2>&1; status=$?
	if grep -q 'not found' "$tmp/log"; then
		skip "$compiler does not know a target" 'it is not installed'
	else
		refused 2 ' does not know the target sm_9x; choose another, or install a newer compiler of CUDA' "$compiler does not know a target"
	fi
done
on_double run mfma-layout --device cuda:0; status=$?
refused 2 'mfma-layout needs a gfx908 or gfx90a device' 'an experiment for other targets'
on_double run range-latency --device cuda:0 rangesize=4KiB variant=published
grep -q 'variant=published is assembly for another GPU than sm_90; use variant=compiled' "$tmp/log"
result $? 'assembly for another target'
equal 'experiments that need another target' 13 "$("$BUILD/wavedeck" list | grep -c '\[needs a gfx')"
# clang has no functions of CUDA's device library, and others have no matrix cores of AMD.
failed=
for kernel in kernels/*.hip; do
	case $kernel in *math* | *identities* | *mfma* | *registers_named*) continue ;; esac
	"$BUILD/wavedeck" isa "$PWD/$kernel" --arch sm_90 >"$tmp/log" 2>&1
	head -n 1 "$tmp/log" | grep -qE ', sm_[0-9]+, .*\(clang ' || failed="$failed $kernel: $(head -n 1 "$tmp/log")"
done
check 'clang compiles the kernels for sm_90' "$failed"

# README's example, which includes HIP's header as under HIP.
awk -v cpp='```cpp' -v lua='```lua' '$0 == "```" { file = "" } file { print >file } $0 == cpp { file = folder "/copy.hip" }
	$0 == lua { file = folder "/copy.lua" }' folder="$tmp" README.md
on_double run "$tmp/copy.lua" --device cuda:0 stride=1
grep -q 'wrong result: to' "$tmp/log"; result $? 'a source that includes hip/hip_runtime.h'

# The others, where they are installed.
for compiler in nvrtc nvcc; do
	WAVEDECK_CUDA_COMPILER=$compiler on_double run math-functions --device cuda:0 @quick
	if grep -q 'no compiler of CUDA found' "$tmp/log"; then
		skip "$compiler compiles functions of the device library" 'it is not installed'
	else
		! grep -q 'error:' "$tmp/log"; result $? "$compiler compiles functions of the device library"
	fi
done

# --- measuring ---
on_double run dispatch-1d --device cuda:0 block=64 --record "$tmp/one.wbs"
result $? 'a point without a reference is measured'
fields() { # of the first point of a session: Python expression with p
	python3 - "$1" "$2" <<'END'
import json, sys
points = [r for r in map(json.loads, open(sys.argv[1])) if r.get("type") == "point"]
p = points[0]
sys.exit(not eval(sys.argv[2]))
END
}
fields "$tmp/one.wbs" 'p["sclk_mhz"] == 1980 and p["mclk_mhz"] == 2619 and p["temp_c"] == 41 and abs(p["power_w"] - 123.456) < 1e-6'
result $? 'NVML gives the clocks'
head -n 1 "$tmp/one.wbs" | grep -q '"compute_units":4' && ! grep -q '"pci"' "$tmp/one.wbs"
result $? 'the recording does not have the address of the slot'
grep -q '"wave_size":32' "$tmp/one.wbs" && ! grep -q '"code_bytes"' "$tmp/one.wbs"
result $? 'nor a size of the code, which PTX does not have'
fields "$tmp/one.wbs" '"clock_limits" not in p and not p["clocks_moved"] and p["tries"] == 1 and p["outliers"] == 0'
result $? 'a quiet point is measured once'
fields "$tmp/one.wbs" 'len(p["seconds"]) == 6 and all(abs(s - 1e-3) < 1e-9 for s in p["seconds"])'
result $? 'equal samples end with the sixth'
on_double run fma-blocks --device cuda:0 blocks=4 fma_per_thread=1000; status=$?
[ $status -eq 1 ] && grep -q 'wrong result: out\[0\] is 0, expected' "$tmp/log"
result $? 'results are compared: the double computes none'
CUDA_DOUBLE_FAIL=cuLaunchKernel=719 on_double run dispatch-1d --device cuda:0 block=64
grep -q 'launch failed: unspecified launch failure (CUDA error 719)' "$tmp/log"; result $? 'a launch that fails'
CUDA_DOUBLE_FAIL=cuModuleLoadDataEx=222 on_double run dispatch-1d --device cuda:0 block=64
grep -q 'the driver is older than the compiler of the kernel' "$tmp/log"; result $? 'PTX that is too new for the driver'
on_double run range-latency --device cuda:0 rangesize=2GiB variant=compiled
grep -q 'out of device memory: .* requested, 1 GiB free; choose a smaller size' "$tmp/log"; result $? 'too little memory'
on_double run l2-hit-latency --device cuda:0
grep -q 'variant = pointers' "$tmp/log"; result $? 'the default variant and size are those of the target'
on_double run l1-bypass --device cuda:0 stride=1 total_threads=2^12 waves=4
grep -q 'wrong result' "$tmp/log" && ! grep -q 'CUDA error' "$tmp/log"; result $? 'more than 48 KiB of dynamic shared memory'
on_double run copy-compute-overlap --device cuda:0 @quick
grep -q 'wrong result' "$tmp/log" && ! grep -q 'CUDA error' "$tmp/log"; result $? 'copies and launches on several streams'

# --- the GPU waits for the host, so that the host's time to launch is not measured ---
CUDA_DOUBLE_CALLS=$tmp/calls on_double run dispatch-1d --device cuda:0 block=64
[ "$(head -n 1 "$tmp/calls")" = unheld ] && [ "$(grep -cx held "$tmp/calls")" -eq $(($(wc -l <"$tmp/calls") - 1)) ]
result $? 'all launches but the first of a kernel are issued before the GPU begins' "$tmp/calls"
: >"$tmp/calls"
CUDA_DOUBLE_CALLS=$tmp/calls on_double run dispatch-1d --device cuda:0 block=64 --flush-l2 --record "$tmp/flushed.wbs"
fields "$tmp/flushed.wbs" 'p["batch"] == 1 and p["verify"] == "ok"' && [ $(($(wc -l <"$tmp/calls") % 2)) -eq 1 ] &&
	[ "$(wc -l <"$tmp/calls")" -gt 18 ]
result $? 'with --flush-l2, a launch is before each one that is measured' "$tmp/calls"
: >"$tmp/calls"
CUDA_DOUBLE_FAIL=cuStreamWaitValue32_v2=801 CUDA_DOUBLE_CALLS=$tmp/calls on_double run dispatch-1d --device cuda:0 block=64 --record "$tmp/unheld.wbs"
fields "$tmp/unheld.wbs" 'len(p["seconds"]) == 6' && ! grep -q '^held' "$tmp/calls"
result $? 'a driver that cannot wait measures without'
: >"$tmp/calls"
CUDA_DOUBLE_CALLS=$tmp/calls on_double run launch-sequence --device cuda:0 side=32 block=64x16 launches=200
[ "$(awk '/^held/ { n++; most = n > most ? n : most } /^unheld/ { n = 0 } END { print most }' "$tmp/calls")" -lt 200 ]
result $? 'the driver gets no more launches at once than it can keep' "$tmp/calls"

# --- noise ---
CUDA_DOUBLE_LIMITS=4 on_double run dispatch-1d --device cuda:0 block=64 --record "$tmp/limited.wbs"
grep -q 'clock limited by power' "$tmp/log" &&
	fields "$tmp/limited.wbs" 'p["clock_limits"] == ["power"] and p["clocks_moved"] and p["tries"] == 2'
result $? 'a point with a limited clock is measured again and marked'
CUDA_DOUBLE_OTHERS=2 on_double run dispatch-1d --device cuda:0 block=64 --record "$tmp/busy.wbs"
grep -q '2 other processes had the GPU open' "$tmp/log" &&
	fields "$tmp/busy.wbs" 'p["other_processes"] == 2 and p["clocks_moved"] and p["tries"] == 1'
result $? 'a point next to other processes is marked'
fields "$tmp/one.wbs" '"other_processes" not in p'; result $? 'the own process is none of them'
CUDA_DOUBLE_MS=1,1,1,1,1.5 on_double run dispatch-1d --device cuda:0 block=64 --record "$tmp/outliers.wbs"
fields "$tmp/outliers.wbs" 'p["outliers"] >= 1 and max(p["seconds"]) > 1.4e-3' &&
	grep -qE '[0-9]+ of [0-9]+ samples are outliers' "$tmp/log"
result $? 'outliers are shown and kept'
CUDA_DOUBLE_MS=1,1.1,1.2,1.3 on_double run dispatch-1d --device cuda:0 block=64 --record "$tmp/noisy.wbs"
fields "$tmp/noisy.wbs" 'len(p["seconds"]) == 30 and p["median_interval"][0] < p["median_interval"][1]'
result $? 'a noisy point takes all samples'

# --- the list ---
mkdir -p "$tmp/root/dev" "$tmp/root/usr/lib/x86_64-linux-gnu"
: >"$tmp/root/dev/nvidia0"
: >"$tmp/root/dev/nvidiactl"
cp "$tmp/driver/"* "$tmp/root/usr/lib/x86_64-linux-gnu/"
WAVEDECK_SYSROOT=$tmp/root "$BUILD/wavedeck" devices >"$tmp/log" 2>&1
grep -qE '^cuda:0 +ready +NVIDIA Double 0 +sm_90 +4 SMs +1 GiB$' "$tmp/log" && ! grep -q '^cuda:1' "$tmp/log"
result $? '`devices` lists the GPU'
WAVEDECK_SYSROOT=$tmp/root "$BUILD/wavedeck" devices --json 2>"$tmp/log" | grep -q '"pci": *"0000:03:00.0"'
result $? 'as JSON, with the address of its slot'
WAVEDECK_SYSROOT=$tmp/root "$BUILD/wavedeck" doctor >"$tmp/log" 2>&1
grep -qE '^ok +NVIDIA GPU +cuda:0 opens as NVIDIA Double 0$' "$tmp/log"
result $? '`doctor` opens it'
CUDA_DOUBLE_FAIL=cuInit=999 WAVEDECK_SYSROOT=$tmp/root "$BUILD/wavedeck" doctor >"$tmp/log" 2>&1
grep -qE '^warning +NVIDIA GPU +cuda:0: cannot initialize CUDA; run nvidia-smi to find the cause: .* \(CUDA error 999\)$' "$tmp/log"
result $? '`doctor` says why it does not open'

# --- the words and values of this GPU ---
on_double run grid-size @small --device cuda:0 --no-verify --record "$tmp/grid.wbs"
fields "$tmp/grid.wbs" 'p["params"]["cus"] == 4'; result $? 'its number of SMs is the default'
grep -q 'cus = 4 SMs,' "$tmp/log" && grep -q '"cus":"CUs"' "$tmp/grid.wbs"
result $? 'in its unit; a file has that of the definition' "$tmp/log"
on_double run grid-size @small 'cus=7 SMs' --device cuda:0 --no-verify --record "$tmp/grid7.wbs"
fields "$tmp/grid7.wbs" 'p["params"]["cus"] == 7'; result $? 'unless one is given'
on_double run grid-size @small 'cus=8 CUs' --device cuda:0 --no-verify --record "$tmp/grid8.wbs"
fields "$tmp/grid8.wbs" 'p["params"]["cus"] == 8'; result $? 'in this unit or in the definition'\''s'
on_double run grid-size @small 'cus=8 MHz' --device cuda:0 --no-verify
grep -q 'write a number in SMs' "$tmp/log"; result $? 'an error names this one' "$tmp/log"
on_double run grid-size @small --each --device soft:mi25 --device cuda:0 --device soft:mi100 --no-verify --folder "$tmp/each"
equal 'of each device of a comparison, too' '"cus":64 "cus":4 "cus":120' \
	"$(head -qn 1 "$tmp/each/"task-*.wbs | grep -oE '"cus":[0-9]+' | paste -sd' ')"
on_double run grid-size @small cus=7 --each --device soft:mi25 --device cuda:0 --no-verify --folder "$tmp/each7"
equal 'unless one is given there' '"cus":7 "cus":7' "$(head -qn 1 "$tmp/each7/"task-*.wbs | grep -oE '"cus":[0-9]+' | paste -sd' ')"
sweep_of() { # session
	head -n 1 "$1" | grep -oE '"param":"blocks","values":\[[0-9,]*' | sed 's/.*\[//'
}
of_four=1,2,3,4,5,6,7,8,9,10,11,12,13,16,20,32,40,100,800
on_double run grid-size tasks=200 --device cuda:0 --no-verify --record "$tmp/whole.wbs"
equal 'the sweep of the grid has the SMs of this GPU' $of_four "$(sweep_of "$tmp/whole.wbs")"
fields "$tmp/whole.wbs" 'p["params"]["fma"] == 128 and abs(p["metrics"]["efficiency"] - 100 * 200 * 256 * 4096 / (128 * 4) / (1e-3 * 1980e6)) < 0.01'
result $? 'its share is of the multiply-adds of this target'
head -n 6 "$tmp/whole.wbs" >"$tmp/part.wbs"
on_double run grid-size tasks=200 --device cuda:0 --no-verify --resume "$tmp/part.wbs"
result $? 'an interrupted one goes on with its parameters given again' "$tmp/log"
equal 'to the same points' $of_four "$(grep -oE '"params":\{"blocks":[0-9]+' "$tmp/part.wbs" | sed 's/.*://' | paste -sd,)"
mkdir "$tmp/slurm" && printf '#!/bin/sh\necho 1\n' >"$tmp/slurm/sbatch" && chmod +x "$tmp/slurm/sbatch"
PATH=$tmp/slurm:$PATH on_double batch grid-size tasks=200 --chunk 10 --device cuda:0 --no-verify --folder "$tmp/batch" --slurm
on_double batch-task "$tmp/batch" 0
on_double batch-task "$tmp/batch" 1
equal 'a batch has them, too' "$of_four $of_four" "$(sweep_of "$tmp/batch/task-0000.r0.wbs") $(sweep_of "$tmp/batch/task-0001.r0.wbs")"
on_double gather "$tmp/batch"
grep -q '^19 of 19 points of grid-size' "$tmp/log"; result $? 'and is joined' "$tmp/log"
on_double run stream-occupancy block=256 lds=32KiB n=2^15 --device cuda:0 --no-verify --format csv --no-header-comments
tail -n 1 "$tmp/log" | grep -q ',48,'; result $? 'waves on an SM: six blocks of 33 KiB in 228 KiB' "$tmp/log"
"$BUILD/wavedeck" show lds-latency --device cuda:0 >"$tmp/log" 2>&1
grep -q 'Shared memory latency' "$tmp/log" && ! grep -q 'published values' "$tmp/log"
result $? '`show` for this GPU' "$tmp/log"
"$BUILD/wavedeck" show lane-patterns --device soft:mi100 >"$tmp/log" 2>&1
grep -q 'cus  *120 CUs ' "$tmp/log" && ! grep -q 'Radeon VII' "$tmp/log"
result $? 'and for another one' "$tmp/log"
cat >"$tmp/script" <<'END'
size 160x48
experiment lds-bank-conflict
expect Shared memory bank conflicts, by stride
expect when 32 lanes access 32 banks
expect Shared memory latency
experiment grid-size
wait sweep 60
expect cus              4 SMs
experiment latency-hiding-occupancy
wait sweep 60
expect x: waves, warps
experiment stream-occupancy
expect Bandwidth, by warps on an SM
END
on_double --device cuda:0 --script "$tmp/script"
result $? 'the workbench has NVIDIA'\''s words, also where values of AMD'\''s GPUs were published' "$tmp/log"
"$BUILD/wavedeck" run lds-bank-conflict stride=1..4 outer=100 --device soft:mi25 --record "$tmp/mi25.wbs" --format plot >"$tmp/log" 2>&1
grep -q 'published: 4 of .* on a Radeon Instinct MI25' "$tmp/log"; result $? 'published values of the GPU that was measured' "$tmp/log"
sed 's/"arch":"gfx900"/"arch":"sm_90"/' "$tmp/mi25.wbs" >"$tmp/other.wbs"
"$BUILD/wavedeck" open "$tmp/other.wbs" --format plot >"$tmp/log" 2>&1 && ! grep -q 'published: ' "$tmp/log"
result $? 'not those of another one' "$tmp/log"
cat >"$tmp/script" <<'END'
size 160x48
experiment lds-bank-conflict
wait sweep 60
expect published: latency
END
! "$BUILD/wavedeck" --device "replay:$tmp/other.wbs" --script "$tmp/script" >"$tmp/log" 2>&1 &&
	"$BUILD/wavedeck" --device "replay:$tmp/mi25.wbs" --script "$tmp/script" >"$tmp/log" 2>&1
result $? 'the same in the workbench' "$tmp/log"
on_double devices --test cuda:0
[ "$(grep -cE '^(good|note|bad) ' "$tmp/log")" -eq 7 ]; result $? 'the self-test runs'
check 'no call is wrong' "$(cat "$CUDA_DOUBLE_LOG")"
finish
