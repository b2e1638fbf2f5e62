#!/usr/bin/env bash
# Includes point only downward; each vendor library is known to the fewest files; each header compiles alone.
cd "$(dirname "$0")/../.." || exit 1
n=0 status=0
check() { # what, offending lines
	n=$((n + 1))
	if [ -z "$2" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; printf '%s\n' "$2" | sed 's/^/# /'; status=1; fi
}

# folder -> what it may include (as path prefixes)
allowed() {
	case $1 in
	base) echo 'base/' ;;
	softgpu) echo 'softgpu/' ;;
	kernels) echo 'kernels/ base/ softgpu/isa/' ;;
	gpu) echo 'gpu/ base/ kernels/ softgpu/probe.h' ;;
	plot) echo 'plot/ base/' ;;
	sessions) echo 'sessions/ base/ plot/ gpu/record.h' ;;
	experiments) echo 'experiments/ sessions/ plot/ gpu/ kernels/ base/ softgpu/isa/' ;;
	tui) echo 'tui/ experiments/ sessions/ plot/ gpu/ kernels/ base/ softgpu/isa/' ;;
	esac
}
for folder in base softgpu kernels gpu plot sessions experiments tui; do
	bad=$(grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' $folder | while IFS= read -r line; do
		file=${line%%:*} path=$(printf '%s' "$line" | sed 's/^[^"]*"\([^"]*\)".*/\1/')
		case $path in */*) ;; *) path=$(dirname "$file")/$path ;; esac
		for prefix in $(allowed $folder); do case $path in "$prefix"*) continue 2 ;; esac; done
		echo "$file includes $path"
	done)
	check "$folder includes only what lies below it" "$bad"
done

within() { # what, header pattern, files that may include it
	local found=$(grep -rlE --include='*.[ch]' "^[[:space:]]*#[[:space:]]*include[[:space:]]+[<\"]($2)" base softgpu kernels gpu plot sessions experiments tui)
	local bad=$(for f in $found; do case " $3 " in *" $f "*) ;; *) echo "$f" ;; esac; done)
	check "$1" "$bad"
}
within 'curses is known to one file' 'n?curses' 'tui/term.c'
within 'libffi is known to one file' 'ffi\.h' 'gpu/ffi.c'
within 'Lua is known to the files named after it' 'lua\.h|lauxlib|lualib' "$(echo experiments/lua_*)"
within 'libdw is known to one file' 'dwarf\.h|elfutils/|libelf' 'kernels/source_map.c'
within 'HIP headers are known to one file' 'hip/' 'gpu/hip.c'
within 'rocm_smi headers are known to one file' 'rocm_smi/' 'gpu/smi.c'

bad=$(for h in $(find base softgpu kernels gpu plot sessions experiments tui -name '*.h'); do
	echo "#include \"$h\"" | ${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -I. -I/usr/include/lua5.4 -fsyntax-only -x c - 2>/dev/null || echo "$h"
done)
check 'each header compiles alone' "$bad"
echo "1..$n"
exit $status
