#!/usr/bin/env bash
# batch, gather and fleet on a real Slurm of the test's own: sessions equal to a local run, requeue, a dead node, a node
# that only seems dead, time limits, nodes that differ. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=slurm_cluster.bash
. tests/long/slurm_cluster.bash
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data XDG_CACHE_HOME=$tmp/cache
details() { head -n 12 "$tmp/out" "$tmp/err"; tail -n 6 "$tmp"/[a-z]*/task-*.log; }
run() { timeout $patience "$wavedeck" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }
says() { grep -qE -- "$1" "$tmp/out"; }
refuses() { # what, pattern, arguments: status 2 or 1 and one line
	local what=$1 pattern=$2
	shift 2
	run "$@"
	[ $? -ne 0 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qE -- "$pattern" "$tmp/err"
	result $? "$what"
}

# --- requests ---
refuses 'batch without --slurm says what it needs' 'batch needs --slurm' batch lds-latency
refuses 'fleet without --slurm says what it needs' 'fleet needs --slurm' fleet lds-latency
refuses 'gather of a folder that is not a batch' 'name a folder that' gather "$tmp"
mkdir "$tmp/bin"
without_slurm() { env PATH="$tmp/bin" "$wavedeck" "$@" >"$tmp/out" 2>"$tmp/err"; }
without_slurm batch lds-latency --folder "$tmp/none" --slurm
[ $? -eq 2 ] && grep -qx 'wavedeck: sbatch was not found; install slurm-client or run this on a login node' "$tmp/err" &&
	[ ! -e "$tmp/none" ]
result $? 'without Slurm, one line names the package, and no folder is left'

if ! why=$(find_cluster_programs); then
	skip 'batch, gather and fleet on a Slurm' "$why"
	finish
fi
trap 'stop_cluster; rm -rf "$tmp"' EXIT
if ! start_cluster; then
	skip 'batch, gather and fleet on a Slurm' "Slurm does not start here: $(tail -qn 1 "$cluster"/*.out | tail -n 1)"
	finish
fi

# --- equal to a local run ---
# Times of day are the only difference.
normalize() { sed -E '1s/"time":"[^"]*"//; s/,"at":[0-9.e-]+//' "$1"; }
equal_to_local() { cmp <(normalize "$tmp/local.wbs") <(normalize "$1") >"$tmp/diff" 2>&1; }
count_points() { grep -hc '"type":"point"' "$@" 2>/dev/null || true; }
sweep='lds-bank-conflict stride=1..24 --device soft:mi25'
# shellcheck disable=SC2086
run run $sweep --record "$tmp/local.wbs"
result $? 'a local run of 24 points'

# --- workers that srun starts ---
# The host of a point is the only other difference.
# shellcheck disable=SC2086
run run $sweep --via "srun -N1 -n1 --quiet $wavedeck*3" --record "$tmp/pool.wbs"
result $? 'srun starts three workers for a sweep'
sed -E 's/,"host":"[^"]*"//g' "$tmp/pool.wbs" >"$tmp/here.wbs"
[ "$(count_points "$tmp/pool.wbs")" -eq 24 ] && equal_to_local "$tmp/here.wbs"
result $? 'its session is equal to that of a local run'
[ "$(grep '"type":"point"' "$tmp/pool.wbs" | grep -c '"host":"')" -eq 24 ]
result $? 'each point names its host'
is_queue_empty() { [ -z "$(squeue --noheader)" ]; }
wait_until is_queue_empty; result $? 'no job is left'

submit() { # name, options of sbatch: 3 tasks of 8 points
	local name=$1
	shift
	# shellcheck disable=SC2086
	run batch $sweep --chunk 8 --folder "$tmp/$name" --slurm "$@" &&
		job=$(sed -n 's/^job \([0-9]*\): 24 points of lds-bank-conflict on soft:mi25 in 3 tasks of at most 8$/\1/p' "$tmp/out") &&
		[ -n "$job" ] && says "^next: wavedeck gather $tmp/$name --wait$"
}
complete() { # name: gather finds all points, and the session is equal to the local one
	run gather "$tmp/$1" --wait && says '^24 of 24 points' && equal_to_local "$tmp/$1/lds-bank-conflict.wbs"
}

submit plain; result $? 'batch prints job, tasks, folder and the next command'
complete plain; result $? 'gathered, the session is equal to that of a local run, byte by byte'
run gather "$tmp/plain" && equal_to_local "$tmp/plain/lds-bank-conflict.wbs"
result $? 'it can be gathered again'
run gather "$tmp/plain" -o "$tmp/joined.wbs" && equal_to_local "$tmp/joined.wbs"
result $? '-o names the session'
cp "$tmp/plain/task.sh" "$tmp/mine"
refuses 'another file is not replaced' 'already exists and is not a session of this measurement' gather "$tmp/plain" -o "$tmp/mine"
# shellcheck disable=SC2086
refuses 'a folder that is not empty is refused' 'it is not empty' batch $sweep --folder "$tmp/plain" --slurm
# shellcheck disable=SC2086
refuses 'a mistake in the options of sbatch is one line of sbatch' 'sbatch: error: .*[Ii]nvalid partition' batch $sweep --folder "$tmp/none" --slurm -p nosuch
[ ! -e "$tmp/none" ]; result $? 'and leaves no folder'

# --- an experiment of the user's ---
mkdir "$tmp/own"
cp kernels/copy.hip "$tmp/own/mine.hip"
cat >"$tmp/own/mine.lua" <<-'END'
	return {
	  title = "Copy, by block size", kernel = { file = "mine.hip", entry = "copy_offset" },
	  params = { { "block", unit = "threads", min = 64, max = 1024, step = "x2", default = 256, sweep = true } },
	  buffers = { input = { type = "float", count = 65536, fill = "random" }, out = { type = "float", count = 65536 } },
	  args = { "const float *input", "float *out", "unsigned from", "unsigned to" },
	  values = function(p) return { from = 0, to = 0 } end,
	  launch = { grid = function(p) return 65536 // p.block end, block = function(p) return p.block end },
	  metrics = { { "time", unit = "us", function(m, p, v) return m.seconds * 1e6 end } },
	}
END
run run "$tmp/own/mine.lua" --device soft:mi25 --record "$tmp/own.wbs" &&
	run batch "$tmp/own/mine.lua" --device soft:mi25 --chunk 2 --folder "$tmp/mybatch" --slurm && rm -r "$tmp/own" &&
	run gather "$tmp/mybatch" --wait && cmp <(normalize "$tmp/own.wbs") <(normalize "$tmp/mybatch/mine.wbs") >"$tmp/diff"
result $? 'an own experiment needs its files only until it is submitted'

# --- requeue ---
# The node n2 holds the points after the second one back, so that its task is in the middle when something happens.
hold() { echo "$1" >"$cluster/hold-n2"; }
release() { rm "$cluster/hold-n2"; }
find_task_of_n2() { task=$(squeue --noheader --array --states running --nodelist n2 --format %K) && [ -n "$task" ]; }
sessions_of() { echo "$tmp/$1/task-000$task.r$2.wbs"; } # name, start
has_points() { [ "$(count_points "$1")" -ge "$2" ]; }
is_only_active() { [ "$(squeue --noheader --array --format %K)" = "$task" ]; }
submit_and_hold() { # name, points, options: the other tasks end, the one of n2 is in the middle
	hold "$2"
	submit "$1" "${@:3}" && wait_until find_task_of_n2 && wait_until is_only_active &&
		wait_until has_points "$(sessions_of "$1" 0)" "$2"
}
measured_once() { # name: no point of the task is in two of its sessions
	[ "$(cat "$tmp/$1/task-000$task".r*.wbs | grep -c '"type":"point"')" -eq 8 ]
}

submit_and_hold requeued 2; result $? 'a task is in the middle'
before=$(count_points "$(sessions_of requeued 0)")
run gather "$tmp/requeued"
[ $? -eq 1 ] && says "^$((16 + before)) of 24 points" && says "^task $task +$before of 8 points +running on n2$" &&
	says "^next: wavedeck gather $tmp/requeued --wait$"
result $? 'gather joins what is there and says what is missing'
run gather "$tmp/requeued" --resubmit; [ $? -eq 1 ] && says '^nothing to submit again: all missing points are waiting or running$'
result $? 'and submits no task again that still runs'
release
scontrol requeue "${job}_$task" >"$tmp/log" 2>&1; result $? 'scontrol requeue'
complete requeued && [ -e "$(sessions_of requeued 1)" ] && measured_once requeued
result $? 'the requeued task continues, measures no point twice, and the session is equal to that of a local run'

# --- a node without power ---
submit_and_hold dead 2 --no-requeue && kill_node n2 && wait_until node_is n2 'down\*?'
result $? 'a node loses its power'
release
node_failed() { run gather "$tmp/dead"; says 'node failed'; }
wait_until node_failed; says "^task $task +[2-7] of 8 points +node failed on n2" && says '^next: .* --resubmit$'
result $? 'gather says that the node failed, and how to go on'
run gather "$tmp/dead" --resubmit --wait && says '^submitted again: 1 task$' && says '^24 of 24 points' &&
	equal_to_local "$tmp/dead/lds-bank-conflict.wbs" && measured_once dead
result $? '--resubmit measures what is missing, and the session is equal to that of a local run'
start_node n2; wait_until node_is n2 idle; result $? 'the node is back'

# --- a node that only seems dead ---
# Its program runs on next to the one that Slurm starts in its place. Points of both are equal.
submit_and_hold silent 2; result $? 'a task is in the middle'
silence_node n2
# shellcheck disable=SC2046
is_replaced() { [ -s "$(sessions_of silent 1)" ] && has_points "$(sessions_of silent 1)" 4; }
wait_until is_replaced; result $? 'Slurm starts the task again elsewhere'
release
wait_until has_points "$(sessions_of silent 0)" 8; result $? 'while its first process measures the rest'
complete silent && ! measured_once silent; result $? 'points measured twice are equal, and count once'
start_node n2; wait_until node_is n2 idle

# --- time limits ---
limit_is_near='the time limit is near; kept [2-7] points; Slurm starts the task again'
log_says() { grep -qsE "$1" "$tmp/$2/task-000$task.log"; }
submit_and_hold limited 2 --time=1 && wait_until log_says "$limit_is_near" limited
result $? 'a task ends its session before the time limit and requeues itself'
release
complete limited && measured_once limited; result $? 'and continues after that'
submit_and_hold slow 0 && scancel --batch --signal=USR1 "${job}_$task" && wait_until log_says 'no point has ended' slow
result $? 'a task that ends no point within its time limit is not started again and again'
release
run gather "$tmp/slow" --wait; [ $? -eq 1 ] && says "^task $task +0 of 8 points +failed on n2: .*submit it again with more --time$"
result $? 'gather says why'
run gather "$tmp/slow" --resubmit --wait --slurm --time=30 && says '^24 of 24 points' && equal_to_local "$tmp/slow/lds-bank-conflict.wbs"
result $? 'and submits it with more time'

# --- cancelled; waiting ---
submit_and_hold stopped 2
set -m # a separate job, so that SIGINT is not ignored
"$wavedeck" gather "$tmp/stopped" --wait >"$tmp/out" 2>"$tmp/err" &
pid=$!
set +m
catches_interrupts() { [ "$((0x$(sed -n 's/^SigCgt:\t//p' /proc/$pid/status) & 2))" -ne 0 ]; }
wait_until catches_interrupts
kill -INT $pid
wait $pid
[ $? -eq 130 ] && grep -q 'stopped waiting; the jobs go on' "$tmp/err" && squeue --noheader | grep -q .
result $? 'Ctrl-C stops waiting, not the jobs'
scancel "$job"
is_cancelled() { run gather "$tmp/stopped"; says "^task $task +[2-7] of 8 points +cancelled"; }
wait_until is_cancelled; result $? 'a cancelled task is not requeued, and keeps its points'
release

# --- fleet ---
echo soft:mi25,lds_latency=90 >"$cluster/device-n3"
few='lds-bank-conflict stride=1..4 --device soft:mi25'
# shellcheck disable=SC2086
run fleet $few --folder "$tmp/fleet" --slurm
[ $? -eq 0 ] && [ "$(sed -n 2p "$tmp/out" | cut -d' ' -f1)" = n3 ] && says '^n3 .*  4  outlier$' && says '^n1 +1\.0000 +\+0\.0% .* 4$' &&
	says '^latency relative to .*: 3 nodes, spread [1-9][0-9.]* %, 1 outlier$' && says '^n3 has another device: .*lds_latency 90 instead of 45'
result $? 'fleet puts the node that differs first, marks it, and says in what its device differs'
run gather "$tmp/fleet" --format csv && says '^n3,1\.[0-9]+,.*,4,1,' && says '^n1,1,1,1,4,0,$'
result $? 'as CSV'
grep -q '"node":"n3"' "$tmp/fleet/task-0002.r0.wbs" && grep -q '"device":"soft:mi25,lds_latency=90"' "$tmp/fleet/task-0002.r0.wbs"
result $? 'a session names its node and the device it was measured on'
submit mixed && run gather "$tmp/mixed" --wait
[ $? -eq 1 ] && grep -q "differ in 'device' and are not one measurement" "$tmp/err"
result $? 'a batch on nodes that differ is not joined'
echo soft:nosuch >"$cluster/device-n1"
rm "$cluster/device-n3"
scontrol update NodeName=n3 State=DRAIN Reason='fan is loud' && wait_until node_is n3 drained
# shellcheck disable=SC2086
run fleet $few --folder "$tmp/part" --slurm
[ $? -eq 1 ] && says '^n2 +1\.0000' && says '^n1 +0 of 4 points +failed on n1: .*nosuch' && says '^n3 +not measured +drained: fan is loud$'
result $? 'nodes that failed and nodes that Slurm cannot use are listed with the reason'
refuses 'an unknown metric' 'has no metric' fleet lds-latency --metric nosuch --folder "$tmp/none" --slurm
finish
