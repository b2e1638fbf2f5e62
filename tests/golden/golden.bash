# Golden screens: each script dumps the screen of the program in several states, at each size and with both glyph sets,
# and compares the dumps with the files of the same names in tests/golden/SCRIPT.
#   UPDATE=1   writes those files again; look at the difference before you commit
# shellcheck shell=bash source=../tap.bash
. "$(dirname "${BASH_SOURCE[0]}")/../tap.bash"
golden=tests/golden/$(basename "$0" .sh) sizes='80x24 120x36 200x60'
export XDG_DATA_HOME=$tmp/data XDG_CONFIG_HOME=$tmp/config
details() { head -n 40 "$1"; }

# Prints script lines that dump the screen in its current state.
dumps() { # state, command (dump)
	for size in $sizes; do
		for glyphs in unicode ascii; do
			printf 'size %s\nglyphs %s\n%s %s\n' "$size" $glyphs "${2:-dump}" "$tmp/$1-$size-$glyphs.txt"
		done
	done
}

# Prints script lines that measure range-latency from 1 KiB up to a size. Its whole sweep takes eight seconds.
sweep_range() { # the largest size
	printf 'action param-enter rangesize\ntype 1KiB..%s\nkey Enter\nwait sweep %s\n' "$1" "$patience"
}

# Runs $tmp/script, which prints nothing on success.
play() { # options
	"$BUILD/wavedeck" "$@" --script "$tmp/script" >"$tmp/out" 2>&1 </dev/null
	local got=$?
	[ $got -ne 0 ] || [ ! -s "$tmp/out" ] || got=1
	result $got 'the script runs' "$tmp/out"
}

# Runs script lines, which contain their expectations.
try() { # what, lines, options
	try_exit "$1" "$2" 0 '' "${@:3}"
}
# Runs script lines, which must exit with the status and print a text that matches the pattern.
try_exit() { # what, lines, status, pattern, options
	printf '%b' "$2" | "$BUILD/wavedeck" "${@:5}" --script - >"$tmp/out" 2>&1
	local got=$?
	[ $got -eq "$3" ] && { [ -z "$4" ] || grep -qE "$4" "$tmp/out"; }
	result $? "$1" "$tmp/out"
}

# Removes what depends on the host from a dump. Scripts whose screens contain such texts define their own version.
steady() { cat "$1"; } # file
# The estimated time of the next sweep depends on the host. It is removed with the rest of the frame's edge, and with the
# word before it, for which a long time leaves no room.
without_times() {
	sed -E 's/(next )?([0-9]+ points?), (~[0-9]+ (s|min|h)|less than 1 s|time unknown) [^┛┘+]*/\2, (time) /' "$1"
}
# The version of the compiler, and the padding after it, which depends on its length.
without_compiler() { sed -E 's/clang [0-9]+(\.[0-9]+)+\) */clang (version)) /' "$1"; }

same_screen() { # name
	steady "$tmp/$1" >"$tmp/steady" 2>/dev/null
	[ -z "${UPDATE:-}" ] || cp "$tmp/steady" "$golden/$1"
	diff -u "$golden/$1" "$tmp/steady" >"$tmp/diff" 2>&1
	result $? "${1%.txt}" "$tmp/diff"
}

same_screens() { # states
	for state in "$@"; do
		for size in $sizes; do
			for glyphs in unicode ascii; do
				same_screen "$state-$size-$glyphs.txt"
			done
		done
	done
}
