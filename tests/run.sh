#!/usr/bin/env bash
# Runs the test programs given as arguments, counts their TAP lines, and ends with 'N passed, N failed'. A program that
# exits with an error but prints no 'not ok' line counts as one failure, and so does a program that tests nothing.
#   LIMIT=SECONDS  time limit per program (default 300, scripts 600)
#   SHOW=1         show the output of all programs; by default only that of failing ones
set -u
export XDG_CONFIG_HOME=/nonexistent CMOCKA_MESSAGE_OUTPUT=TAP LC_ALL=${LC_ALL:-C.UTF-8}
passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for t in "$@"; do
	start=$SECONDS
	case $t in *.sh) limit=600 ;; *) limit=300 ;; esac
	run() { timeout -k 10 "${LIMIT:-$limit}" "$t" 2>&1 </dev/null; }
	if [ -n "${SHOW:-}" ]; then
		run | tee "$log"
		status=${PIPESTATUS[0]}
	else
		run >"$log"
		status=$?
	fi
	ok=$(grep -cE '^ok([ -]|$)' "$log") bad=$(grep -cE '^not ok([ -]|$)' "$log")
	if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; echo "not ok - $t exited with $status" >>"$log"; fi
	if [ $((ok + bad)) -eq 0 ]; then bad=1; echo "not ok - $t tested nothing" >>"$log"; fi
	passed=$((passed + ok)) failed=$((failed + bad))
	printf '%-52s %4d ok %3d not ok  %3d s\n' "${t#"$BUILD"/}" "$ok" "$bad" $((SECONDS - start))
	[ "$bad" -eq 0 ] || tail -n 60 "$log" | sed 's/^/    /'
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
