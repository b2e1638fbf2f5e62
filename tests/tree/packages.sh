#!/usr/bin/env bash
# What is released: the tarball, the description of the Debian packages, and a program that needs few libraries. The
# packages are built by tests/distro/package.sh. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=tree_copy.bash
. "$(dirname "$0")/tree_copy.bash"

# --- make dist ---
version=$(sed -n 's/^VERSION := //p' Makefile)
if git rev-parse --verify -q HEAD >/dev/null; then
	make_dist() { make --no-print-directory BUILD="$tmp/$1" dist >>"$tmp/log" 2>&1; }
	make_dist one && make_dist two; result $? 'make dist'
	cmp "$tmp/one/wavedeck-$version.tar.gz" "$tmp/two/wavedeck-$version.tar.gz" >"$tmp/log" 2>&1
	result $? 'makes the same bytes twice'
	tar -tzf "$tmp/one/wavedeck-$version.tar.gz" | grep -v '/$' | sed "s|^wavedeck-$version/||" | sort >"$tmp/packed"
	check 'with all files of the commit' "$(git ls-tree -r --name-only HEAD | sort | diff - "$tmp/packed" | tail -n +2)"
else
	make --no-print-directory BUILD="$tmp/one" dist >"$tmp/log" 2>&1
	[ $? -eq 2 ] && grep -q '^make dist: not a git clone; ' "$tmp/log"; result $? 'make dist needs a git clone, and reports that'
fi

# --- debian/ ---
equal 'debian/changelog has the version of the Makefile' "$version" "$(sed -n '1s/^wavedeck (\(.*\)) .*/\1/p' debian/changelog)"
check 'debian/copyright has the text of LICENSE' "$(sed -n '/^Permission/,$p' LICENSE |
	diff - <(sed -n '/^ Permission/,$p' debian/copyright | sed 's/^ //; s/^\.$//'))"
same_list() { # two files: prints how they differ, or that they are empty
	[ -s "$1" ] || echo 'an empty list'
	diff "$1" "$2"
}
alternatives() { # need: its packages in share/packages.tsv, one a line
	awk -F'\t' -v need="$1" '$1 == need { print $4 }' share/packages.tsv | tr '|' '\n' | sort
}
check 'the package depends on any HIP runtime that share/packages.tsv knows' \
	"$(sed -n 's/^Depends: \(lib.*\)/\1/p' debian/control | tr -d ' ,' | tr '|' '\n' | sort >"$tmp/control"; alternatives hip >"$tmp/known"; same_list "$tmp/known" "$tmp/control")"
check 'and recommends any library for clocks that it knows' \
	"$(sed -n 's/^ *\(librocm-smi64.*|.*\)/\1/p' debian/control | tr -d ' ,' | tr '|' '\n' | sort >"$tmp/control"; alternatives smi >"$tmp/known"; same_list "$tmp/known" "$tmp/control")"
check 'the build dependencies name the libraries that share/packages.tsv names' "$(for need in ncurses ffi lua jansson md4c libdw iberty zlib zstd libarchive; do
	packages=$(alternatives $need)
	[ -n "$packages" ] && sed -n '/^Build-Depends/,/^[A-Z]/p' debian/control | grep -qw "$packages" || echo "$need"
done)"

# --- STATIC_DEPS=1 ---
copy_tree
build_copy 0 STATIC_DEPS=1 build/wavedeck; result $? 'STATIC_DEPS=1 links the program again, and compiles nothing'
needed() { readelf -d "$tree/build/wavedeck" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
check 'it needs libc, ncurses and the copy of md4c' \
	"$(needed | grep -vE '^(libc|libm|ld-linux-x86-64|libncursesw|libtinfo|libmd4c|libasan|libubsan)\.so\.[0-9]+$')"
ldd "$tree/build/wavedeck" >"$tmp/log" && grep -q "libmd4c.so.0 => $(realpath "$tree")/build/bundled/" "$tmp/log"
result $? 'it finds the copy next to it'
"$tree/build/wavedeck" lesson >"$tmp/log" 2>&1; result $? 'it reads the lessons'
build_copy 0 build/wavedeck && [ -n "$(needed | grep '^liblua')" ]; result $? 'without STATIC_DEPS it is linked as before'
finish
