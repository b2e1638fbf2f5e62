#!/usr/bin/env bash
# Includes point only downward; each vendor library is known to the fewest files; each header compiles alone. TAP.
cd "$(dirname "$0")/../.." || exit 1
n=0 status=0
check() { # what, offending lines
	n=$((n + 1))
	if [ -z "$2" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; printf '%s\n' "$2" | sed 's/^/# /'; status=1; fi
}

# A room, and what it may include: path prefixes. A file belongs to the longest room its path begins with; a room may
# always include itself. Rooms stand from the bottom to the top of the tree.
rooms=$(grep -v '^#' <<'ROOMS'
base
softgpu/isa
softgpu/models
softgpu/core            softgpu/
softgpu/core/timing     softgpu/isa softgpu/models softgpu/core softgpu/*.def softgpu/probe.h !softgpu/core/jit
softgpu/driver          softgpu/isa softgpu/models softgpu/core softgpu/*.def softgpu/probe.h
softgpu/run             softgpu/isa softgpu/models softgpu/core softgpu/*.def softgpu/probe.h
softgpu                 softgpu/stall_reasons.def
kernels                 base softgpu/isa
kernels/reference       base kernels/reference
gpu/protocol            base kernels softgpu/stall_reasons.def
gpu/softgpu-link        base kernels gpu/protocol softgpu/probe.h
gpu/backends            base kernels gpu/protocol gpu/softgpu-link softgpu/probe.h
gpu/worker              base kernels gpu/protocol gpu/softgpu-link gpu/backends softgpu/probe.h
gpu/controller          base kernels gpu/protocol gpu/softgpu-link gpu/backends
plot                    base
sessions                base plot gpu/protocol
experiments/definition  base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels softgpu/isa
experiments/sweep       base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels experiments/definition
experiments/analysis    base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels softgpu/isa experiments/definition experiments/sweep
experiments/course      base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels experiments/definition experiments/sweep experiments/analysis
cli                     base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends gpu/worker/worker.h kernels softgpu/isa experiments
tui/toolkit             base plot
tui/lab                 base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels experiments tui/toolkit
tui/shell               base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels experiments tui/toolkit tui/lab
tui/views/workbench     base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels softgpu/isa experiments tui/toolkit tui/lab tui/shell
tui/views/code          base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels softgpu/isa experiments tui/toolkit tui/lab tui/shell
tui/views/inspector     base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels softgpu/isa experiments tui/toolkit tui/lab tui/shell
tui/views/lessons       base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels softgpu/isa experiments tui/toolkit tui/lab tui/shell
tui/views/sessions      base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels softgpu/isa experiments tui/toolkit tui/lab tui/shell
tui/views/devices       base plot sessions gpu/protocol gpu/controller gpu/softgpu-link gpu/backends kernels softgpu/isa experiments tui/toolkit tui/lab tui/shell
tui/views/views.c       tui/shell tui/views
ROOMS
)
includes=$(grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' base softgpu kernels gpu plot sessions experiments cli tui |
	sed -E 's/^([^:]*):[0-9]+:[^"]*"([^"]*)".*/\1 \2/')
bad=$(printf '%s\n' "$includes" | awk -v rooms="$rooms" '
	function begins(path, prefix) { return path == prefix || index(path, prefix "/") == 1 }
	BEGIN {
		count = split(rooms, line, "\n")
		for (i = 1; i <= count; i++) { split(line[i], word, " "); name[i] = word[1]; may[i] = line[i] }
	}
	{
		file = $1; path = $2; room = 0
		if (path !~ /\//) { folder = file; sub(/[^\/]*$/, "", folder); path = folder path }
		for (i = 1; i <= count; i++)
			if (begins(file, name[i]) && (!room || length(name[i]) > length(name[room]))) room = i
		if (!room) { print file " is in no room"; next }
		ok = begins(path, name[room]); forbidden = 0
		words = split(may[room], word, " ")
		for (i = 2; i <= words; i++) {
			prefix = word[i]
			if (prefix ~ /^!/) { if (begins(path, substr(prefix, 2))) forbidden = 1; continue }
			if (prefix ~ /\*\.def$/) { sub(/\*\.def$/, "", prefix); if (index(path, prefix) == 1 && path ~ /\.def$/) ok = 1; continue }
			sub(/\/$/, "", prefix)
			if (begins(path, prefix)) ok = 1
		}
		if (!ok || forbidden) print name[room] "|" file " includes " path
	}')
for room in $(printf '%s\n' "$rooms" | awk '{ print $1 }'); do
	check "$room includes only what lies below it" "$(printf '%s\n' "$bad" | grep "^$room|" | cut -d'|' -f2)"
done
check 'every source file is in a room' "$(printf '%s\n' "$bad" | grep 'is in no room')"

within() { # what, header pattern, files that may include it
	local found bad
	found=$(grep -rlE --include='*.[ch]' "^[[:space:]]*#[[:space:]]*include[[:space:]]+[<\"]($2)" base softgpu kernels gpu plot sessions experiments cli tui)
	bad=$(for f in $found; do case " $3 " in *" $f "*) ;; *) echo "$f" ;; esac; done)
	check "$1" "$bad"
}
within 'curses is known to one file' 'n?curses' 'tui/toolkit/terminal.c'
within 'libffi is known to one file' 'ffi\.h' 'gpu/worker/reference_call.c'
within 'Lua is known to the files named after it' 'lua\.h|lauxlib|lualib' "$(echo experiments/definition/lua/*)"
within 'libdw is known to one file' 'dwarf\.h|elfutils/|libelf' 'kernels/inspect/source_map.c'
within 'HIP headers are known to one file' 'hip/' 'gpu/backends/hip_runtime.c'
within 'rocm_smi headers are known to one file' 'rocm_smi/' 'gpu/backends/smi.c'

bad=$(find base softgpu kernels gpu plot sessions experiments cli tui -name '*.h' | while IFS= read -r h; do
	echo "#include \"$h\"" | ${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -I. -I/usr/include/lua5.4 -fsyntax-only -x c - 2>/dev/null || echo "$h"
done)
check 'each header compiles alone' "$bad"
echo "1..$n"
exit $status
