#!/usr/bin/env bash
# The style of the sources: clang-format for C and C++, shellcheck and the mode for scripts. A tool that is missing is
# skipped in a line with the reason; other versions of clang-format than the one named in .clang-format format
# differently. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"

version=$(sed -n '1s/.*clang-format \([0-9]*\).*/\1/p' .clang-format)
formatter=$(command -v "clang-format-$version" || command -v clang-format)
if [ -n "$formatter" ] && "$formatter" --version | grep -q "version $version\."; then
	report=$(tree_files '*.c' '*.h' 'tests/*.cpp' | tr '\n' '\0' | xargs -0 "$formatter" --dry-run 2>&1)
	check 'C sources are formatted (make format)' "$(grep warning <<<"$report" | cut -d' ' -f1)"
	check 'none of them looks like Objective-C to clang-format, which makes make format fail' \
		"$(grep 'not support' <<<"$report")"
else
	skip 'C sources are formatted' "clang-format $version is not installed"
fi
if command -v shellcheck >/dev/null; then
	check 'shellcheck has no warning about a script' \
		"$(tree_files '*.sh' '*.bash' .ci/run | tr '\n' '\0' | xargs -0 shellcheck -S warning -f gcc 2>&1)"
else
	skip 'shellcheck has no warning about a script' 'shellcheck is not installed'
fi
check 'scripts can be executed' "$(tree_files '*.sh' .ci/run 'debian/tests/*' debian/rules | grep -vx debian/tests/control |
	while IFS= read -r file; do [ -x "$file" ] || echo "$file"; done)"
finish
