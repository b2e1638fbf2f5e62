#!/usr/bin/env bash
# What `exec` shows of a program: its profile by kernel, its timeline, the progress of long launches; also when it is
# interrupted. TAP.
# shellcheck source=hip_program.bash
. "$(dirname "$0")/hip_program.bash"
build_hip_program runtime -pthread
file=$tmp/trace.json

# Its JSON is valid; prints the events that match a condition on `e`, one a line.
events() { # condition
	python3 -c 'import json, sys
for e in json.load(open(sys.argv[1]))["traceEvents"]:
    if eval(sys.argv[2]): print(e["name"], e["pid"], e["tid"], e.get("ts"), e.get("dur"))' "$file" "$1" 2>"$log"
}

# --- profile ---
options=--profile
soft "$program" tutorial && sed -n '/^kernel/,$p' "$log" >"$tmp/table"
result $? "a program with --profile"
grep -Eq '^kernel +launches +GPU +wave inst +simulated$' "$tmp/table" && grep -Eq '^[a-z_]+\(.*\) +[0-9]+ +[0-9.]+ [mu]s ' "$tmp/table"
result $? "a row for each kernel, with its name as in the source" "$tmp/table"
grep -q "^HIP's own kernel  *[0-9]" "$tmp/table"
result $? "the kernels of the runtime, which have no symbols" "$tmp/table"
awk '/^all / { all = $2 }
	/^[^ ]/ && !/^(kernel|all) / { rows += substr($0, 49, 10) } END { exit !(all && all == rows) }' "$tmp/table"
result $? "the launches add up" "$tmp/table"
[ "$(tail -n 1 "$tmp/table")" = 'the code, waves and stall reasons of each kernel: wavedeck PROGRAM ARGUMENTS' ]
result $? "and how to go on" "$tmp/table"
awk '/^  cycles / { n++; sum = 0; for (i = 4; i <= NF; i += 3) sum += $i; if (sum < 80 || sum > 105) bad = 1 }
	END { exit !(n && !bad) }' "$tmp/table"
result $? "the stall reasons are nearly all of the cycles" "$tmp/table"
waves=$(awk '/SQ_WAVES/ { for (i = 1; i < NF; i++) if ($i == "SQ_WAVES") n += $(i + 1) } END { print n + 0 }' "$tmp/table")
[ "$waves" -gt 0 ]
result $? "counters by kernel" "$tmp/table"
# Names, launches and wave instructions.
columns() { grep -v '^ ' "$1" | sort | cut -c1-58,69-78; }
soft "$program" tutorial && sed -n '/^kernel/,$p' "$log" >"$tmp/again"
equal "two runs have the same table, but for times" "$(columns "$tmp/table")" "$(columns "$tmp/again")"
options=
soft env SOFTGPU_STATISTICS=1 "$program" tutorial && says 'launches, .* s of CPU time' && says '^all ' && ! says '^  cycles '
result $? "statistics have the table without the profile"
soft "$program" tutorial && ! says '^kernel '
result $? "without an option nothing is printed"
soft env SOFTGPU_PROFILE=1 true && ! says '^kernel '
result $? "a program without launches has no table"

# --- timeline ---
options="--timeline $file"
soft "$program" tutorial
result $? "a program with --timeline"
[ -n "$(events 'e.get("cat") == "kernel"')" ] && [ -n "$(events 'e.get("cat") == "copy" and e["args"]["bytes"] > 0')" ] &&
	[ -n "$(events 'e.get("cat") == "wait" and e["pid"] == 1')" ]
result $? "it has kernels, copies and waits"
events 'e["ph"] == "X"' | sort -k2,2n -k3,3n -k4,4n | awk '{ at = $2 " " $3; s = $(NF - 1); d = $NF
	if (at == last && s < end - 1e-6) bad = 1; last = at; end = s + d } END { exit bad || !NR }'
result $? "spans of a thread do not overlap"
cp "$file" "$tmp/first"
soft "$program" tutorial
kernels() { python3 -c 'import json, sys
print([(e["name"], e["tid"], e["args"]["wave instructions"]) for e in json.load(open(sys.argv[1]))["traceEvents"] if e.get("cat") == "kernel"])' "$1"; }
equal "two runs have the same kernels" "$(kernels "$tmp/first")" "$(kernels "$file")"
rm -f "$file"
(cd "$tmp" && TMPDIR=$tmp timeout -k 5 $patience "$wavedeck" exec --virtual-clock --timeline trace.json -- sh -c \
	"cd / && '$program' tutorial; exec '$program' tutorial") >"$log" 2>&1 </dev/null
[ -s "$file" ] && [ "$(find "$tmp" -name 'trace.json.[0-9]*' | wc -l)" = 1 ]
result $? "a program that it starts has a file of its own; the path is relative to where exec was"
options="--timeline $tmp/no/such"
soft "$program" tutorial
says 'softgpu: cannot write .*/no/such: No such file or directory; choose another file$'
result $? "a file that cannot be written is reported"

# --- interrupted ---
for ending in INT:130 TERM:143; do
	rm -f "$file"
	: >"$log"
	# A shell starts background jobs with SIGINT ignored.
	ROUNDS=10000000 env --default-signal=INT "$wavedeck" exec --profile --timeline "$file" -- "$program" wait-synchronize >"$log" 2>&1 </dev/null &
	victim=$!
	wait_until grep -q '^launched' "$log"
	kill "-${ending%:*}" $victim
	wait $victim 2>/dev/null
	status=$?
	[ $status = "${ending#*:}" ] && says '^all ' && [ -n "$(events 'e.get("cat") == "kernel"')" ]
	result $? "SIG${ending%:*}: the table and the timeline so far, and the status of the signal"
done
# Without an option, and not on a terminal.
line='[a-z_]+\(.*\), after [0-9]+ s: [0-9]+ of [0-9]+ workgroups, [1-9][0-9.]*( [kMG])? wave instructions$'
run_long() { # file for the output, CASE, options of exec; the program's number is $victim
	local out=$1 case=$2
	shift 2
	: >"$out"
	SOFTGPU_LONG_LAUNCH=1 ROUNDS=10000000 env --default-signal=INT "$wavedeck" exec "$@" -- "$program" "$case" >"$out" 2>&1 </dev/null &
	victim=$!
}
for ending in INT:130 TERM:143; do
	run_long "$log" wait-synchronize
	wait_until grep -Eq "^softgpu: still running $line" "$log"
	result $? "a launch that runs long is named as in the source, where standard error is no terminal"
	kill "-${ending%:*}" $victim
	wait $victim 2>/dev/null
	status=$?
	[ $status = "${ending#*:}" ] && says "^softgpu: interrupted in $line" && [ "$(grep -c '^softgpu: still' "$log")" = 1 ] &&
		! says '^all '
	result $? "SIG${ending%:*} without options: the launch that it interrupts, and the status of the signal"
done
run_long "$log" has-handler
wait_until grep -Eq '^softgpu: still running' "$log"
kill -TERM $victim
wait $victim 2>/dev/null
[ $? = 5 ] && ! says interrupted
result $? "a program with a handler of its own: only that runs"
# When a second program prints its line, as much time has passed for the first one.
run_long "$tmp/silent" wait-synchronize --no-progress
silent=$victim
wait_until grep -q '^launched' "$tmp/silent"
run_long "$log" wait-synchronize
wait_until grep -Eq '^softgpu: still running' "$log"
kill -TERM $silent $victim
wait $silent $victim 2>/dev/null
grep -q '^softgpu: interrupted in' "$tmp/silent" && ! grep -q 'still running' "$tmp/silent"
result $? "--no-progress: no line while a launch runs" "$tmp/silent"
options=--profile
soft "$program" asserting
status=$?
[ $status = 134 ] && says '^all '
result $? "abort: the table so far"

# --- progress ---
# On a terminal, which `script` provides.
: >"$tmp/screen"
ROUNDS=10000000 script -qfc "echo \$\$ >$tmp/pid; exec $wavedeck exec --profile -- $program wait-synchronize" "$tmp/screen" \
	>/dev/null 2>&1 </dev/null &
victim=$!
shown='[0-9]+ of [0-9]+ workgroups'
wait_until grep -Eqa "$shown" "$tmp/screen"
result $? "a long launch shows its progress on a terminal" "$tmp/screen"
kill -TERM "$(cat "$tmp/pid")"
wait $victim 2>/dev/null
grep -Eqa 'softgpu: interrupted in [a-z_]+\(.*\), after [0-9]+ s: [0-9]+ of [0-9]+ workgroups, [0-9.]+( [kMG])? wave instructions' "$tmp/screen"
result $? "a launch that a signal interrupts is reported" "$tmp/screen"
soft "$program" dependencies && ! grep -Eqa "$shown" "$log"
result $? "not where standard error is no terminal"
finish
