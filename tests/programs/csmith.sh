#!/usr/bin/env bash
# Random programs of csmith give the same checksum on the host and on the GPU at -O0, -O1 and -O3, and checks of kernels
# (softgpu-run -k) find nothing at -O3. TAP, with a line per seed, in the order in which the seeds finish.
#   csmith.sh [FIRST [LAST [LEAST]]]   seeds FIRST to LAST; at least LEAST of them must have been compared
#   TARGET=gfx900|gfx906|gfx908|gfx90a|gfx1100  compile for this target and run on its model
#   WAVE=32|64                         gfx1100: compile for waves of so many lanes (default: 32)
#   JOBS=N                             run N seeds at a time (default: one per core)
#   CHECKED='-O0 -O3'                  check at these levels ('' at none)
#   LANES=N                            N lanes of a wave run the program as C++, each with its own, different globals
# Skipped, and counted:
#   long       more than MOST basic blocks at gcc -O0 over all lanes: some programs never end
#   empty      fewer than FEWEST basic blocks in a lane: some programs do almost nothing
#   large      more than BYTES of source: clang takes minutes over some of them
#   slow       not finished within DEVICE_SECONDS on the software GPU
#   undefined  two host compilers disagree: csmith avoids undefined behavior, but does not guarantee it
#   compiler   clang does not compile it for the GPU, or miscompiles it: its AMDGPU back end divides 64-bit integers
#              of 25 to 32 significant bits with 24-bit floats; without that expansion the checksums are equal at every
#              level. For gfx1100, clang 15 computes addresses of variables on the stack (s32) with s_add_i32, which
#              writes SCC, between a compare and what reads SCC
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
here=$PWD/tests/programs
target=${TARGET:-gfx900} lanes=${LANES:-1}
what=$target wave_flags=
[ "${WAVE:-32}" -eq 32 ] || what="$target, waves of $WAVE" wave_flags=-mwavefrontsize64
levels='-O0 -O1 -O3'
[ "$LLVM_VERSION" = 17 ] && levels='-O1 -O2 -O3' # lowest_level of tests/toolchain.h
checked=${CHECKED--O3} checks=memory,init,race,barrier
[ "$lanes" -eq 1 ] || what="$what, $lanes lanes"
work=$BUILD/tests/programs/csmith-$target-$lanes-${WAVE:-}
BYTES=65536 FEWEST=1000 MOST=$((1500000 * (1 + lanes / 8))) HOST_SECONDS=60 DEVICE_SECONDS=300
case $target in gfx906) model=mi60 ;; gfx908) model=mi100 ;; gfx90a) model=mi210 ;; gfx1100) model=rx7900xtx ;; *) model=mi25 ;; esac
if [ "$lanes" -eq 1 ]; then
	kind=c host_compilers="gcc $CLANG"
	language='-x c'
else
	kind=cpp host_compilers="g++ $CLANGXX"
	language='-x c++ -std=gnu++17 -Wno-narrowing -fno-exceptions -fno-rtti -fno-threadsafe-statics'
fi
host_flags="$language -w -ffp-contract=off -I$here/include"
device_flags="$language -target amdgcn-amd-amdhsa -mcpu=$target $wave_flags -ffreestanding -nogpulib -w -ffp-contract=off
-I$here/include -idirafter /usr/include -Xclang -mlink-bitcode-file -Xclang $work/kernel.bc"

# Packed structures, bit-fields and volatiles in 4 of 5 seeds, floats in 1 of 4, built-in functions in 1 of 3.
options() { # seed
	echo "--no-argc --concise --max-funcs $((3 + $1 % 6)) --max-block-depth $((3 + $1 % 3))"
	[ $(($1 % 4)) -eq 0 ] && echo "--float"
	[ $(($1 % 5)) -eq 0 ] && echo "--no-volatiles --no-bitfields --no-packed-struct"
	[ $(($1 % 3)) -eq 0 ] && echo "--builtins"
	[ "$lanes" -eq 1 ] || echo "--lang-cpp --cpp11"
}

generate() { # seed, program; csmith writes platform.info to the current folder
	# shellcheck disable=SC2046
	cd "$work" && timeout 60 csmith --seed "$1" $(options "$1") >"$2.source" 2>"$2.log" || return
	if [ "$lanes" -eq 1 ]; then
		mv "$2.source" "$2.c"
	else
		awk -f "$here/csmith_lanes.awk" "$2.source" >"$2.cpp"
	fi
}

on_host() { # LEAST and MOST blocks or empty, program, compiler, level and more flags
	local limits=$1 program=$2
	shift 2
	# shellcheck disable=SC2086
	"$@" $host_flags -o "$program.x" "$program.$kind" -x none "$work/host.o" 2>"$program.log" || {
		echo "host: $* fails"
		return
	}
	# shellcheck disable=SC2086
	timeout $HOST_SECONDS "$program.x" "$lanes" $limits || echo "status $?"
	rm -f "$program.x"
}

compile() { # program, level, more flags
	local program=$1 level=$2
	shift 2
	# shellcheck disable=SC2086
	$CLANG $device_flags "$level" "$@" -o "$program$level.co" "$program.$kind" 2>"$program.log"
}

run_compiled() { # program, level, more options of softgpu-run
	local program=$1 level=$2
	shift 2
	timeout $DEVICE_SECONDS "$BUILD/softgpu-run" "$@" -m $model -g "$lanes" -b "$lanes" -d "$lanes" "$program$level.co" \
		run buf:4096 >"$program$level.log" 2>&1
	local status=$?
	[ $status -eq 124 ] && { echo "slow"; return; }
	[ $status -eq 0 ] || { echo "status $status: $(grep -v '^cycles\|^buffer' "$program$level.log" | head -n 1)"; return; }
	sed '1,/^buffer/d' "$program$level.log"
}

on_device() { # program, level, more flags
	if compile "$@"; then run_compiled "$1" "$2"; else echo "compiler"; fi
}

# Whether the machine code of a difference adds to the stack pointer while SCC holds the result of a compare.
loses_compare() { # code object
	"$LLVM_OBJDUMP" -d --mcpu="$target" "$1" | awk '
		/^\ts_(cmp|bitcmp)/ { compared = 1; lost = 0 }
		compared && $1 == "s_add_i32" && $3 == "s32," { lost = 1 }
		/^\ts_(cselect|cmov|cbranch_scc)/ { found = found || (compared && lost); compared = 0 }
		END { exit !found }'
}

# Explains a difference between device and host: prints 'out REASON' or 'differs WHAT'.
explain() { # program, level, host's checksums, device's
	local compiler level
	case $4 in slow|compiler) echo "out $4"; return ;; esac
	for compiler in $host_compilers; do
		for level in -O0 -O3; do
			[ "$(on_host "" "$1" "$compiler" $level)" = "$3" ] || { echo "out undefined"; return; }
		done
	done
	loses_compare "$1$2.co" && { echo "out compiler"; return; }
	for level in $levels; do
		[ "$(on_device "$1" $level -mllvm -amdgpu-codegenprepare-disable-idiv-expansion)" = "$3" ] ||
			{ echo "differs at $2: host $3, device $4" | tr '\n' ' '; return; }
	done
	echo "out compiler"
}

# Prints 'out REASON', 'same CHECKSUM' or 'differs WHAT' for a seed. Files of a difference stay in the work folder.
seed() {
	local p=$work/$1 host got
	generate "$1" "$p" || { echo "out csmith"; return; }
	[ "$(wc -c <"$p.$kind")" -le $BYTES ] || { echo "out large"; return; }
	host=$(on_host "$((FEWEST * lanes)) $MOST" "$p" "${host_compilers%% *}" -O0 -fsanitize-coverage=trace-pc)
	case $host in *"status 4") echo "out empty"; return ;; esac
	case $host in *status*) echo "out long"; return ;; host*) echo "out host"; return ;; esac
	for level in $levels; do
		got=$(on_device "$p" $level)
		[ "$got" = "$host" ] || { explain "$p" $level "$host" "$got"; return; }
		[[ " $checked " = *" $level "* ]] || continue
		got=$(run_compiled "$p" "$level" -k $checks)
		[ "$got" = slow ] && { echo "out slow"; return; }
		[ "$got" = "$host" ] || { echo "differs when checked at $level: host $host, device $got" | tr '\n' ' '; return; }
	done
	# shellcheck disable=SC2086
	set -- $host
	echo "same $# $1"
	rm -f "$p".* "$p"-*
}

if [ "${1:-}" = seed ]; then
	echo "$2 $(seed "$2")"
	exit
fi

first=${1:-1} last=${2:-24} least=${3:-10} # tests/long/csmith.sh has hundreds
if ! command -v csmith >/dev/null || [ ! -f /usr/include/csmith/safe_math.h ]; then
	result 1 'csmith is installed'
	finish
fi
rm -rf "$work" && mkdir -p "$work"
if ! gcc -O1 -c -o "$work/host.o" "$here/csmith_host.c" || ! kernels/in_scratch.sh "$CLANG" -x hip -nogpuinc -nogpulib \
	--offload-arch=$target $wave_flags --offload-device-only --no-gpu-bundle-output -O1 -emit-llvm -c \
	-o "$work/kernel.bc" "$here/csmith_kernel.hip"; then
	result 1 'csmith_host.c and csmith_kernel.hip compile'
	finish
fi

# Counts the outcomes and prints a line per seed.
same=0 checksums=0 differ=0 left=0
declare -A out=()
while read -r number outcome rest; do
	case $outcome in
	same)
		same=$((same + 1)) checksums=$((checksums + 3 * ${rest% *}))
		result 0 "seed $number on $what: ${rest#* }"
		;;
	differs)
		differ=$((differ + 1))
		result 1 "seed $number on $what $rest"
		;;
	*) left=$((left + 1)) out[$rest]=$((${out[$rest]:-0} + 1)) ;;
	esac
done < <(seq "$first" "$last" | xargs -P "${JOBS:-$(nproc)}" -n 1 "$here/csmith.sh" seed)
skipped=$(for reason in "${!out[@]}"; do echo "${out[$reason]} $reason"; done | sort -rn | paste -sd, | sed 's/,/, /g')
echo "# $what: $((same + differ)) seeds x 3 levels: $checksums checksums equal, $differ seeds differ;" \
	"$left skipped: ${skipped:-none}"
[ $same -ge "$least" ]
result $? "at least $least seeds with the same checksum on $what"
[ $((${out[compiler]:-0} * 50)) -le $((same + 50)) ]
result $? "at most one in fifty skipped because of the compiler on $what"
finish
