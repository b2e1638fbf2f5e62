#!/usr/bin/env bash
# tests/distro/run.sh without a network: what it does when the mirror cannot be reached, when the installation fails and
# when it is interrupted. And the sum that .ci/run prints. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"

# --- .ci/run, with doubles of its two commands ---
mkdir -p "$tmp/tree/.ci" "$tmp/tree/tests/distro" "$tmp/bin"
cp .ci/run "$tmp/tree/.ci/"
double() { # file, lines of a shell script
	printf '#!/bin/bash\n%s\n' "$2" >"$1"
	chmod +x "$1"
}
sum() { # make check, tests/distro/run.sh: prints the last line and the exit status
	double "$tmp/bin/make" "$1"
	double "$tmp/tree/tests/distro/run.sh" "$2"
	PATH=$tmp/bin:$PATH "$tmp/tree/.ci/run" >"$tmp/log" 2>&1
	local status=$?
	echo "$(tail -n 1 "$tmp/log"), exit $status"
}
equal 'both systems are summed' '5 passed, 0 failed, exit 0' "$(sum 'echo 2 passed, 0 failed' 'echo 3 passed, 0 failed')"
equal 'only the sum is a closing line' 'host: 2 passed, 0 failed|trixie: 3 passed, 0 failed|5 passed, 0 failed' \
	"$(paste -sd'|' "$tmp/log")"
equal 'a failure in one system is a failure' '4 passed, 1 failed, exit 1' \
	"$(sum 'echo 2 passed, 0 failed' 'echo 2 passed, 1 failed; exit 1')"
equal "make's errors after the closing line do not hide it" '5 passed, 1 failed, exit 1' \
	"$(sum 'echo 2 passed, 1 failed; echo make: Error 2; exit 2' 'echo 3 passed, 0 failed')"
equal 'a system without a closing line is a failure' '3 passed, 1 failed, exit 1' \
	"$(sum 'exit 2' 'echo 3 passed, 0 failed')"
equal 'a skipped system is not a failure' '2 passed, 0 failed, exit 0' \
	"$(sum 'echo 2 passed, 0 failed' 'echo SKIP trixie: no mirror')"

# --- tests/distro/run.sh, with a double of mmdebstrap ---
run() { # arguments
	PATH=$tmp/bin:$PATH tests/distro/run.sh "$@" >"$tmp/log" 2>&1 </dev/null
}
run
equal 'without a suite the usage is shown' "1 1" "$? $(grep -c usage "$tmp/log")"
spaces=(--mount --pid --fork)
[ "$(id -u)" -eq 0 ] || spaces+=(--user --map-root-user --map-auto)
if ! unshare "${spaces[@]}" true 2>/dev/null; then
	skip 'a system without a mirror' 'this user cannot create namespaces'
	finish
fi
run trixie "$tmp/bin"
equal 'a folder that exists is refused' "1 1" "$? $(grep -c "cannot create the folder '$tmp/bin'" "$tmp/log")"

double "$tmp/bin/sleep" ''
double "$tmp/bin/mmdebstrap" "echo x >>$tmp/tries; echo \"E: Could not resolve 'mirror'\" >&2; exit 25"
run trixie "$tmp/work"
equal 'without a mirror the system is skipped after three tries' '0 3 1' \
	"$? $(wc -l <"$tmp/tries") $(grep -c "^SKIP trixie: .*Could not resolve 'mirror'" "$tmp/log")"
double "$tmp/bin/mmdebstrap" 'echo "E: no such suite" >&2; exit 25'
run trixie "$tmp/work"
equal 'another error is a failure with its text' '1 1 1' \
	"$? $(grep -c 'no such suite' "$tmp/log") $(grep -c '^trixie: installing the system failed' "$tmp/log")"
[ ! -e "$tmp/work" ]
result $? 'the folder is removed after an error'

# The double reports that it runs, and blocks.
mkfifo "$tmp/started" "$tmp/blocked"
double "$tmp/bin/mmdebstrap" "mkdir -p \"\${@: -1}\"; echo started >$tmp/started; exec cat $tmp/blocked"
blocked_has_reader() { echo x | timeout 5 dd of="$tmp/blocked" oflag=nonblock conv=notrunc 2>/dev/null; }
nothing_runs() { ! blocked_has_reader; } # opening the pipe for writing would wait for a reader
for signal in INT TERM; do
	env --default-signal=INT PATH="$tmp/bin:$PATH" tests/distro/run.sh trixie "$tmp/work" >"$tmp/log" 2>&1 </dev/null &
	read -r _ <"$tmp/started"
	kill -s $signal $!
	wait $!
	status=$?
	# The kernel ends the processes of a namespace after its first one.
	[ $status -gt 128 ] && [ ! -e "$tmp/work" ] && wait_until nothing_runs
	result $? "after SIG$signal nothing runs and the folder is removed"
done
finish
