#!/usr/bin/env bash
# Includes point only downward; each vendor library is known to the fewest files; each header compiles alone. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"

# A room, and what it may include: path prefixes (*.def: tables alone; !PREFIX: but not that). A file belongs to the
# longest room its path begins with; a room may always include itself. From the bottom of the tree to its top; a line
# with = names a group, which @NAME stands for below it.
rooms=$(cat <<'ROOMS'
base
softgpu/isa
softgpu/models
softgpu/abi
core =                  softgpu/isa softgpu/models softgpu/core softgpu/*.def softgpu/probe.h base/min_max.h base/host/usable_cores.h
softgpu/core            @core
softgpu/core/timing     @core !softgpu/core/jit !softgpu/core/issue
softgpu/capture         @core
softgpu/driver          @core softgpu/capture softgpu/abi base/trace base/elf base/metadata
softgpu/run             @core softgpu/capture base/elf
softgpu                 softgpu/stall_reasons.def
kernels                 base softgpu/isa
kernels/reference       base kernels/reference
gpu/protocol            base kernels softgpu/stall_reasons.def softgpu/ideal_parts.def
link =                  base kernels gpu/protocol softgpu/probe.h
gpu/softgpu-link        @link
gpu/backends            @link gpu/softgpu-link
gpu/backends/aql        @link gpu/softgpu-link gpu/backends softgpu/abi
gpu/clocks              @link gpu/softgpu-link gpu/backends
gpu/remote              @link gpu/softgpu-link
gpu/worker              @link gpu/softgpu-link gpu/backends gpu/clocks gpu/remote
gpu/controller          @link gpu/softgpu-link gpu/backends gpu/remote
plot                    base
sessions                base plot gpu/protocol
front =                 base plot sessions kernels gpu/protocol gpu/controller gpu/remote gpu/softgpu-link gpu/backends gpu/clocks softgpu/isa
experiments/definition  @front
experiments/draft       base gpu/protocol kernels
experiments/sweep       @front experiments/definition
experiments/analysis    @front experiments/definition experiments/sweep
experiments/course      @front experiments/definition experiments/sweep experiments/analysis
captures                @front experiments
checks                  @front softgpu/*.def
cli                     @front experiments captures checks gpu/worker/worker.h softgpu/*.def
tui/toolkit             base plot
tui/classroom           base plot tui/toolkit
tui/lab                 @front experiments captures checks tui/toolkit
tui/shell               @front experiments captures checks tui/toolkit tui/lab
view =                  @front experiments captures checks tui/toolkit tui/lab tui/shell
tui/views/workbench     @view
tui/views/code          @view
tui/views/inspector     @view
tui/views/lessons       @view tui/classroom
tui/views/sessions      @view
tui/views/table         @view
tui/views/heatmap       @view
tui/views/roofline      @view
tui/views/workers       @view
tui/views/program       @view
tui/views/checks        @view
tui/views/what_if       @view
tui/views/devices       @view
tui/views/help          @view
tui/views/glossary      @view
tui/views/log           @view
tui/views/views.c       tui/lab tui/views
ROOMS
)
includes=$(grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' base softgpu kernels gpu plot sessions experiments captures checks cli tui |
	sed -E 's/^([^:]*):[0-9]+:[^"]*"([^"]*)".*/\1 \2/')
bad=$(printf '%s\n' "$includes" | awk -v rooms="$rooms" '
	function begins(path, prefix) { return path == prefix || index(path, prefix "/") == 1 }
	BEGIN {
		lines = split(rooms, line, "\n")
		for (i = 1; i <= lines; i++) {
			words = split(line[i], word, " ")
			list = ""
			for (k = 2; k <= words; k++)
				if (word[k] != "=") list = list " " (word[k] ~ /^@/ ? group[substr(word[k], 2)] : word[k])
			if (word[2] == "=") { group[word[1]] = list; continue }
			name[++count] = word[1]; may[count] = list
		}
	}
	{
		file = $1; path = $2; room = 0
		if (path !~ /\//) { folder = file; sub(/[^\/]*$/, "", folder); path = folder path }
		for (i = 1; i <= count; i++)
			if (begins(file, name[i]) && (!room || length(name[i]) > length(name[room]))) room = i
		if (!room) { print file " is in no room"; next }
		ok = begins(path, name[room]); forbidden = 0
		words = split(may[room], word, " ")
		for (i = 1; i <= words; i++) {
			prefix = word[i]
			if (prefix ~ /^!/) { if (begins(path, substr(prefix, 2))) forbidden = 1; continue }
			if (prefix ~ /\*\.def$/) {
				sub(/\*\.def$/, "", prefix)
				if (index(path, prefix) == 1 && path ~ /\.def$/) ok = 1
				continue
			}
			sub(/\/$/, "", prefix)
			if (begins(path, prefix)) ok = 1
		}
		if (!ok || forbidden) print name[room] "|" file " includes " path
	}')
for room in $(printf '%s\n' "$rooms" | awk '$2 != "=" { print $1 }'); do
	check "$room includes only what lies below it" "$(printf '%s\n' "$bad" | grep "^$room|" | cut -d'|' -f2)"
done
check 'every source file is in a room' "$(printf '%s\n' "$bad" | grep 'is in no room')"

# The rooms of softgpu/core from the bottom up, and the files that include a higher one all the same: a list that may
# only get shorter.
core_rooms='state check timing memory image jit exec profile resident fast issue ops dispatch windows launch'
upward=$(cat <<'UPWARD'
memory/icache_fetch.c exec/decode_cache.h
memory/icache_fetch.c profile/profiler.h
memory/l1.c profile/profiler.h
memory/l1.c profile/wave_trace.h
memory/l2.h profile/profiler.h
memory/lds_timing.c profile/profiler.h
memory/scalar_memory.c profile/wave_trace.h
timing/waitcnt.c profile/profiler.h
UPWARD
)
found=$(printf '%s\n' "$includes" | awk -v rooms="$core_rooms" '
	function level(path, parts) { split(path, parts, "/"); return parts[4] == "" ? 0 : height[parts[3]] }
	BEGIN { count = split(rooms, room, " "); for (i = 1; i <= count; i++) height[room[i]] = i }
	$1 ~ /^softgpu\/core\// && $2 ~ /^softgpu\/core\// && level($2) > level($1) {
		gsub(/softgpu\/core\//, ""); print
	}' | sort -u)
check 'in softgpu/core, only the listed includes point up' "$(diff <(sort <<<"$upward") <(echo "$found") | grep '^[<>]')"
check 'every folder of softgpu/core is in the order of its rooms' "$(for folder in softgpu/core/*/; do
	grep -qw "$(basename "$folder")" <<<"$core_rooms" || echo "$folder"
done)"

# What differs between the families of targets is a value (softgpu/isa/isa_family.h, softgpu/models/gpu_model.h). Elsewhere
# nothing asks which family or target it is, but for these lines: how many, and why. The list may only get shorter.
asks=$(cat <<'ASKS'
1 gpu/backends/backends.c              memory of a board under HIP: GDDR6 or HBM2
1 kernels/compile/device_libraries.c   the libraries of Debian 12 do not know gfx11
1 kernels/compile/objects/build_request.c -mcumode, which gfx9 has not
3 kernels/inspect/target_limits.c      targets that softgpu does not simulate
ASKS
)
question='\b(ISA_GFX|FAMILY_GFX|GFX[0-9]+\b|isa_is_wave32|(isa|gpu)_(family|target)_gfx)|strn?cmp\([^"]*"gfx[0-9]'
found=$(grep -rnE --include='*.[ch]' "$question" base softgpu kernels gpu plot sessions experiments captures checks cli tui wavedeck.c |
	grep -vE '^softgpu/(isa|models|core/ops)/' | cut -d: -f1 | sort | uniq -c | awk '{ print $1, $2 }')
check 'only the listed lines ask for a family or target by its name' \
	"$(diff <(awk '{ print $1, $2 }' <<<"$asks" | sort -k2) <(sort -k2 <<<"$found") | grep '^[<>]')"

# Files that call each other in a circle, from the symbols of their objects. Those compiled several times count once.
calls() { # "D FILE NAME" for each function or table defined, "U FILE NAME" for each used
	find "$BUILD/pic/softgpu/core" -name '*.o' | while read -r object; do
		file=${object#"$BUILD/pic/"}
		file=$(sed -E 's/\.(base|v3|v4)\.o$|\.[a-z0-9_]+\.(base|v3|v4)\.o$|_any_mode\.[a-z0-9_]+\.o$|\.o$//' <<<"$file")
		[ ! -f "$file.c" ] || nm "$object" | awk -v file="$file" 'NF == 3 && $2 ~ /[TDR]/ { print "D", file, $3 }
			NF == 2 { print "U", file, $2 }'
	done
}
circle=$(calls | awk '
	$1 == "D" { home[$3] = $2; files[$2] }
	$1 == "U" { use[++uses] = $2 " " $3 }
	END {
		for (i = 1; i <= uses; i++) { split(use[i], u, " "); if (u[2] in home) reach[u[1], home[u[2]]] }
		for (k in files) for (i in files) if ((i, k) in reach) for (j in files) if ((k, j) in reach) reach[i, j]
		for (i in files) {
			n = 0; with = ""
			for (j in files) if (i == j || ((i, j) in reach && (j, i) in reach)) { n++; with = with " " j }
			if (n > most) { most = n; list = with }
		}
		for (i in files) count++
		print most, count, list
	}')
read -r most count list <<<"$circle"
check 'the calls of softgpu/core were found' "$([ "$count" -ge 60 ] || echo "$circle")"
check 'in softgpu/core, at most 4 files call each other in a circle' "$([ "$most" -le 4 ] || echo "$list")"

within() { # what, header pattern, files that may include it
	check "$1" "$(grep -rlE --include='*.[ch]' "^[[:space:]]*#[[:space:]]*include[[:space:]]+[<\"]($2)" \
		base softgpu kernels gpu plot sessions experiments captures checks cli tui | while read -r file; do
		case " $3 " in *" $file "*) ;; *) echo "$file" ;; esac
	done)"
}
within 'curses is known to one file' 'n?curses' 'tui/toolkit/terminal.c'
within 'libffi is known to one file' 'ffi\.h' 'gpu/worker/reference/reference_call.c'
within 'Lua is known to the files named after it' 'lua\.h|lauxlib|lualib' "$(echo experiments/definition/lua/*)"
within 'libdw is known to two files' 'dwarf\.h|elfutils/|libelf' 'kernels/inspect/source_map.c kernels/inspect/debug_lines.c'
within 'the decompressors are known to one file' 'zlib\.h|zstd\.h' 'base/elf/offload_unpack.c'
within 'libiberty is known to one file' 'libiberty/' 'kernels/inspect/readable_name.c'
within 'libarchive is known to captures' 'archive(_entry)?\.h' "$(echo captures/*)"
within 'HIP headers are known to one file' 'hip/' 'gpu/backends/hip_runtime.c'
within 'rocm_smi headers are known to one file' 'rocm_smi/' 'gpu/backends/smi/smi_rocm.c'
within 'amd_smi headers are known to one file' 'amd_smi/' 'gpu/backends/smi/smi_amd.c'

# Fields of records that several rooms read have an accessor in gpu/protocol; files that spell one all the same when
# they read an object, most of them another object with a field of that name: a list that may only get shorter.
fields=$(grep -ohE '"[a-z_]+"\)' gpu/protocol/point_record.c gpu/protocol/header_record.c | tr -d '")' | sort -u)
spelled=$(cat <<'SPELLED'
cli/batch/command_batch_task.c verify
cli/batch/fleet_table.c metrics
cli/run/resumed_session.c counters
cli/run/resumed_session.c verify
experiments/analysis/code_model.c contract
experiments/analysis/session_extras.c params
experiments/course/lesson_axes.c metrics
experiments/definition/point/point_job.c counters
gpu/backends/replay.c job
gpu/backends/replay.c point
gpu/controller/worker_records.c status
gpu/worker/received_content.c error
gpu/worker/worker.c job
sessions/join/session_join.c point
sessions/load/session_columns.c counters
SPELLED
)
reads="(json_object_get|record_get_(text|integer|reading))\\([^\";]*, *\"($(paste -sd'|' <<<"$fields"))\"\\)"
found=$(find base kernels gpu plot sessions experiments captures checks cli tui wavedeck.c -name '*.[ch]' -not -path 'gpu/protocol/*' | while IFS= read -r file; do
	tr '\n\t' '  ' <"$file" | grep -oE "$reads" | sed -E "s|.*\"([a-z_]+)\"\\)|$file \1|"
done | sort -u)
check 'fields of records were found' "$([ "$(wc -l <<<"$fields")" -ge 25 ] || echo "$fields")"
check 'only gpu/protocol and the listed files spell the fields of records' \
	"$(diff <(sort <<<"$spelled") <(echo "$found") | grep '^[<>]')"

# Those of the executor are compiled with the flags of its files. Newer compilers stop at an undeclared function.
strict='-std=gnu11 -D_GNU_SOURCE -Werror=implicit-function-declaration'
bad=$(find base softgpu kernels gpu plot sessions experiments captures checks cli tui -name '*.h' | while read -r header; do
	case $header in softgpu/core/ops/*) flags='-DLANES=32 -DGFX11=1 -DEXECUTOR=gfx11_wave32 -DVARIANT=base' ;; *) flags= ;; esac
	# shellcheck disable=SC2086 # several flags
	echo "#include \"$header\"" |
		${CC:-gcc} $strict $flags -I. -I/usr/include/lua5.4 -fsyntax-only -x c - 2>/dev/null || echo "$header"
done)
check 'each header compiles alone' "$bad"
finish
