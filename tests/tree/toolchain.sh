#!/usr/bin/env bash
# toolchain.sh finds the compiler, the device libraries made for it and its tools, on machines made of links. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=machine.bash
. tests/tree/machine.bash

finds() { # what, expected lines; further arguments: variables of the environment
	local what=$1 expected=$2
	shift 2
	on_machine env "$@" ./toolchain.sh 2>&1 | sed "s|$machine||g" >"$tmp/found"
	printf '%s\n' "$expected" | diff - "$tmp/found" >"$tmp/log"
	result $? "$what"
}
base_tools+=(env)

tools() { # suffix
	printf 'LLVM_MC=llvm-mc%s\nLLVM_OBJDUMP=llvm-objdump%s\nLLVM_OBJCOPY=llvm-objcopy%s' "$1" "$1" "$1"
}
rocm_tools() { # folder
	printf 'LLD=%s/lld\nLLVM_MC=%s/llvm-mc\nLLVM_OBJDUMP=%s/llvm-objdump\nLLVM_OBJCOPY=%s/llvm-objcopy' "$1" "$1" "$1" "$1"
}
nothing='CLANG=
CLANGXX=
BITCODE=
ROCM_PATH=
LLD=
LLVM_MC=
LLVM_OBJDUMP=
LLVM_OBJCOPY=
LLVM_VERSION=
HIPCC=
MISSING=clang_15_to_23'

empty_machine
finds 'nothing' "$nothing"

empty_machine
add_debian_llvm 14
finds 'clang 14 is too old' "$nothing"

debian_12() {
	add_debian_llvm 15
	add_bitcode usr/lib/x86_64-linux-gnu/amdgcn/bitcode 15
	add_hip usr
}
in_debian_12="CLANG=clang-15
CLANGXX=clang++-15
BITCODE=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
ROCM_PATH=/usr
LLD=lld-15
$(tools -15)
LLVM_VERSION=15
HIPCC=
MISSING="
empty_machine
debian_12
finds 'Debian 12' "$in_debian_12"
for version in 14 17 19; do add_debian_llvm $version; done
finds 'Debian 12 with other compilers' "$in_debian_12"

empty_machine
add_debian_llvm 17
add_bitcode usr/lib/llvm-17/lib/clang/17/amdgcn/bitcode 17
add_hip usr
in_debian_13="CLANG=clang-17
CLANGXX=clang++-17
BITCODE=/usr/lib/llvm-17/lib/clang/17/amdgcn/bitcode
ROCM_PATH=/usr
LLD=lld-17
$(tools -17)
LLVM_VERSION=17
HIPCC=
MISSING="
finds 'Debian 13' "$in_debian_13"
add_debian_llvm 15
add_debian_llvm 19
finds 'a compiler with device libraries before an older one without' "$in_debian_13"
add_program bin/hipcc
finds 'hipcc' "$(printf '%s\n' "$in_debian_13" | sed 's|^HIPCC=.*|&/bin/hipcc|')"

empty_machine
add_debian_llvm 21
add_bitcode usr/lib/llvm-21/lib/clang/21/amdgcn/bitcode 21
add_hip usr
finds 'clang 21' "$(printf '%s\n' "$in_debian_13" | sed s/17/21/g)"

empty_machine
add_debian_llvm 15
add_bitcode usr/lib/x86_64-linux-gnu/amdgcn/bitcode 17
add_hip usr
without_libraries="CLANG=clang-15
CLANGXX=clang++-15
BITCODE=
ROCM_PATH=/usr
LLD=lld-15
$(tools -15)
LLVM_VERSION=15
HIPCC=
MISSING=device_libraries_for_clang-15"
finds 'device libraries that the compiler cannot read do not count' "$without_libraries"

rocm() { # folder of ROCm, version of LLVM
	local tool
	add_clang "$1/llvm/bin/clang" "$2"
	for tool in lld llvm-mc llvm-objdump llvm-objcopy; do add_program "$1/llvm/bin/$tool"; done
	ln -s clang "$machine/$1/llvm/bin/clang++"
	add_bitcode "$1/amdgcn/bitcode" "$2"
	add_hip "$1"
	add_program "$1/bin/hipcc"
}
in_rocm() { # folder, version
	echo "CLANG=$1/llvm/bin/clang
CLANGXX=$1/llvm/bin/clang++
BITCODE=$1/amdgcn/bitcode
ROCM_PATH=$1
$(rocm_tools "$1/llvm/bin")
LLVM_VERSION=$2
HIPCC=$1/bin/hipcc
MISSING="
}
empty_machine
rocm opt/rocm 19
finds 'only /opt/rocm' "$(in_rocm /opt/rocm 19)"
add_debian_llvm 15
finds 'ROCm before a compiler without device libraries' "$(in_rocm /opt/rocm 19)"

empty_machine
rocm opt/rocm-6.4.3 19
rocm opt/rocm-10.1.0 23
finds 'the newest ROCm' "$(in_rocm /opt/rocm-10.1.0 23)"

empty_machine
rocm usr/lib/rocm 20
rm -r "$machine/usr/lib/rocm/bin" "$machine/usr/lib/rocm/include"
finds "the headers of HIP are missing" "$(in_rocm /usr/lib/rocm 20 |
	sed 's|^ROCM_PATH=.*|ROCM_PATH=|; s|^HIPCC=.*|HIPCC=|; s|^MISSING=|&headers_of_HIP|')"
add_hip usr
finds "the distribution's build of ROCm's LLVM" "$(in_rocm /usr/lib/rocm 20 | sed 's|^ROCM_PATH=.*|ROCM_PATH=/usr|; s|^HIPCC=.*|HIPCC=|')"

# Distributions without numbered names.
empty_machine
add_clang bin/clang 19
add_clang bin/clang++ 19
for tool in ld.lld lld llvm-mc llvm-objdump llvm-objcopy; do add_program "bin/$tool"; done
add_bitcode usr/lib/clang/19/amdgcn/bitcode 19
add_hip usr
finds 'clang without a number' "CLANG=clang
CLANGXX=clang++
BITCODE=/usr/lib/clang/19/amdgcn/bitcode
ROCM_PATH=/usr
$(rocm_tools /bin)
LLVM_VERSION=19
HIPCC=
MISSING="

empty_machine
debian_12
rm "$machine/bin/lld-15" "$machine/usr/lib/llvm-15/bin/lld"
finds 'the linker is missing' "$(printf '%s\n' "$in_debian_12" | sed 's/^LLD=.*/LLD=/; s/^MISSING=/&lld_for_clang-15/')"

empty_machine
debian_12
add_debian_llvm 17
finds 'a compiler from the environment, with its own tools' "CLANG=clang-17
CLANGXX=clang++-17
BITCODE=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
ROCM_PATH=/usr
LLD=lld-17
$(tools -17)
LLVM_VERSION=17
HIPCC=
MISSING=" CLANG=clang-17
finds 'values of the environment stay' "$(printf '%s\n' "$in_debian_12" |
	sed 's|^BITCODE=.*|BITCODE=/mine|; s|^LLVM_MC=.*|LLVM_MC=my-mc|')" BITCODE=/mine LLVM_MC=my-mc
finds 'a compiler from the environment that does not run' "$(printf '%s\n' "$nothing" |
	sed 's|^CLANG.*|&clang-99|; s|^ROCM_PATH=|&/usr|; s|^MISSING=.*|MISSING=clang-99|')" CLANG=clang-99

# make says what is missing in one line.
empty_machine
ln -s "$(command -v make)" "$(command -v nproc)" "$(command -v find)" "$machine/bin/"
on_machine env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory programs >"$tmp/log" 2>&1
equal 'make without a compiler' '*** clang 15 to 23 not found; run: make deps.  Stop.' "$(sed 's/^Makefile:[0-9]*: //' "$tmp/log")"
finish
