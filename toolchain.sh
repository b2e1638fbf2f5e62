#!/bin/sh
# Finds the compiler for kernels and prints it as shell assignments, one a line:
#   CLANG, CLANGXX                        C and C++ driver: a name in PATH, or a path
#   BITCODE                               folder of the device libraries (ockl.bc)
#   ROCM_PATH                             folder with include/hip
#   LLD, LLVM_MC, LLVM_OBJDUMP, LLVM_OBJCOPY   tools of the same LLVM; empty: not installed
#   LLVM_VERSION                          its major version
#   HIPCC                                 HIP's compiler driver, which finds its own clang; empty: not installed
#   MISSING                               what was not found, with '_' for spaces; empty: nothing
# A value that is set in the environment stays as it is. `set -a; eval "$(./toolchain.sh)"; set +a` exports all.
#
# The first version of $versions that has device libraries counts, then ROCm's own clang, then a clang without device
# libraries. Device libraries of a newer LLVM are unreadable for clang, so a folder counts if clang reads it.
#   WAVEDECK_SYSROOT=DIR   looks for /usr and /opt below DIR; programs are looked for in PATH
set -u
root=${WAVEDECK_SYSROOT:-}
versions='15 17 16 18 19 20 21 22 23'
oldest=15 newest=23

major() { # compiler
	"$1" --version 2>/dev/null | sed -n 's/.*clang version \([0-9]*\)\..*/\1/p' | head -n 1
}

# Distributions without numbered names have one clang.
clang_of() { # version
	if command -v "clang-$1" >/dev/null; then
		echo "clang-$1"
	elif [ "$plain" = "$1" ]; then
		echo clang
	fi
}

rocm_folders() { # newest version first
	echo "$root/opt/rocm"
	ls -d "$root"/opt/rocm-[0-9]* "$root"/opt/rocm/core-[0-9]* 2>/dev/null | sort -Vr
}

rocm_clang() {
	for folder in $(rocm_folders) "$root/usr/lib64/rocm" "$root/usr/lib/rocm"; do
		for file in "$folder/llvm/bin/clang" "$folder/lib/llvm/bin/clang"; do
			[ ! -x "$file" ] || { echo "$file"; return; }
		done
	done
	! command -v amdclang >/dev/null || echo amdclang
}

bin_folder() { # compiler
	file=$(command -v "$1") && dirname "$(readlink -f "$file")"
}

# The folders that belong to this compiler, then those of the distribution, then ROCm's.
bitcode_folders() { # compiler, version
	bin=$(bin_folder "$1")
	for folder in "$root/usr/lib/llvm-$2" "$bin/.." "$root/usr"; do
		for resource in "$folder/lib/clang/$2" "$folder/lib/clang/$2".* "$folder/lib64/clang/$2"; do
			echo "$resource/amdgcn/bitcode"
			echo "$resource/lib/amdgcn/bitcode"
		done
	done
	echo "$bin/../../amdgcn/bitcode"
	echo "$bin/../../../amdgcn/bitcode"
	for folder in lib/x86_64-linux-gnu lib64 lib share .; do
		echo "$root/usr/$folder/amdgcn/bitcode"
	done
	rocm_folders | sed 's|$|/amdgcn/bitcode|'
}

bitcode_of() { # compiler, version
	bitcode_folders "$1" "$2" | while read -r folder; do
		[ -f "$folder/ockl.bc" ] || continue
		"$1" -x ir -target amdgcn-amd-amdhsa -nogpulib -emit-llvm -c -o /dev/null "$folder/ockl.bc" 2>/dev/null ||
			continue
		realpath "$folder"
		break
	done
}

# Sets clang, version and bitcode.
find_compiler() {
	first='' first_version=''
	plain=$(major clang)
	for version in $versions rocm; do
		[ "$version" = rocm ] && clang=$(rocm_clang) || clang=$(clang_of "$version")
		[ -n "$clang" ] || continue
		version=$(major "$clang")
		[ -n "$version" ] && [ "$version" -ge $oldest ] || continue
		bitcode=${BITCODE:-$(bitcode_of "$clang" "$version")}
		[ -z "$bitcode" ] || return
		[ -n "$first" ] || first=$clang first_version=$version
	done
	clang=$first version=$first_version
}

cxx_of() { # compiler: clang-15, clang++-15 or /opt/rocm/llvm/bin/clang
	name=$(basename "$1")
	cxx=${1%"$name"}$(echo "$name" | sed 's/clang\(++\)\{0,1\}/clang++/')
	command -v "$cxx" >/dev/null && echo "$cxx" || echo "$1"
}

tool_of() { # name
	[ -n "$clang" ] || return
	if command -v "$1-$version" >/dev/null; then
		echo "$1-$version"
	elif [ -x "$(bin_folder "$clang")/$1" ]; then
		echo "$(bin_folder "$clang")/$1"
	fi
}

# HIP's headers: those of a ROCm that has the compiler, else the distribution's, else ROCm's.
hip_folder() {
	case $clang in "$root"/opt/rocm*) echo "$clang" | sed 's|/\(lib/\)\{0,1\}llvm/bin/.*||' ;; esac
	echo "$root/usr"
	rocm_folders
}

find_hip() {
	hip_folder | while read -r folder; do
		[ ! -f "$folder/include/hip/hip_version.h" ] || { echo "$folder"; break; }
	done
}

if [ -n "${CLANG:-}" ]; then
	clang=$CLANG version=$(major "$CLANG")
	bitcode=${BITCODE:-$(bitcode_of "$clang" "$version")}
else
	bitcode=''
	find_compiler
fi
rocm=${ROCM_PATH:-$(find_hip)}
hipcc=$(command -v hipcc || { [ -z "$rocm" ] || [ ! -x "$rocm/bin/hipcc" ] || echo "$rocm/bin/hipcc"; })
# clang looks for lld in its own folder, then in PATH.
lld=${LLD:-$(tool_of lld)}
[ -n "$lld" ] || lld=$(command -v lld)
missing=''
if [ -z "$clang" ]; then
	missing="clang_${oldest}_to_$newest"
elif [ -z "$version" ]; then
	missing=$(basename "$clang")
elif [ -z "$bitcode" ]; then
	missing="device_libraries_for_$(basename "$clang")"
elif [ -z "$lld" ]; then
	missing="lld_for_$(basename "$clang")"
elif [ -z "$rocm" ]; then
	missing='headers_of_HIP'
fi

echo "CLANG=$clang"
echo "CLANGXX=${CLANGXX:-${clang:+$(cxx_of "$clang")}}"
echo "BITCODE=$bitcode"
echo "ROCM_PATH=$rocm"
echo "LLD=$lld"
echo "LLVM_MC=${LLVM_MC:-$(tool_of llvm-mc)}"
echo "LLVM_OBJDUMP=${LLVM_OBJDUMP:-$(tool_of llvm-objdump)}"
echo "LLVM_OBJCOPY=${LLVM_OBJCOPY:-$(tool_of llvm-objcopy)}"
echo "LLVM_VERSION=${LLVM_VERSION:-$version}"
echo "HIPCC=${HIPCC:-$hipcc}"
echo "MISSING=$missing"
