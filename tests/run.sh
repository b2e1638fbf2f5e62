#!/usr/bin/env bash
# Runs the test programs given as arguments, counts their TAP lines, and ends with 'N passed, N failed'. The line of a
# program has its seconds, and those of the CPU, its children's included. Of a program that fails, it shows the failed
# tests with their diagnostics. These count as a failure too: an exit with an error but without a 'not ok' line, fewer
# results than planned, no results, a process that is left, a file that is left in TMPDIR, which each program has to
# itself, or in /dev/shm.
# A program of the list tests/repeatable.tsv that fails runs once more, alone, at the end. If it then passes, it is named
# in a line 'unstable: ...' before the closing line. More than two of these are a failure.
#   JOBS=N         programs at a time (default: one more than cores, since many wait for others' processes)
#   LIMIT=SECONDS  time limit per program (default 1200, scripts 3600)
#   SHOW=1         show the output of all programs, one at a time
#   LINES_MAX=N    lines shown of a program that fails (default 100)
#   GONE_SECONDS=N time for processes that are ending (default 60)
#   LEFT_OUT=FILE  a list of programs that do not run, like tests/distro/left_out.tsv
#   REPEATABLE=FILE another list than tests/repeatable.tsv
set -u
export XDG_CONFIG_HOME=/proc/none CMOCKA_MESSAGE_OUTPUT=TAP LC_ALL=${LC_ALL:-C.UTF-8}
# The programs share the kernels that they compile.
export XDG_CACHE_HOME=${BUILD:-$PWD/build}/tests/cache
jobs=${JOBS:-$(($(nproc) + 1))}
[ -z "${SHOW:-}" ] || jobs=1
repeatable=${REPEATABLE:-$(dirname "$0")/repeatable.tsv}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
: >"$scratch/counts"
: >"$scratch/again"

short_name() { echo "${1#"${BUILD:-}"/}"; } # program

# Whether a pattern in the first column of the list matches the program's name.
is_listed() { # list, program
	local pattern name
	name=$(short_name "$2")
	while IFS=$'\t' read -r pattern _; do
		# shellcheck disable=SC2254 # a pattern
		case $pattern:$name in
		'#'* | :*) ;;
		*) case $name in $pattern) return ;; esac ;;
		esac
	done <"$1"
	return 1
}

# Shared memory in /dev/shm that no process uses. A name that a process maps belongs to a program at work.
list_unused_shared_memory() {
	local entry
	for entry in /dev/shm/*; do
		[ ! -e "$entry" ] || grep -qsF -- " $entry" /proc/[0-9]*/maps || echo "$entry"
	done
}

# The same without what was there before. Another program may be about to map a new name, so names get time to go. Only
# those count that stay.
list_new_shared_memory() { # names before
	export -f list_unused_shared_memory
	timeout "${GONE_SECONDS:-60}" bash -c '
		while list_unused_shared_memory | grep -qvxF -- "$1"; do sleep 0.1; done' - "$1" && return
	list_unused_shared_memory | grep -vxF -- "$1"
}

# Processes that a test program started are found by the TMPDIR in their environment.
list_processes() { # folder
	grep -lszE -- "^TMPDIR=$1(/|\$)" /proc/[0-9]*/environ | cut -d/ -f3
}

wait_for_processes() { # folder
	timeout "${GONE_SECONDS:-60}" bash -c "$(declare -f list_processes)"'
		while [ -n "$(list_processes "$1")" ]; do sleep 0.1; done' - "$1"
}

# Prints a failure for each kind of thing that the program left behind, and removes it.
report_remains() { # folder, shared memory before
	local pids pid names
	[ -z "$(list_processes "$1")" ] || wait_for_processes "$1"
	pids=$(list_processes "$1")
	if [ -n "$pids" ]; then
		echo "not ok - processes left:"
		for pid in $pids; do
			echo "# $pid $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
			kill -9 "$pid" 2>/dev/null
		done
	fi
	names=$(find "$1" -mindepth 1 | head -n 20)
	[ -z "$names" ] || printf 'not ok - files left in TMPDIR:\n%s\n' "$names" | sed '2,$s/^/# /'
	names=$(list_new_shared_memory "$2")
	[ -z "$names" ] || printf 'not ok - files left in shared memory:\n%s\n' "$names" | sed '2,$s/^/# /'
	rm -rf "$1"
}

# Prints failures that the TAP lines do not show. A crash leaves its trace in the last lines.
report_incomplete() { # status
	local ok bad planned
	read -r ok bad planned <<<"$(count_results)"
	if [ "$1" -eq 124 ] || [ "$1" -ge 128 ]; then
		echo "not ok - ended with status $1 after these lines:"
	elif [ "$1" -ne 0 ] && [ "$bad" -eq 0 ]; then
		echo "not ok - exited with status $1 after these lines:"
	elif [ $((ok + bad)) -eq 0 ]; then
		echo "not ok - tested nothing; all its output:"
	elif [ $((ok + bad)) -ne "$planned" ]; then
		echo "not ok - $((ok + bad)) results, but $planned planned; the last lines:"
	else
		return
	fi
	tail -n 15 "$log" | sed 's/^\(not \)\?ok/# &/'
}

count_results() { # prints: passed failed planned
	awk '/^ok([ -]|$)/ { ok++ } /^not ok([ -]|$)/ { bad++ } /^1\.\.[0-9]+/ { planned += substr($0, 4) }
		END { print ok + 0, bad + 0, planned + 0 }' "$log"
}

# The failed tests: each line 'not ok' with the lines between it and the results before and after it.
show_failures() {
	awk -v most=20 '
		function flush_before(k) {
			if (before > most) print "... " before - most " lines"
			for (k = before > most ? before - most + 1 : 1; k <= before; k++) print line[k % most]
			before = 0
		}
		/^not ok([ -]|$)/ { flush_before(); print; after = most; next }
		/^ok([ -]|$)/ || /^1\.\.[0-9]/ { before = after = 0; next }
		after > 0 { print; after--; if (!after) print "..."; next }
		{ line[++before % most] = $0 }' "$log" | head -n "${LINES_MAX:-100}" | cut -c1-400 | sed 's/^/    /'
}

run_program() { # program, folder; the output goes to $log
	local limit=1200
	case $1 in *.sh) limit=3600 ;; esac
	: >"$log" # before `tail` opens it
	TMPDIR=$2 timeout -k 10 "${LIMIT:-$limit}" "$1" >"$log" 2>&1 </dev/null &
	[ -z "${SHOW:-}" ] || tail -n +1 -f --pid=$! "$log"
	wait $! 2>/dev/null
}

# cmocka cuts long messages off, newline included. Version 1.1.5 prints a skipped test as failed.
correct_cmocka() {
	sed -i -E -e 's/^([^o].*)(not ok [0-9]+ - )/\1\n\2/' -e 's/^not (ok [0-9]+ # SKIP )/\1/' "$log"
}

# Counts the results of a program, or notes that it is to run again.
count_program() { # program, passed, failed, may run again
	if [ "$3" -gt 0 ] && [ -n "$4" ] && is_listed "$repeatable" "$1"; then
		echo "$1" >>"$scratch/again"
		echo '    it runs once more at the end, alone'
	else
		echo "$2 $3" >>"$scratch/counts"
	fi
}

# Sets cpu: seconds of the CPU, of all programs that have ended.
read_cpu_seconds() { # scratch file
	times >"$1"
	cpu=$(tail -n 1 "$1" | tr 'ms' '  ' | awk '{ printf "%.0f", 60 * $1 + $2 + 60 * $3 + $4 }')
	rm "$1"
}

# Prints the line of a program when it has ended, and its failures. Fails if the program did.
test_program() { # program, number, may run again
	local log=$scratch/log-$2 folder=$scratch/tmp-$2 start=$SECONDS before status ok bad cpu cpu_before
	mkdir "$folder"
	read_cpu_seconds "$log-cpu"
	cpu_before=$cpu
	before=$(list_unused_shared_memory)
	run_program "$1" "$folder"
	status=$?
	read_cpu_seconds "$log-cpu"
	correct_cmocka
	{ report_incomplete $status; report_remains "$folder" "$before"; } >"$log-more"
	[ -z "$(tail -c 1 "$log")" ] || echo >>"$log" # the last line may be incomplete
	cat "$log-more" >>"$log"
	read -r ok bad _ <<<"$(count_results)"
	{
		flock 9
		printf '%-52s %4d ok %3d not ok  %3d s, %3d s CPU\n' "$(short_name "$1")" "$ok" "$bad" \
			$((SECONDS - start)) $((cpu - cpu_before))
		[ "$bad" -eq 0 ] || show_failures
		count_program "$1" "$ok" "$bad" "${3:-}"
	} 9>"$scratch/lock"
	rm -f "$log" "$log-more"
	[ "$bad" -eq 0 ]
}

# Runs the noted programs again, one at a time.
run_again() {
	local again unstable=()
	mapfile -t again <"$scratch/again"
	for t in "${again[@]}"; do
		number=$((number + 1))
		test_program "$t" $number && unstable+=("$(short_name "$t")")
	done
	[ ${#unstable[@]} -gt 0 ] || return 0
	[ ${#unstable[@]} -le 2 ] || echo 0 1 >>"$scratch/counts"
	echo "unstable: ${unstable[*]}$([ ${#unstable[@]} -le 2 ] || echo ' (more than two are a failure)')"
}

number=0
for t in "$@"; do
	[ -z "${LEFT_OUT:-}" ] || ! is_listed "$LEFT_OUT" "$t" || continue
	[ $number -lt "$jobs" ] || wait -n
	number=$((number + 1))
	test_program "$t" $number may-run-again &
done
wait
run_again
read -r passed failed <<<"$(awk '{ ok += $1; bad += $2 } END { print ok + 0, bad + 0 }' "$scratch/counts")"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
