#!/usr/bin/env bash
# A test or a benchmark that is built alone is compiled again when a header changes that it includes, also if its file of
# dependencies was lost or names the object of another folder. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=tree_copy.bash
. tests/tree/tree_copy.bash
details() { tail -n 20 "$1"; }
copy_tree
result 0 'the tree is copied'

write_header() { echo "#define SMALL_TEXT \"$1\"" >"$tree/tests/$folder/small.h"; }
says() { [ "$("$tree/build/$target")" = "$1" ]; }
builds() { # number of files that are compiled
	build_copy "$1" "build/$target" && [ "$(grep -c '^  CC ' "$tmp/log")" -eq "$1" ]
}
for target in tests/plot/test_small tests/bench/bench_small; do
	folder=$(basename "$(dirname "$target")")
	file=$tree/build/obj/$target.d
	mkdir -p "$tree/tests/$folder"
	write_header first
	printf '#include <stdio.h>\n#include "tests/%s/small.h"\nint main(void)\n{\n\treturn puts(SMALL_TEXT) < 0;\n}\n' "$folder" >"$tree/$target.c"
	builds 1 && says first
	result $? "$target is built alone"
	builds 0 && says first
	result $? 'nothing changed: nothing is compiled'
	write_header second
	builds 1 && says second
	result $? 'its header changed: it is compiled again'
	sed -i 's|^build/|/elsewhere/build/|' "$file" && write_header third
	builds 1 && says third
	result $? 'its dependencies name another folder: it is compiled again'
	grep -q '^build/' "$file" && builds 0
	result $? 'and once only'
	rm "$file" && write_header fourth
	builds 1 && says fourth
	result $? 'its dependencies are lost: it is compiled again'
done
finish
