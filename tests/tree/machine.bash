# A machine made of links and small scripts, for tests of toolchain.sh and deps.sh: $machine/usr and $machine/opt have
# the files, $machine/bin is the PATH. Source tests/tap.bash first.
# shellcheck shell=bash disable=SC2154
unset CLANG CLANGXX BITCODE ROCM_PATH LLD LLVM_MC LLVM_OBJDUMP LLVM_OBJCOPY LLVM_VERSION HIPCC MISSING
machine=$tmp/machine
base_tools=(sh sed awk grep cut tr cat head sort ls dirname basename readlink realpath)

empty_machine() {
	rm -rf "$machine"
	mkdir -p "$machine/bin" "$machine/usr" "$machine/etc"
	for tool in "${base_tools[@]}"; do ln -s "$(command -v "$tool")" "$machine/bin/$tool"; done
}

on_machine() { # command
	PATH=$machine/bin WAVEDECK_SYSROOT=$machine "$@"
}

add_program() { # path below the machine, lines of the script
	mkdir -p "$(dirname "$machine/$1")"
	printf '#!%s\n' "$machine/bin/sh" >"$machine/$1"
	printf '%s\n' "${@:2}" >>"$machine/$1"
	chmod +x "$machine/$1"
}

add_file() { # path below the machine
	mkdir -p "$(dirname "$machine/$1")"
	: >"$machine/$1"
}

# A compiler that says its version and reads device libraries of this version and older ones.
add_clang() { # path, version
	# shellcheck disable=SC2016
	add_program "$1" "version=$2" 'case $1 in --version) echo "clang version $version.0.6"; exit ;; esac' \
		'for file; do :; done; [ "$(cat "$file")" -le "$version" ]'
}

# Device libraries made by a version of LLVM.
add_bitcode() { # folder, version
	mkdir -p "$machine/$1"
	echo "$2" >"$machine/$1/ockl.bc"
}

# Debian's clang-N, lld-N and llvm-N.
add_debian_llvm() { # version
	add_clang "usr/lib/llvm-$1/bin/clang" "$1"
	local tool
	for tool in lld llvm-mc llvm-objdump llvm-objcopy; do add_program "usr/lib/llvm-$1/bin/$tool"; done
	ln -s clang "$machine/usr/lib/llvm-$1/bin/clang++"
	for tool in clang clang++ lld llvm-mc llvm-objdump llvm-objcopy; do
		ln -s "../usr/lib/llvm-$1/bin/$tool" "$machine/bin/$tool-$1"
	done
}

add_hip() { # folder
	add_file "$1/include/hip/hip_version.h"
}
