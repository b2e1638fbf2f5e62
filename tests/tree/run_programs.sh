#!/usr/bin/env bash
# tests/run.sh with small programs that fail in every way: what it counts and what it shows. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
mkdir "$tmp/programs"
# A test program of these shell lines.
program() { # name, lines
	printf '#!/bin/sh\n%s\n' "$2" >"$tmp/programs/$1"
	chmod +x "$tmp/programs/$1"
}
run() { # names
	TMPDIR=$tmp GONE_SECONDS=${GONE_SECONDS:-60} BUILD=$tmp/programs tests/run.sh "${@/#/$tmp/programs/}" >"$tmp/log" 2>&1
}
counts() { # what, expected last line
	equal "$1" "$2" "$(tail -n 1 "$tmp/log")"
}
shows() { # what, line that is shown of the program
	grep -qxF -- "    $2" "$tmp/log"
	result $? "$1"
}
hides() { # what, pattern
	check "$1" "$(grep -E -- "$2" "$tmp/log")"
}

program passes 'echo "ok 1 - a"; echo "ok 2 - b # SKIP not here"; echo 1..2; echo noise'
run passes; result $? 'a program that passes passes'
counts 'two results are counted' '2 passed, 0 failed'
hides 'its output is not shown' noise

program fails 'echo "ok 1 - a"; echo before; echo "not ok 2 - b"; echo "# because"; echo "ok 3 - c"; echo after; echo 1..3; exit 1'
run fails passes
[ $? -eq 1 ]; result $? 'a program that fails makes the status 1'
counts 'passed and failed results of all programs' '4 passed, 1 failed'
shows 'the failed result is shown' 'not ok 2 - b'
shows 'with the lines after it' '# because'
shows 'and those before it, which cmocka prints' 'before'
hides 'other lines are not shown' '^    (ok|after|noise)'

program works "sh -c 'k=0; until [ \$k = 2000000 ]; do k=\$((k + 1)); done'; echo 'ok 1 - a'; echo 1..1"
run works
grep -qE '^works .* [0-9]+ s, +[1-9][0-9]* s CPU$' "$tmp/log"
result $? 'the seconds of the CPU are those of a program and its children'

program first "until [ -e $tmp/tenth ]; do sleep 0.1; done; echo 'ok 1 - a'; echo 1..1"
program tenth "touch $tmp/tenth; until grep -q '^first ' $tmp/log; do sleep 0.1; done; echo 'ok 1 - a'; echo 1..1"
JOBS=3 GONE_SECONDS=1 run first passes passes passes passes passes passes passes passes tenth
counts 'program 1 does not take the processes of program 10 for its own' '18 passed, 0 failed'

program skips 'echo "not ok 1 # SKIP a"; echo "not ok 2 - # SKIP b"; echo 1..2'
run skips
counts 'a test that cmocka skipped is not a failure' '1 passed, 1 failed'

program chatters 'seq 1 500; echo "not ok 1 - a"; seq 1001 1500; echo 1..1'
run chatters
shows 'of many lines before it, the last are shown' 500
shows 'and the first after it' 1001
[ "$(wc -l <"$tmp/log")" -le 60 ]; result $? 'the output of a program is bounded'

program crashes 'for i in $(seq 100); do echo "ok $i - a"; done; echo "last words"; kill -SEGV $$'
run crashes
counts 'a crash is a failure' '100 passed, 1 failed'
shows 'it shows the last lines' 'last words'
shows 'with its status' 'not ok - ended with status 139 after these lines:'
hides 'but not the first' '# ok [1-9] '

program breaks 'echo 1..3; echo "not ok 1 - a"; printf "in the middle of a line"; kill -ABRT $$'
run breaks
counts 'a crash after a failed result counts too' '0 passed, 2 failed'

program exits 'echo "ok 1 - a"; echo 1..1; echo why; exit 3'
run exits
counts 'an error status without a failed result is a failure' '1 passed, 1 failed'
shows 'with its reason' 'not ok - exited with status 3 after these lines:'
shows 'and the output' why

program idle 'echo nothing here'
run idle
counts 'a program without results fails' '0 passed, 1 failed'

program stops 'echo 1..5; echo "ok 1 - a"; echo "ok 2 - b"'
run stops
counts 'fewer results than planned are a failure' '2 passed, 1 failed'
shows 'with both numbers' 'not ok - 2 results, but 5 planned; the last lines:'

program hangs 'echo 1..1; echo started; exec sleep 1000'
LIMIT=1 run hangs
counts 'a program that runs too long fails' '0 passed, 1 failed'
shows 'with the status of timeout' 'not ok - ended with status 124 after these lines:'

# --- what a program leaves ---
program litters 'mkdir "$TMPDIR/folder-that-stays"; echo "ok 1 - a"; echo 1..1'
run litters
counts 'a file left in TMPDIR is a failure' '1 passed, 1 failed'
grep -q '^    # .*/folder-that-stays$' "$tmp/log"; result $? 'which names the file'
check 'and it is removed' "$(find "$tmp" -name folder-that-stays)"

program forks 'sleep 98765 >/dev/null 2>&1 & echo "ok 1 - a"; echo 1..1'
GONE_SECONDS=0.2 run forks
counts 'a process left is a failure' '1 passed, 1 failed'
grep -q '^    # [0-9]* sleep 98765' "$tmp/log"; result $? 'which names the process'
check 'and it is killed' "$(pgrep -f '^sleep 98765$')"
program ends 'sleep 1 >/dev/null 2>&1 & echo "ok 1 - a"; echo 1..1'
run ends
counts 'a process that ends soon is not' '1 passed, 0 failed'

if [ -w /dev/shm ]; then
	program shares "echo >/dev/shm/wavedeck-test-$$; echo 'ok 1 - a'; echo 1..1"
	GONE_SECONDS=0.2 run shares
	counts 'shared memory left is a failure' '1 passed, 1 failed'
	shows 'which names it' "# /dev/shm/wavedeck-test-$$"
	rm -f "/dev/shm/wavedeck-test-$$"
else
	skip 'shared memory left is a failure' 'no /dev/shm'
fi

# --- several at a time ---
# Each waits until the other has begun; alone, one of them never ends.
program waits 'touch "$TMPDIR/../a"; until [ -e "$TMPDIR/../b" ]; do sleep 0.1; done; echo "ok 1 - a"; echo 1..1'
program answers 'until [ -e "$TMPDIR/../a" ]; do sleep 0.1; done; touch "$TMPDIR/../b"; echo "not ok 1 - a"; echo 1..1'
JOBS=2 run waits answers passes
counts 'two programs run at a time' '3 passed, 1 failed'
equal 'each has its line' 3 "$(grep -cE '^[a-z]+ +[0-9]+ ok +[0-9]+ not ok' "$tmp/log")"

# --- a second try ---
# The first one leaves a file, and so the second passes.
program flaps 'if [ -e "$TMPDIR/../tried" ]; then echo "ok 1 - a"; else touch "$TMPDIR/../tried"; echo "not ok 1 - a"; fi; echo 1..1'
for name in flutters flickers; do sed "s/tried/$name/g" "$tmp/programs/flaps" >"$tmp/programs/$name"; done
chmod +x "$tmp"/programs/fl*
printf '# a comment\n\nfl*\ta reason\nfails\ta reason\n' >"$tmp/repeatable"
run flaps passes
counts 'a program that is not listed has one try' '2 passed, 1 failed'
REPEATABLE=$tmp/repeatable run flaps passes
[ $? -eq 0 ]; result $? 'a listed program has two'
counts 'and only the second one counts' '3 passed, 0 failed'
equal 'it is named before the closing line' 'unstable: flaps' "$(tail -n 2 "$tmp/log" | head -n 1)"
shows 'its failure is shown' 'not ok 1 - a'
REPEATABLE=$tmp/repeatable run fails passes
counts 'a second failure counts once' '4 passed, 1 failed'
hides 'and is not unstable' '^unstable'
REPEATABLE=$tmp/repeatable run flaps flutters flickers
counts 'more than two unstable programs are a failure' '3 passed, 1 failed'
equal 'all of them are named' 3 "$(grep '^unstable' "$tmp/log" | grep -oE 'fl(aps|utters|ickers)' | wc -l)"

printf 'fail*\ta reason\n' >"$tmp/left-out"
LEFT_OUT=$tmp/left-out run fails passes
counts 'a program that is left out does not run' '2 passed, 0 failed'

# --- the lists ---
names=$(find tests -name 'test_*.c' -o -mindepth 2 -name '*.sh' | sed 's/\.c$//')
for list in tests/repeatable.tsv tests/distro/left_out.tsv; do
	check "$list: each pattern matches a test, and has a reason" "$(grep -v '^#' "$list" | while IFS=$'\t' read -r pattern reason; do
		# shellcheck disable=SC2254 # a pattern
		found=$(for name in $names; do case $name in $pattern) echo "$name" ;; esac; done)
		[ -n "$found" ] && [ -n "$reason" ] || echo "$pattern"
	done)"
done
check 'no test of softgpu, sessions or results has a second try' \
	"$(grep -v '^#' tests/repeatable.tsv | grep -E '^tests/(softgpu|programs|sessions|experiments|plot|kernels|golden)/')"

SHOW=1 run passes
grep -q '^noise$' "$tmp/log"; result $? 'SHOW=1 shows the whole output'
finish
