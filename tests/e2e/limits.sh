#!/usr/bin/env bash
# Limits: those of the process (ulimit), and those that a run has for the functions of a definition and for a
# kernel that never ends. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=../live_script.bash
. tests/live_script.bash
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data

# A worker that opens at once. Without it (no jansson), the tests that need none use the real one.
double=$tmp/worker
${CC:-cc} -std=gnu11 -o "$double" tests/e2e/worker_double.c -ljansson -lm 2>"$tmp/log" || double=

# --- limits of the process ---
# Closes inherited files, such as those of make -j: they count against the limit of open files.
close_inherited_files() {
	local fd
	for fd in /proc/self/fd/*; do
		fd=${fd##*/}
		[ "$fd" -le 2 ] || eval "exec $fd>&-"
	done
}

# Runs with a limit. Its output is read from outside, because the limit of file sizes holds for the reader too.
limited() { # option, value
	(close_inherited_files; ulimit "$1" "$2" && exec timeout 300 "$wavedeck" run lds-bank-conflict stride=1 --format csv 2>&1 </dev/null) |
		tail -n 1
}
for files in 9 12 32 63; do
	equal "with $files open files" \
		"wavedeck: a worker needs 64 open files, and the limit is $files; raise it: ulimit -n 1024" \
		"$(limited -n $files)"
done
equal 'with fewer than a worker can be started with' \
	'wavedeck: cannot start the worker /proc/self/exe: Too many open files; raise the limit: ulimit -n 1024' \
	"$(limited -n 8)"
limited -n 64 | grep -q '^1,'; result $? 'with 64 open files it measures'
limited -Sn 32 | grep -q '^1,'; result $? 'a limit that may be raised is raised'
if [ "${MODE:-}" = asan ]; then
	skip 'a limited address space' 'the address sanitizer needs more'
else
	equal 'with 19.1 GiB of address space' \
		'wavedeck: HIP finds no GPU: the address space is limited to 19.1 GiB; remove the limit: ulimit -v unlimited' \
		"$(limited -v 20000000)"
	equal 'with 488 MiB of address space' \
		'wavedeck: HIP finds no GPU: the address space is limited to 488 MiB; remove the limit: ulimit -v unlimited' \
		"$(limited -v 500000)"
fi
equal 'with files of at most 97.7 MiB' \
	"wavedeck: HIP finds no GPU: the size of files, which hold the memory of the software GPU, is limited to 97.7 MiB; remove the limit: ulimit -f unlimited" \
	"$(limited -f 100000)"

# --- functions of a definition that take long ---
cp kernels/dispatch.hip "$tmp/"
cat >"$tmp/slow.lua" <<'EOF'
local text = string.rep("a", 1 << 20)
local function slowly() for i = 1, 1000000 do string.lower(text) end end
return {
  title = "Slow", question = "How slow?", source = "a test",
  kernel = { file = "dispatch.hip", entry = "dispatch" },
  params = { { "n", min = 1, max = 64, default = 1, sweep = true } },
  buffers = { unused = { type = "int", count = 64 } },
  args = { "int *unused" },
  values = function(p) return {} end,
  launch = { grid = function(p) return p.n end, block = 64 },
  metrics = { { "slow", unit = "x", axis = "left", function(m, p, v) return slowly() end } },
}
EOF
# Runs the definition; its CPU time without that of the worker, in seconds, is in $tmp/seconds.
slow_run() {
	env ${double:+"WAVEDECK_WORKER=$double"} "$wavedeck" run "$tmp/slow.lua" "$@" --format csv >"$tmp/out" 2>"$tmp/log" </dev/null &
	program=$!
	# shellcheck disable=SC2034 # the fields of /proc/PID/stat before user and system time
	while read -r _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ <"/proc/$program/stat"; do
		echo $(((user + system) / $(getconf CLK_TCK))) >"$tmp/seconds"
		sleep 0.1
	done 2>/dev/null
	wait $program
}
sed 's/return slowly()/return 1/' "$tmp/slow.lua" >"$tmp/quick.lua"
"$wavedeck" run "$tmp/quick.lua" n=1 >"$tmp/log" 2>&1; result $? 'the kernel is compiled before' # that takes longer
slow_run n=1..64:+1 --limit 1 --record "$tmp/slow.wbs"
equal 'a limit ends the function at work' \
	'wavedeck: reached the limit of 1 s; kept 0 of 64 points; continue with --resume' "$(cat "$tmp/log")"
grep -q '"type":"session"' "$tmp/slow.wbs" && ! grep -q '"type":"point"' "$tmp/slow.wbs"
result $? 'its point is not kept, so that --resume measures it' "$tmp/slow.wbs"
[ "$(cat "$tmp/seconds")" -le 2 ]; result $? 'and no further function takes time'
slow_run n=1..64:+1
[ $? -ne 0 ] && grep -qF "$tmp/slow.lua:2: runs too long; check for an endless or very long loop" "$tmp/out" "$tmp/log"
result $? 'without a limit, each call has one'
tail -n 2 "$tmp/out" | head -n 1 |
	grep -qF "failed: $tmp/slow.lua: its functions took more than 5 s in this sweep; check for very long loops"
result $? 'and so has the sweep'
[ "$(cat "$tmp/seconds")" -le 8 ]; result $? 'which ends it'

# --- a kernel that never ends ---
cd "$tmp" || exit 1
cat >spin.hip <<'EOS'
#include <hip/hip_runtime.h>
extern "C" __global__ void spin(volatile int *stop)
{
	while (*stop != -5)
		;
}
EOS
cat >spin.lua <<'EOS'
return {
  title = "Endless loop",
  params = { { "n", min = 1, max = 4, step = "x2", default = 1, sweep = true } },
  kernel = { file = "spin.hip", entry = "spin" },
  buffers = { stop = { type = "int", count = 16 } },
  launch = { grid = 1, block = 64 },
  args = { "int *stop" },
  metrics = { { "time", unit = "us", function(m) return m.seconds * 1e6 end } },
}
EOS
"$wavedeck" run ./spin.lua --device soft:mi25 --limit 3 >"$tmp/out" 2>"$tmp/log"
[ $? -eq 1 ] && [ ! -s "$tmp/out" ] && grep -q 'reached the limit of 3 s; kept 0 of 3 points' "$tmp/log"
result $? '--limit stops an endless kernel; no empty table'
"$wavedeck" help run >"$tmp/log" && grep -q '30 minutes; 0: no limit' "$tmp/log"
result $? 'the help names the default limit'

# Without --limit, a line says how to stop it; Ctrl-C then does. A worker that waits takes no core from other tests.
if [ -n "$double" ]; then
	WAVEDECK_WORKER=$double WORKER_DELAY_MS=600000 "$wavedeck" run lds-bank-conflict stride=1..3 --device soft:mi25 \
		>"$tmp/out" 2>"$tmp/log" </dev/null &
	program=$!
	wait_until grep -q 'a point has been running for 20 s; Ctrl-C stops and keeps what was measured, --limit SECONDS' \
		"$tmp/log"
	result $? 'a run says how to stop an endless kernel'
	kill -TERM $program # bash starts background processes with INT ignored
	wait $program
	[ $? -eq 130 ] && grep -q 'interrupted; kept 0 of 3 points' "$tmp/log"
	result $? 'and stops'
else
	skip 'a run says how to stop an endless kernel' 'a C program cannot be built with jansson'
	skip 'and stops' 'a C program cannot be built with jansson'
fi

# --- a connection that does not open ---
# The commands end only when the program ends them.
cat >silent.sh <<'EOF'
echo $$ >>"$PIDS"
[ "$1" = says-nothing ] || cat hello
exec sleep 100000
EOF
export PIDS=$tmp/pids
has_hello() { [ "$(wc -l <all)" -gt 0 ]; }
wait_until has_hello 2>"$tmp/log" | "$wavedeck" worker --device soft:mi25 >all
head -n 1 all >hello
has_ended() { ! kill -0 "$1" 2>/dev/null; }
for how in says-nothing says-hello; do
	"$wavedeck" run lds-latency --device soft:mi25 --limit 2 --via "sh ./silent.sh $how" >"$tmp/out" 2>"$tmp/log"
	equal "a worker elsewhere that $how: --limit ends the run" 1 $?
	equal 'with its usual line' 'wavedeck: reached the limit of 2 s; kept 0 of 7 points' "$(cat "$tmp/log")"
	[ ! -s "$tmp/out" ] && wait_until has_ended "$(tail -n 1 pids)"
	result $? 'and ends the command'
done

# On the screen.
start_script ./spin.lua --device soft:mi25
say 'size 120x36'
sync_until hint 'sweep 0/3 .*Esc cancels'
result $? 'the screen shows the key that stops an endless kernel' "$tmp/hint"
say 'key T'
sync_until hint 'sweep 0/3 .*1, then Esc cancels'
result $? 'the keys, in a view where Esc goes back' "$tmp/hint"
say 'key K'
sync_until hint 'sweep 0/3 (.* )?c cancels'
result $? 'and the own key of the view of the workers' "$tmp/hint"
say 'key 1' 'key Esc' "wait sweep $patience"
sync_until canceled 'canceled: 0 of 3 points measured'
result $? 'which it does' "$tmp/canceled"
end_script
result $? 'the program ends without an error'
if [ -n "$double" ]; then
	WAVEDECK_WORKER=$double WORKER_DELAY_MS=1500 start_script lds-bank-conflict
	say 'size 120x36'
	sync_until left 'sweep [0-9]+/64  ~[0-9]+ (s|min) left'
	result $? 'a long sweep shows the time left' "$tmp/left"
	say 'key Esc' "wait sweep $patience"
	end_script
	result $? 'and can be canceled'
else
	skip 'a long sweep shows the time left' 'a C program cannot be built with jansson'
	skip 'and can be canceled' 'a C program cannot be built with jansson'
fi

# The session begins with the sweep. Whenever Ctrl-C comes then, the kernel has not ended.
set -m # a separate job, so that SIGINT is not ignored
"$wavedeck" run ./spin.lua --device soft:mi25 --record "$tmp/spin.wbs" >"$tmp/out" 2>"$tmp/log" </dev/null &
program=$!
set +m
wait_until [ -s "$tmp/spin.wbs" ]
kill -INT $program
wait $program
[ $? -eq 130 ] && [ ! -s "$tmp/out" ] && grep -q 'interrupted; kept 0 of 3 points' "$tmp/log"
result $? 'Ctrl-C says what was kept, and prints no empty table'
finish
