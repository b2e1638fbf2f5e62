#!/usr/bin/env bash
# The screen as text at three sizes, in Unicode and in ASCII, against what it was: the main view with a finished sweep on the software GPU, with a
# ghost, zoomed; help; messages. UPDATE=1 writes the golden files anew: look at the difference before you keep it.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build} n=0 status=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
golden=tests/golden
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$tmp
patience=60
[ "${MODE:-}" = asan ] && patience=250 # seconds for a sweep

# How long the next sweep takes depends on the host: the words are left out of what is compared, with the rest of the frame's edge.
steady() { sed -i -E 's/( points?), (~[0-9]+ (s|min|h)|less than 1 s|time unknown) [^┛┘+]*/\1, (time) /' "$1"; }
# One run measures once and dumps every size.
dumps() { # view
	for size in 80x24 120x36 200x60; do
		printf 'size %s\nglyphs unicode\ndump %s\nglyphs ascii\ndump %s\n' $size "$tmp/screen-$1-$size-unicode.txt" "$tmp/screen-$1-$size-ascii.txt"
	done
}
{
	echo 'size 80x24'
	echo "wait sweep $patience"
	echo 'action cursor-right 4'
	dumps main
	echo 'action zoom'
	dumps zoom
	echo 'action zoom'
	echo 'action param-more variant'
	echo "wait sweep $patience"
	dumps ghost
	echo 'action log'
	dumps log
	echo 'action back'
	echo 'action help'
	dumps help
} >"$tmp/script"
"$BUILD/wavedeck" --script "$tmp/script" >"$tmp/out" 2>&1 </dev/null
result=$?
n=$((n + 1))
if [ $result -eq 0 ] && [ ! -s "$tmp/out" ]; then echo "ok $n - the script runs"; else
	echo "not ok $n - the script runs (status $result)"
	sed 's/^/# /' "$tmp/out"
	status=1
fi
for view in main zoom ghost log help; do
	for size in 80x24 120x36 200x60; do
		for glyphs in unicode ascii; do
			name=screen-$view-$size-$glyphs.txt
			n=$((n + 1))
			steady "$tmp/$name"
			[ -n "${UPDATE:-}" ] && cp "$tmp/$name" "$golden/$name"
			if diff -u "$golden/$name" "$tmp/$name" >"$tmp/diff" 2>&1; then echo "ok $n - $view at $size, $glyphs"; else
				echo "not ok $n - $view at $size, $glyphs"
				sed 's/^/# /' "$tmp/diff" | head -n 40
				status=1
			fi
		done
	done
done

# The locale chooses the glyphs where the script does not: no byte beyond ASCII in the C locale.
printf 'wait device\nexpect Parameters\ndump\n' | LC_ALL=C "$BUILD/wavedeck" --script - >"$tmp/c" 2>&1
n=$((n + 1))
if [ -s "$tmp/c" ] && ! LC_ALL=C grep -q '[^ -~]' "$tmp/c" && grep -q '+= Parameters' "$tmp/c"; then echo "ok $n - the C locale gives ASCII"; else
	echo "not ok $n - the C locale gives ASCII"
	status=1
fi
# A device that cannot be opened: the reason stands on the screen, and nothing is tried again and again.
if ${CC:-cc} -std=gnu11 -o "$tmp/worker" tests/e2e/worker_double.c -ljansson -lm 2>"$tmp/cc"; then
	printf 'wait 700\nexpect mend it so\nexpect cannot be opened\naction log\nexpect 1..3 of 3\n' |
		WAVEDECK_WORKER=$tmp/worker WORKER_FATAL='no library here; mend it so' "$BUILD/wavedeck" --script - >"$tmp/out" 2>&1
	result=$?
else
	result=1
fi
n=$((n + 1))
if [ $result -eq 0 ]; then echo "ok $n - a device that cannot be opened says why, once"; else
	echo "not ok $n - a device that cannot be opened says why, once"
	cat "$tmp/cc" "$tmp/out" | sed 's/^/# /'
	status=1
fi
# What is wrong in a script is told with its line, and the status says so.
try() { # what, script, pattern, status
	printf '%b' "$2" | "$BUILD/wavedeck" --script - >"$tmp/out" 2>&1
	local got=$?
	n=$((n + 1))
	if [ $got -eq "$4" ] && grep -qE "$3" "$tmp/out"; then echo "ok $n - $1"; else
		echo "not ok $n - $1 (status $got)"
		sed 's/^/# /' "$tmp/out"
		status=1
	fi
}
try 'an unknown command' 'size 80x24\nfly\n' ":2: no command 'fly'" 2
try 'an unknown action' 'action paramm-more\n' 'did you mean param-more' 2
try 'an action where it means nothing' 'action scroll-down\n' 'means nothing' 2
try 'an unknown experiment' 'experiment range-latencey\n' 'range-latency' 2
try 'what the screen does not show' 'expect Unicorns\n' "does not show 'Unicorns'" 1
try 'a wait that is none' 'wait sweep 0\n' 'wait for 1 to 3600 seconds' 2
try 'a size that is none' 'size big\n' "is no size" 2
# A recording made in software is shown with the sizes it was made with.
printf 'wait sweep\nexpect 19 points measured\nexpect ~65536 reads\nexpect 19/19 points verified\n' |
	"$BUILD/wavedeck" --device replay:share/sessions/range-latency-mi25.wbs --script - >"$tmp/out" 2>&1
result=$?
n=$((n + 1))
if [ $result -eq 0 ]; then echo "ok $n - a replayed recording has its own parameters"; else
	echo "not ok $n - a replayed recording has its own parameters"
	sed 's/^/# /' "$tmp/out"
	status=1
fi
# Terminals without the means for a screen are refused.
for type in dumb no-such-terminal; do
	TERM=$type script -qec "$BUILD/wavedeck" /dev/null >"$tmp/out" 2>&1 </dev/null
	result=$?
	n=$((n + 1))
	if [ $result -eq 2 ] && [ "$(wc -l <"$tmp/out")" -eq 1 ] && grep -q "'$type'.*set TERM" "$tmp/out"; then echo "ok $n - TERM=$type is refused"; else
		echo "not ok $n - TERM=$type is refused (status $result)"
		sed 's/^/# /' "$tmp/out"
		status=1
	fi
done
echo "1..$n"
exit $status
