#!/usr/bin/env bash
# Checks the facts of the quick lessons on the software GPU (tests/long/lessons.sh checks all), and that they can fail.
# TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data XDG_CACHE_HOME=$BUILD/tests/cache LC_ALL=C
details() { head -n 10 "$1"; }
check_facts() { # arguments of lesson --check
	timeout $patience "$wavedeck" lesson --check "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
}

for page in launch divergence memory-latency lds; do
	check_facts "$page"
	status=$?
	grep -v '^  true' "$tmp/out" >"$tmp/say"
	[ $status -eq 0 ] && [ ! -s "$tmp/err" ] && [ "$(grep -c '^  true' "$tmp/out")" -ge 5 ] &&
		! grep -q '^  FALSE' "$tmp/out"
	result $? "$page: $(tail -n 1 "$tmp/out")" "$tmp/say"
done

# On a machine with other constants the facts do not hold.
check_facts lds --device soft:mi25,lds_latency=145
[ $? -eq 1 ] && grep -q '^  FALSE step 2: latency at stride=1 85..85.7 cycles   185.* cycles$' "$tmp/out" &&
	grep -q '^  FALSE step 3: says "LDS 49.00"$' "$tmp/out" &&
	tail -n 1 "$tmp/out" | grep -q '^0 of [0-9]* facts are true$'
result $? 'with 100 cycles more LDS latency, no fact of the page holds' "$tmp/out"

refuses() { # words of the error, arguments
	local words=$1
	shift
	check_facts "$@"
	[ $? -eq 2 ] && ! grep -q hold "$tmp/out" && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$words" "$tmp/err"
	result $? "rejected: lesson --check $*" "$tmp/err"
}
refuses "did you mean 'lds'" ldss
refuses 'unknown model' lds --device soft:mi26

# A page is shown without comments.
"$wavedeck" lesson lds >"$tmp/out" 2>"$tmp/err" </dev/null
[ $? -eq 0 ] && grep -q 'takes 63 cycles' "$tmp/out" && ! grep -q -- 'expect\|<!--\|-->' "$tmp/out"
result $? 'a page is shown without its facts' "$tmp/out"

finish
