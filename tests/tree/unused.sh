#!/usr/bin/env bash
# Functions of the product that nothing in the product calls: those that no object file of the build needs and that the
# sources name only where they declare and define them. What only tests call belongs into the tests. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"

# Patterns of names, each with the reason: what other programs or tables call.
exceptions='act_.*                    the tables of keys name them without act_
softgpu_(leaks|stack)     programs ask what kernels may access (probe.h)
eu_t.*|eu_search_tree_.*  static libraries of elfutils call them
__archive_write_.*        the static library libarchive calls it'

objects() { # the object files of sources that are still there, tests aside
	local object source
	find "$BUILD/obj" "$BUILD/pic" -name '*.o' | while IFS= read -r object; do
		source=${object#"$BUILD"/*/}
		[ ! -f "${source%.o}.c" ] || [ "${source#tests/}" != "$source" ] || echo "$object"
	done
}
# Programs call the functions of the C library, of HSA and of HIP that interpose/ and the hooks of check/ define.
defined=$(objects | grep -Ev '/softgpu/driver/(interpose/|check/hooks/)' | xargs nm --defined-only | awk '$2 == "T" { print $3 }' | sort -u)
needed=$(find "$BUILD/obj" "$BUILD/pic" -name '*.o' -not -path '*/tests/*' -print0 | xargs -0 nm -u |
	awk 'NF == 2 { print $2 }' | sort -u)
check 'functions were found' "$([ "$(wc -l <<<"$defined")" -ge 2000 ] || wc -l <<<"$defined")"
# How often the sources have each word.
words=$(tree_files '*.c' '*.h' '*.def' '*.inc' '*.S' | grep -v '^tests/' | tr '\n' '\0' |
	xargs -0 grep -ohE '[A-Za-z_][A-Za-z0-9_]*' | sort | uniq -c)
check 'the product calls each of its functions' "$(comm -23 <(echo "$defined") <(echo "$needed") |
	grep -vxE "$(cut -d' ' -f1 <<<"$exceptions" | paste -sd'|')" |
	awk 'NR == FNR { count[$2] = $1; next } count[$1] <= 2' <(echo "$words") -)"
finish
