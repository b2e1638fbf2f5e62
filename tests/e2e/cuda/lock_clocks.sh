#!/usr/bin/env bash
# --lock-clocks, on a double of NVIDIA's driver (cuda_double.c): the clock is locked before the first launch and given back
# at every end of the front end, also when it is killed; what is refused; what is noted and recorded. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export XDG_CONFIG_HOME=$tmp XDG_DATA_HOME=$tmp CUDA_DOUBLE_LOG=$tmp/wrong-calls WAVEDECK_CUDA_COMPILER=clang
export CUDA_DOUBLE_CLOCK=$tmp/clock WAVEDECK_SYSROOT=$tmp/root
libraries=$tmp/root/usr/lib/x86_64-linux-gnu
mkdir -p "$libraries" "$tmp/root/dev" "$tmp/root/run"
: >"$tmp/root/dev/nvidia0"
: >"$CUDA_DOUBLE_LOG"
${CC:-cc} -O1 -shared -fPIC -o "$libraries/libcuda.so.1" tests/e2e/cuda/cuda_double.c 2>"$tmp/log"
result $? 'the double compiles'
cp "$libraries/libcuda.so.1" "$libraries/libnvidia-ml.so.1"
note=$tmp/root/run/wavedeck/clock-cuda-0
wavedeck() {
	"$BUILD/wavedeck" "$@" >"$tmp/log" 2>&1
}
measure() { # further arguments
	: >"$CUDA_DOUBLE_CLOCK"
	wavedeck run dispatch-1d --device cuda:0 block=64 --lock-clocks "$@"
}
clocks() { tr '\n' ' ' <"$CUDA_DOUBLE_CLOCK"; }
is_locked() { [ "$(tail -n 1 "$CUDA_DOUBLE_CLOCK" 2>/dev/null)" = 1410 ]; }
is_given_back() { [ "$(tail -n 1 "$CUDA_DOUBLE_CLOCK")" = 0 ] && [ ! -e "$note" ]; }
refused() { # status, text, what: $tmp/log is one line, no clock was locked, and no folder of notes is left
	[ "$status" -eq "$1" ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -qF -- "$2" "$tmp/log" &&
		[ ! -s "$CUDA_DOUBLE_CLOCK" ] && [ ! -e "${note%/*}" ]
	result $? "$3"
}

# --- a run ---
measure 1410 --record "$tmp/one.wbs"
result $? 'a run with a locked clock'
equal 'it is locked once, and given back' '1410 0 ' "$(clocks)"
[ ! -e "$note" ]; result $? 'no note is left'
python3 - "$tmp/one.wbs" >"$tmp/log" 2>&1 <<'END'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
device = records[0]["device"]
assert device["locked_sclk_mhz"] == 1410, device
points = [r for r in records if r["type"] == "point"]
assert points and all(p["locked_sclk_mhz"] == 1410 and p["sclk_mhz"] == 1410 for p in points), points
END
result $? 'header and point say the locked clock; it is the one that was read'
wavedeck run dispatch-1d --device cuda:0 block=64 --record "$tmp/free.wbs"
! grep -q locked_sclk_mhz "$tmp/free.wbs"; result $? 'without the option nothing is locked'
measure 1410 block=64,128 --record "$tmp/both.wbs"
head -n 3 "$tmp/both.wbs" >"$tmp/part.wbs"
wavedeck run --resume "$tmp/part.wbs"; status=$?
[ $status -ne 0 ] && grep -q "locked_sclk_mhz" "$tmp/log"; result $? 'points with and without a locked clock are not one session'
CUDA_DOUBLE_FAIL=cuLaunchKernel=719 measure 1410
equal 'it is given back after a failure' '1410 0 ' "$(clocks)"
CUDA_DOUBLE_FAIL=nvmlDeviceResetGpuLockedClocks=999 measure 1410; status=$?
[ $status -eq 1 ] && grep -q 'the clock of cuda:0 is still locked: .*; give it back as root: nvidia-smi -i 00000000:03:00.0 -rgc' "$tmp/log"
result $? 'a driver that does not give it back'
wavedeck devices
grep -qF "cuda:0         locked   its clock is still locked at 1410 MHz: wavedeck was killed; give it back as root: nvidia-smi -i 00000000:03:00.0 -rgc && rm $note" "$tmp/log"
result $? '`devices` says that it is still locked, and how to give it back'
"$BUILD/wavedeck" devices --json >"$tmp/log" 2>"$tmp/errors"
python3 - "$tmp/log" <<'END'
import json, sys
d = [d for d in json.load(open(sys.argv[1])) if d["device"] == "cuda:0"][0]["locked_clock"]
assert d["mhz"] == 1410 and not d["held"], d
END
result $? '`devices --json`, too'
measure 1410
equal 'the next run takes over, and gives it back' '1410 0 ' "$(clocks)"
[ ! -e "$note" ]; result $? 'and removes the note'

# --- what is refused ---
: >"$CUDA_DOUBLE_CLOCK"
CUDA_DOUBLE_FAIL=nvmlDeviceSetGpuLockedClocks=4 measure 1410; status=$?
refused 1 'needs root; remove --lock-clocks, and let an administrator run: nvidia-smi -i 00000000:03:00.0 -lgc 1410, and after' 'no permission'
CUDA_DOUBLE_FAIL=nvmlDeviceSetGpuLockedClocks=3 measure 1410; status=$?
refused 1 'cuda:0 cannot lock its clock' 'a GPU that cannot'
CUDA_DOUBLE_OTHERS=1 measure 1410; status=$?
refused 1 'because 1 other process has the GPU open' 'another user'
measure 1400; status=$?
refused 2 'cuda:0 has no clock of 1400 MHz; the nearest is 1395 MHz' 'a clock that the GPU does not have'
for text in fast 0 -5 1410MHz; do
	measure "$text"; status=$?
	refused 2 "--lock-clocks needs a clock in MHz, such as 1410, not '$text'" "a clock of $text"
done
wavedeck run dispatch-1d --device soft:mi25 block=64 --lock-clocks 1410; status=$?
refused 2 'a software GPU has the clock of its model; remove --lock-clocks' 'a software GPU'
wavedeck run range-latency --device replay:share/sessions/range-latency-mi25.wbs --lock-clocks 1410; status=$?
refused 2 'a recording has the clocks that it was measured with' 'a recording'
wavedeck run dispatch-1d --device hip:0 --lock-clocks 1410; status=$?
refused 2 'rocm-smi -d 0 --setperfdeterminism' "a GPU of AMD: the advice how"
wavedeck run dispatch-1d --device cuda:0 --via local --lock-clocks 1410; status=$?
refused 2 '--lock-clocks is for GPUs of this machine' 'another machine'
wavedeck batch dispatch-1d --device soft:mi25 --lock-clocks 1410 --slurm; status=$?
result "$((status == 0))" '`batch` checks it before it submits'
rm -r "$tmp/root/run" && : >"$tmp/root/run"
measure 1410; status=$?
[ $status -eq 1 ] && grep -q 'run/wavedeck' "$tmp/log" && is_given_back
result $? 'without a place for the note the clock does not stay locked'
rm "$tmp/root/run" && mkdir "$tmp/root/run"

# --- a front end that ends early ---
# The launch waits for the pipe, so that the front end does not end by itself.
mkfifo "$tmp/pipe"
start_waiting() {
	: >"$CUDA_DOUBLE_CLOCK"
	CUDA_DOUBLE_WAIT=$tmp/pipe env --default-signal=INT "$BUILD/wavedeck" run dispatch-1d --device cuda:0 block=64 \
		--lock-clocks 1410 >"$tmp/front" 2>&1 & # bash would ignore SIGINT
	front=$!
	wait_until is_locked
}
end_front() { # signal: the second one ends it at once
	! kill -s "$1" $front 2>"$tmp/log"
}
for signal in KILL INT TERM HUP; do
	start_waiting
	wait_until end_front "$signal"
	wait_until is_given_back
	result $? "it is given back after SIG$signal" "$tmp/front"
done
start_waiting
wavedeck devices
grep -qE "^cuda:0 +locked +its clock is locked at 1410 MHz while wavedeck measures \(process $front\)$" "$tmp/log"
result $? '`devices` says that it is locked, and by which process'
wavedeck run dispatch-1d --device cuda:0 block=64 --lock-clocks 1395; status=$?
[ $status -eq 1 ] && grep -q "the clock of cuda:0 is locked at 1410 MHz by another wavedeck (process $front)" "$tmp/log" && is_locked
result $? 'another wavedeck is refused, and changes nothing'
guard=$(pgrep -P $front -f hold-clock)
kill -s KILL "$guard"
says_still_locked() {
	wavedeck devices
	grep -q 'still locked' "$tmp/log"
}
wait_until says_still_locked
result $? 'when the guard was killed, too, `devices` reports it'
kill -s KILL $front
wait $front 2>"$tmp/log"
rm -f "$note"

# --- the workbench, batches ---
mkdir "$tmp/slurm" && printf '#!/bin/sh\necho 1\n' >"$tmp/slurm/sbatch" && chmod +x "$tmp/slurm/sbatch"
: >"$CUDA_DOUBLE_CLOCK"
PATH=$tmp/slurm:$PATH wavedeck batch dispatch-1d --device cuda:0 block=64 --lock-clocks 1410 --folder "$tmp/batch" --slurm
wavedeck batch-task "$tmp/batch" 0
equal 'a task of a batch locks it on its node' '1410 0 ' "$(clocks)"
: >"$CUDA_DOUBLE_CLOCK"
"$BUILD/wavedeck" dispatch-1d --device cuda:0 --lock-clocks 1410 --script - >"$tmp/log" 2>&1 <<END
wait sweep $patience
END
equal 'the workbench locks it until it ends' '1410 0 ' "$(clocks)"
check 'no call is wrong' "$(cat "$CUDA_DOUBLE_LOG")"
finish
