# What the golden scripts have in common, read by each of them first: a script for the program that dumps its screen in some states, at each size and in both
# kinds of glyphs, and the dumps against files of the same names in tests/golden/SCRIPT. UPDATE=1 rewrites them: check the difference before you keep it.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
BUILD=${BUILD:-build} n=0 status=0
golden=tests/golden/$(basename "$0" .sh) sizes='80x24 120x36 200x60'
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C.UTF-8 XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config
patience=60 # seconds for a sweep
[ "${MODE:-}" = asan ] && patience=250

# A line of TAP: whether it went well, what, and a file that says why not.
result() { # status what [file]
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; return; fi
	echo "not ok $n - $2 (status $1)"
	[ -z "${3:-}" ] || head -n 40 "$3" | sed 's/^/# /'
	status=1
}

# Lines of a script: dump what is seen now.
dumps() { # state [command]
	for size in $sizes; do
		for glyphs in unicode ascii; do
			printf 'size %s\nglyphs %s\n%s %s\n' "$size" $glyphs "${2:-dump}" "$tmp/$1-$size-$glyphs.txt"
		done
	done
}

# Runs $tmp/script; it prints nothing on success.
play() { # options
	"$BUILD/wavedeck" "$@" --script "$tmp/script" >"$tmp/out" 2>&1 </dev/null
	local got=$?
	[ $got -ne 0 ] || [ ! -s "$tmp/out" ] || got=1
	result $got 'the script runs' "$tmp/out"
}

# Runs script lines: try expects success, end expects a status and a message.
try() { # what lines [options]
	end "$1" "$2" 0 '' "${@:3}"
}
end() { # what lines status pattern [options]
	printf '%b' "$2" | "$BUILD/wavedeck" "${@:5}" --script - >"$tmp/out" 2>&1
	local got=$?
	[ $got -eq "$3" ] && { [ -z "$4" ] || grep -qE "$4" "$tmp/out"; }
	result $? "$1" "$tmp/out"
}

# Filters what depends on the host out of a dump; scripts redefine it.
steady() { cat "$1"; } # file
# How long the next sweep takes depends on it: the words are left out, with the rest of the frame's edge.
without_times() { sed -E 's/( points?), (~[0-9]+ (s|min|h)|less than 1 s|time unknown) [^┛┘+]*/\1, (time) /' "$1"; }

same_file() { # name
	steady "$tmp/$1" >"$tmp/told" 2>/dev/null
	[ -z "${UPDATE:-}" ] || cp "$tmp/told" "$golden/$1"
	diff -u "$golden/$1" "$tmp/told" >"$tmp/diff" 2>&1
	result $? "${1%.txt}" "$tmp/diff"
}

same() { # states
	for state in "$@"; do
		for size in $sizes; do
			for glyphs in unicode ascii; do
				same_file "$state-$size-$glyphs.txt"
			done
		done
	done
}

finish() {
	echo "1..$n"
	exit $status
}
