#!/usr/bin/env bash
# The style of the sources: clang-format for C and C++, shellcheck for scripts. A tool that is missing is skipped in a
# line that says so; other versions of clang-format than the one named in .clang-format format differently. TAP.
cd "$(dirname "$0")/../.." || exit 1
n=0 status=0
check() { # what, offending lines
	n=$((n + 1))
	if [ -z "$2" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; printf '%s\n' "$2" | head -n 40 | sed 's/^/# /'; status=1; fi
}
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; } # what, why
files() { # patterns
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then git ls-files -co --exclude-standard -- "$@"; else
		for pattern in "$@"; do find . -path ./build -prune -o -path "./$pattern" -print | sed 's|^\./||'; done
	fi | sort -u | while IFS= read -r f; do [ -f "$f" ] && printf '%s\n' "$f"; done
}

version=$(sed -n '1s/.*clang-format \([0-9]*\).*/\1/p' .clang-format)
formatter=$(command -v "clang-format-$version" || command -v clang-format)
if [ -n "$formatter" ] && "$formatter" --version | grep -q "version $version\."; then
	check 'C sources are formatted (make format)' \
		"$(files '*.c' '*.h' 'tests/*.cpp' | tr '\n' '\0' | xargs -0 "$formatter" --dry-run 2>&1 | grep warning | cut -d' ' -f1)"
else
	skip 'C sources are formatted' "clang-format $version is not installed"
fi
if command -v shellcheck >/dev/null; then
	check 'shellcheck has no warning about a script' \
		"$(files '*.sh' '*.bash' .ci/run | tr '\n' '\0' | xargs -0 shellcheck -S warning -f gcc 2>&1)"
else
	skip 'shellcheck has no warning about a script' 'shellcheck is not installed'
fi
echo "1..$n"
exit $status
