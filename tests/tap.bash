# TAP for test scripts. A script sources this first, calls result or check for each test, and ends with finish.
# It runs in the root of the tree, with BUILD absolute and $tmp, a temporary folder that is removed at the end.
# shellcheck shell=bash
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
export LC_ALL=C.UTF-8
tap_count=0 tap_status=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

result() { # status, what, file to show if it failed ($tmp/log)
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_count - $2"
		return
	fi
	echo "not ok $tap_count - $2"
	tail -n 40 "${3:-$tmp/log}" 2>/dev/null | sed 's/^/# /'
	tap_status=1
}

check() { # what, the lines that contradict it
	printf '%s\n' "$2" >"$tmp/offending"
	[ -z "$2" ]
	result $? "$1" "$tmp/offending"
}

skip() { # what, why
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

finish() {
	echo "1..$tap_count"
	exit $tap_status
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
