# TAP for test scripts. A script sources this first, calls result, check or equal for each test, and ends with finish.
# It runs in the root of the tree, with BUILD absolute and $tmp, a temporary folder that is removed at the end.
# shellcheck shell=bash
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
export LC_ALL=C.UTF-8
# The scripts share the kernels that they compile. One that tests the cache itself has its own.
export XDG_CACHE_HOME=$BUILD/tests/cache
tap_count=0 tap_status=0
# shellcheck disable=SC2034 # seconds for a program or an event, on a busy machine too
patience=600
# make exports the compiler; a script that runs without make finds it here.
if [ -z "${CLANG:-}" ]; then
	set -a
	eval "$(./toolchain.sh)"
	set +a
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Prints details of a failed test. A script may define its own version.
details() { # file: the third argument of result, or $tmp/log
	tail -n 40 "$1"
}

result() { # status, what, file with details for a failed test ($tmp/log)
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_count - $2"
		return
	fi
	echo "not ok $tap_count - $2"
	details "${3:-$tmp/log}" 2>/dev/null | sed 's/^/# /'
	tap_status=1
}

# Without this, the first workbench on a terminal shows the tour.
skip_tour() { # the user's data folder
	mkdir -p "$1/wavedeck" && : >"$1/wavedeck/tour-shown"
}

check() { # what, the lines that contradict it
	printf '%s\n' "$2" >"$tmp/offending"
	[ -z "$2" ]
	result $? "$1" "$tmp/offending"
}

equal() { # what, expected, actual
	printf "expected '%s', got '%s'\n" "$2" "$3" >"$tmp/offending"
	[ "$2" = "$3" ]
	result $? "$1" "$tmp/offending"
}

skip() { # what, why
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# Waits until a command succeeds, at most two minutes: enough on a busy machine.
wait_until() { # command
	local end=$((SECONDS + 120))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.02
	done
}

finish() {
	echo "1..$tap_count"
	exit $tap_status
}

# Prints the values of a column of a CSV file, separated by spaces.
csv_column() { # name, file
	awk -F, -v name="$1" '
		/^#|^wavedeck: / { next }
		!at { for (k = 1; k <= NF; k++) if ($k == name) at = k; next }
		{ printf "%s%s", sep, $at; sep = " " }' "$2"
}

# Files of the tree that match patterns, as git sees them; without git, as find does.
tree_files() { # patterns
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files -co --exclude-standard -- "$@"
	else
		for pattern in "$@"; do
			find . -path ./build -prune -o -path "./$pattern" -type f -print | sed 's|^\./||'
		done
	fi | sort -u | while IFS= read -r file; do
		[ ! -f "$file" ] || printf '%s\n' "$file"
	done
}
