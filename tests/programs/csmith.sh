#!/usr/bin/env bash
# csmith's random C programs, compiled for the host and for gfx900 at -O0, -O1 and -O3 from the same source, give the same
# checksum. TAP, a line per seed.
#   csmith.sh [FIRST [LAST [LEAST]]]   seeds FIRST to LAST; LEAST of them must have been compared
# Left out, and counted:
#   slow       the program does not end on the host (gcc -O0) within HOST_SECONDS, as many of csmith's do not at all, or not
#              within DEVICE_SECONDS on the software GPU
#   undefined  two host compilers disagree: csmith's programs are meant to be free of undefined behaviour, not proven so
#   compiler   clang 15 does not compile it for gfx900, or wrongly: its AMDGPU back end divides 64-bit integers of 25 to 32
#              significant bits by 24-bit floats; without that expansion, at every level, the checksums are the same
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${BUILD:-build}" && pwd)
work=$build/tests/programs/csmith
HOST_SECONDS=2 DEVICE_SECONDS=120
host_flags="-w -ffp-contract=off -I$here/include"
device_flags="-x c -target amdgcn-amd-amdhsa -mcpu=gfx900 -ffreestanding -nogpulib -w -ffp-contract=off
-I$here/include -idirafter /usr/include -Xclang -mlink-bitcode-file -Xclang $work/kernel.bc"

# Packed structures, bit-fields and volatiles in four seeds out of five, float in one out of four, built-in functions in one
# out of three.
options() { # seed
	echo "--no-argc --concise --max-funcs $((3 + $1 % 6)) --max-block-depth $((3 + $1 % 3))"
	[ $(($1 % 4)) -eq 0 ] && echo "--float"
	[ $(($1 % 5)) -eq 0 ] && echo "--no-volatiles --no-bitfields --no-packed-struct"
	[ $(($1 % 3)) -eq 0 ] && echo "--builtins"
}

on_host() { # seconds, program, compiler and level
	local seconds=$1 program=$2
	shift 2
	# shellcheck disable=SC2086
	"$@" $host_flags -o "$program.x" "$program.c" "$here/csmith_host.c" 2>"$program.log" || { echo "host: $* fails"; return; }
	timeout "$seconds" "$program.x" || echo "status $?"
	rm -f "$program.x"
}

on_device() { # program, level, further flags
	local program=$1 level=$2
	shift 2
	# shellcheck disable=SC2086
	clang-15 $device_flags "$level" "$@" -o "$program$level.co" "$program.c" 2>"$program.log" || { echo "compiler"; return; }
	timeout $DEVICE_SECONDS "$build/softgpu-run" -g 1 -b 1 -d 1 "$program$level.co" run buf:4096 >"$program$level.log" 2>&1
	local status=$?
	[ $status -eq 124 ] && { echo "slow"; return; }
	[ $status -eq 0 ] || { echo "status $status: $(tail -n 1 "$program$level.log")"; return; }
	tail -n 1 "$program$level.log"
}

# Why the device's checksum is another than the host's: 'out REASON' or 'differs WHAT'.
explain() { # program, level, host's checksum, device's
	local compiler
	case $4 in slow|compiler) echo "out $4"; return ;; esac
	for compiler in 'gcc -O3' 'clang-15 -O0' 'clang-15 -O3'; do
		# shellcheck disable=SC2086
		[ "$(on_host 60 "$1" $compiler)" = "$3" ] || { echo "out undefined"; return; }
	done
	for level in -O0 -O1 -O3; do
		[ "$(on_device "$1" $level -mllvm -amdgpu-codegenprepare-disable-idiv-expansion)" = "$3" ] ||
			{ echo "differs at $2: host $3, device $4"; return; }
	done
	echo "out compiler"
}

# csmith leaves a file platform.info where it runs.
# Prints 'out REASON', 'same CHECKSUM' or 'differs WHAT' for a seed; what differs stays in the work folder.
seed() {
	local p=$work/$1 host got
	# shellcheck disable=SC2046
	cd "$work" && timeout 20 csmith --seed "$1" $(options "$1") >"$p.c" 2>"$p.log" || { echo "out csmith"; return; }
	host=$(on_host $HOST_SECONDS "$p" gcc -O0)
	case $host in status*) echo "out slow"; return ;; host*) echo "out host"; return ;; esac
	for level in -O0 -O1 -O3; do
		got=$(on_device "$p" $level)
		[ "$got" = "$host" ] || { explain "$p" $level "$host" "$got"; return; }
	done
	echo "same $host"
	rm -f "$p".* "$p"-*
}

if [ "${1:-}" = seed ]; then
	echo "$2 $(seed "$2")"
	exit
fi

first=${1:-1} last=${2:-24} least=${3:-20}
command -v csmith >/dev/null && [ -f /usr/include/csmith/safe_math.h ] || { echo "not ok 1 - csmith is installed"; exit 1; }
rm -rf "$work" && mkdir -p "$work"
clang-15 -x hip -nogpuinc -nogpulib --offload-arch=gfx900 --offload-device-only --no-gpu-bundle-output -O1 -emit-llvm -c \
	-o "$work/kernel.bc" "$here/csmith_kernel.hip" || { echo "not ok 1 - the kernel compiles"; exit 1; }
# shellcheck disable=SC2016
seq "$first" "$last" | BUILD=$build xargs -P "$(nproc)" -n 1 "$0" seed >"$work/results"
sort -n "$work/results" | awk -v least="$least" '
	$2 == "same"    { print "ok " ++n " - seed " $1 ": " $3 }
	$2 == "differs" { sub(/ differs/, ""); print "not ok " ++n " - seed " $0; failed++ }
	$2 == "out"     { out[$3]++; left++ }
	END {
		print "# " n + 0 " seeds compared at three levels, " failed + 0 " differ; left out: " out["slow"] + 0 " slow, " \
			out["undefined"] + 0 " undefined, " out["compiler"] + 0 " compiler, " out["host"] + out["csmith"] + 0 " not made"
		print (n - failed >= least ? "ok " : "not ok ") ++n " - at least " least " seeds with the same checksum"
		print (out["compiler"] * 50 <= n ? "ok " : "not ok ") ++n " - at most one in fifty left out for the compiler"
		print "1.." n
		exit failed > 0 || n - 2 < least || out["compiler"] * 50 > n
	}'
