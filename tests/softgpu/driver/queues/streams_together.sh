#!/usr/bin/env bash
# Kernels of several streams at the same time in virtual time, under the real ROCm libraries: the same in every run. TAP.
# shellcheck disable=SC2034 # for hip_program.bash
here=tests/softgpu/driver/queues
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"
build_hip_program streams_together -pthread

busy='softgpu: the program has worked for 250 ms after it submitted kernels'
# A case passes, and prints the same in so many runs.
repeats() { # case, runs, what
	local status=0 run
	for ((run = 1; run <= $2; run++)); do
		soft "$program" "$1" && ! says "$busy" || status=1
		cp "$log" "$tmp/$1.$run"
		cmp -s "$tmp/$1.1" "$tmp/$1.$run" || status=1
	done
	result $status "$3" "$tmp/$1.1"
}
repeats together 20 "kernels of three streams begin and end together, 20 times alike"
repeats idle-event 20 "an event of an idle stream has the time at which it was submitted, 20 times alike"
repeats after-a-wait 5 "what follows a wait begins at its end, next to what still runs"
repeats polling 5 "the same for a thread that polls"
repeats copies 5 "copies run next to kernels; what waits for one begins at its end"
repeats full-queues 2 "two queues that are full"

# In HIP's other mode, each stream has a thread of the host.
status=0
for run in {1..5}; do
	soft env AMD_DIRECT_DISPATCH=0 "$program" together && cmp -s "$log" "$tmp/together.1" || status=1
done
result $status "the same times with a thread of the host for each stream" "$log"

soft "$program" threads && ! says "$busy"
result $? "three threads with a stream each"

soft "$program" busy-host && [ "$(grep -c "$busy" "$log")" = 1 ]
result $? "the GPU begins when the host works for long, and reports it in one line"

# The timeline has the kernels of each queue next to each other.
options="--timeline $tmp/timeline"
soft "$program" together
grep '"cat":"kernel"' "$tmp/timeline" | grep _Z4last | tail -n 3 >"$tmp/spans"
[ "$(grep -o '"tid":[0-9]*' "$tmp/spans" | sort -u | wc -l)" = 3 ] &&
	[ "$(grep -o '"ts":[0-9.]*' "$tmp/spans" | sort -u | wc -l)" = 1 ]
result $? "in the timeline, the kernels are in three rows and begin at the same time" "$tmp/spans"

# A profile changes no time, and what only one kernel has is left out where several ran.
options=--profile
soft "$program" together && grep -E '^(stream|clock)' "$log" >"$tmp/profiled" && cmp -s "$tmp/profiled" "$tmp/together.1" &&
	says 'last\(long long'
result $? "the same times with --profile" "$log"

# Checks are of one kernel.
options=--check
! soft "$program" together && says '^failed: none waits for another one$' && ! says 'softgpu: .*(race|bounds)'
result $? "with --check, one kernel after the other" "$log"

finish
