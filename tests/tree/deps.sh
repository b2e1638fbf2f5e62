#!/usr/bin/env bash
# deps.sh chooses packages that the machine's lists have, says what it installs and how, and does nothing where everything
# is there. On machines made of links and small scripts. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=machine.bash
. tests/tree/machine.bash
base_tools+=(env rm)

distribution() { # name, ID, ID_LIKE
	printf 'PRETTY_NAME="%s"\nID=%s\nID_LIKE="%s"\n' "$1" "$2" "$3" >"$machine/etc/os-release"
}

# Commands that change the system are written to $machine/commands.
# shellcheck disable=SC2016
privileges() { # user number, sudo or nothing
	add_program bin/id "echo $1"
	[ -z "${2:-}" ] || add_program bin/sudo 'printf "sudo " >>"$WAVEDECK_SYSROOT/commands"; exec "$@"'
}

# shellcheck disable=SC2016
add_apt() { # packages of the lists
	echo "$@" >"$machine/lists"
	add_program bin/apt-cache '[ "$1" = policy ] || exit 1' 'shift' 'for name; do' \
		'	case " $(cat "$WAVEDECK_SYSROOT/lists") " in' \
		'	*" $name "*) printf "%s:\n  Installed: (none)\n  Candidate: 1.0\n" "$name" ;;' \
		'	*) printf "%s:\n  Candidate: (none)\n" "$name" ;;' '	esac' 'done'
	add_program bin/apt-get 'echo "apt-get $*" >>"$WAVEDECK_SYSROOT/commands"' \
		'case $1 in update) [ ! -f "$WAVEDECK_SYSROOT/mirror" ] || cat "$WAVEDECK_SYSROOT/mirror" >"$WAVEDECK_SYSROOT/lists" ;;' \
		'install) [ ! -f "$WAVEDECK_SYSROOT/stale" ] || { rm "$WAVEDECK_SYSROOT/stale"; exit 100; } ;; esac'
	add_program bin/dpkg-query 'for name; do :; done' 'case " $(cat "$WAVEDECK_SYSROOT/installed" 2>&1) " in' \
		'*" $name "*) echo "install ok installed" ;; *) exit 1 ;; esac'
}

says() { # what, run or check, exit status, text, commands
	rm -f "$machine/commands"
	on_machine env ./deps.sh "$2" >"$tmp/text" 2>&1
	echo "exit status $?" >>"$tmp/text"
	[ ! -f "$machine/commands" ] || cat "$machine/commands" >>"$tmp/text"
	{ [ -z "$4" ] || printf '%s\n' "$4"; echo "exit status $3"; [ -z "${5:-}" ] || printf '%s\n' "$5"; } |
		diff - "$tmp/text" >"$tmp/log"
	result $? "$1"
}

# What the lists of all Debians and Ubuntus have.
common='gcc g++ make pkg-config libc6-dev libncurses-dev libffi-dev liblua5.4-dev libjansson-dev libmd4c-dev libdw-dev libiberty-dev zlib1g-dev libzstd-dev libmicrohttpd-dev libqrencode-dev libarchive-dev
libcmocka-dev tmux procps csmith libcsmith-dev groff-base clang-format shellcheck rocminfo rocm-smi hipcc
libhsa-runtime64-1 librocm-smi64-1'
llvm() { # versions
	local version
	for version; do echo "clang-$version lld-$version llvm-$version"; done | tr '\n' ' '
}
hip() { # major version
	echo "libamdhip64-$1 libhiprtc-builtins$1 libamdhip64-dev"
}
# Packages in the order of the table.
to_build='gcc make pkg-config libc6-dev libncurses-dev libffi-dev liblua5.4-dev libjansson-dev libmd4c-dev libdw-dev libiberty-dev zlib1g-dev libzstd-dev libmicrohttpd-dev libqrencode-dev libarchive-dev'
to_test='libcmocka-dev g++ hipcc rocminfo rocm-smi tmux procps csmith libcsmith-dev groff-base'
install='apt-get install -y -qq --no-install-recommends'

debian() { # name, ID, packages of LLVM and HIP
	empty_machine
	distribution "$1" "$2" debian
	# shellcheck disable=SC2086
	add_apt $common "${@:3}"
}

debian_12() {
	# shellcheck disable=SC2046
	debian 'Debian GNU/Linux 12 (bookworm)' debian $(llvm 13 14 15 16) rocm-device-libs $(hip 5)
}
run_12="clang-15 lld-15 rocm-device-libs libamdhip64-5 libamdhip64-dev libhiprtc-builtins5 libhsa-runtime64-1 $to_build"
check_12="clang-15 lld-15 rocm-device-libs llvm-15 libamdhip64-5 libamdhip64-dev libhiprtc-builtins5 libhsa-runtime64-1 $to_build $to_test"
debian_12
privileges 0
says 'Debian 12, root, run' run 0 "installing as root: $run_12 librocm-smi64-1" "$install $run_12 librocm-smi64-1"
says 'Debian 12, root, check' check 0 "installing as root: $check_12 librocm-smi64-1 clang-format shellcheck" \
	"$install $check_12 librocm-smi64-1 clang-format shellcheck"
privileges 1000 sudo
says 'Debian 12, sudo' run 0 "installing with sudo: $run_12 librocm-smi64-1" "sudo $install $run_12 librocm-smi64-1"
touch "$machine/stale"
says 'the lists are read again if the installation fails' run 0 "installing with sudo: $run_12 librocm-smi64-1
reading the package lists again with sudo, because the installation failed" "sudo $install $run_12 librocm-smi64-1
sudo apt-get update -qq
sudo $install $run_12 librocm-smi64-1"
rm "$machine/bin/sudo"
says 'Debian 12, neither root nor sudo' run 1 \
	"packages are missing; run as root: apt-get install --no-install-recommends $run_12 librocm-smi64-1"

debian_13='clang-17 lld-17 rocm-device-libs-17 libamdhip64-5 libamdhip64-dev libhiprtc-builtins5 libhsa-runtime64-1'
# shellcheck disable=SC2046
debian 'Debian GNU/Linux 13 (trixie)' debian $(llvm 17 18 19) rocm-device-libs-17 $(hip 5)
privileges 0
says 'Debian 13' run 0 "installing as root: $debian_13 $to_build librocm-smi64-1" "$install $debian_13 $to_build librocm-smi64-1"
echo "libffi-dev gcc clang-17" >"$machine/installed"
some=$(echo "$debian_13 $to_build" | sed 's/clang-17 //; s/gcc //; s/libffi-dev //')
says 'packages that are there are not installed' run 0 "installing as root: $some librocm-smi64-1" "$install $some librocm-smi64-1"

sid='clang-21 lld-21 rocm-device-libs-21 libamdhip64-6 libamdhip64-dev libhiprtc-builtins6 libhsa-runtime64-1'
# shellcheck disable=SC2046
debian 'Debian GNU/Linux forky/sid' debian $(llvm 17 18 19 20 21 22 23) rocm-device-libs-21 $(hip 5) $(hip 6) libamd-smi27
privileges 0
says 'Debian sid' run 0 "installing as root: $sid $to_build librocm-smi64-1" "$install $sid $to_build librocm-smi64-1"

# shellcheck disable=SC2046
debian 'Ubuntu 22.04.5 LTS' ubuntu $(llvm 11 12 13 14 15) rocm-device-libs
privileges 1000 sudo
says 'Ubuntu 22.04 has no HIP' run 1 "reading the package lists again with sudo; not in them: hip, hip-headers, hiprtc
not in the package lists of Ubuntu 22.04.5 LTS: hip, hip-headers, hiprtc; run apt-get update as root, or add AMD's ROCm repository" \
	'sudo apt-get update -qq'
amd='rocm-llvm rocm-device-libs hip-runtime-amd hip-dev hsa-rocr'
# shellcheck disable=SC2046,SC2086
debian 'Ubuntu 22.04.5 LTS' ubuntu $(llvm 11 12 13 14 15) rocm-smi-lib $amd
privileges 1000 sudo
says "Ubuntu 22.04 with AMD's repository" run 0 "installing with sudo: $amd $to_build rocm-smi-lib" \
	"sudo $install $amd $to_build rocm-smi-lib"

# shellcheck disable=SC2046
debian 'Ubuntu 24.04.1 LTS' ubuntu $(llvm 14 15 16 17 18) rocm-device-libs-17 $(hip 5)
privileges 1000 sudo
says 'Ubuntu 24.04' run 0 "installing with sudo: $debian_13 $to_build librocm-smi64-1" "sudo $install $debian_13 $to_build librocm-smi64-1"

ubuntu_26='clang-21 lld-21 rocm-device-libs-21 libamdhip64-7 libamdhip64-dev libhiprtc-builtins7 libhsa-runtime64-1'
# shellcheck disable=SC2046
debian 'Ubuntu 26.04 LTS' ubuntu $(llvm 18 19 20 21 rocm) rocm-device-libs-21 amd-device-libs-rocm $(hip 7)
privileges 1000 sudo
says 'Ubuntu 26.04' run 0 "installing with sudo: $ubuntu_26 $to_build librocm-smi64-1" "sudo $install $ubuntu_26 $to_build librocm-smi64-1"
# shellcheck disable=SC2046
add_apt $common $(llvm 18 19 20 21 rocm) amd-device-libs-rocm $(hip 7)
ubuntu_rocm=$(echo "$ubuntu_26" | sed 's/rocm-device-libs-21/amd-device-libs-rocm/; s/-21/-rocm/g')
says "only Ubuntu's build of ROCm's LLVM has device libraries" run 0 "installing with sudo: $ubuntu_rocm $to_build librocm-smi64-1" \
	"sudo $install $ubuntu_rocm $to_build librocm-smi64-1"

# A clean system has empty lists.
debian_12
cp "$machine/lists" "$machine/mirror"
echo >"$machine/lists"
privileges 0
needs='compiler, linker, device-libraries, hip, hip-headers, hiprtc, hsa, gcc, make, pkg-config, c-headers, ncurses, ffi, lua, jansson, md4c, libdw, iberty, zlib, zstd, microhttpd, qrencode, libarchive'
says 'empty package lists, root' run 0 "reading the package lists again as root; not in them: $needs
installing as root: $run_12 librocm-smi64-1" "apt-get update -qq
$install $run_12 librocm-smi64-1"
echo >"$machine/lists"
privileges 1000
says 'empty package lists, neither root nor sudo' run 1 "not in the package lists of Debian GNU/Linux 12 (bookworm): $needs; run apt-get update as root, or add AMD's ROCm repository"

# Other distributions.
other() { # name, ID, ID_LIKE
	empty_machine
	distribution "$1" "$2" "$3"
	privileges 1000 sudo
}
other 'Fedora Linux 44' fedora ''
says 'Fedora' run 1 'packages are missing; run as root: dnf install rocm-clang rocm-lld rocm-device-libs rocm-hip rocm-hip-devel rocm-runtime gcc make pkgconf-pkg-config glibc-devel ncurses-devel libffi-devel lua-devel jansson-devel md4c-devel elfutils-devel binutils-devel zlib-devel libzstd-devel libmicrohttpd-devel qrencode-devel libarchive-devel rocm-smi'
other 'AlmaLinux 10' almalinux 'rhel centos fedora'
says 'a relative of Fedora, check' check 1 'packages are missing; run as root: dnf install rocm-clang rocm-lld rocm-device-libs rocm-llvm rocm-hip rocm-hip-devel rocm-runtime gcc make pkgconf-pkg-config glibc-devel ncurses-devel libffi-devel lua-devel jansson-devel md4c-devel elfutils-devel binutils-devel zlib-devel libzstd-devel libmicrohttpd-devel qrencode-devel libarchive-devel libcmocka-devel libquadmath-devel gcc-c++ hipcc rocminfo rocm-smi tmux procps-ng csmith csmith-devel groff-base openssh-clients openssh-server slurm-slurmctld slurm-slurmd slurm munge clang-tools-extra ShellCheck'
other 'Arch Linux' arch ''
says 'Arch' run 1 'packages are missing; run as root: pacman -S rocm-llvm rocm-device-libs hip-runtime-amd hsa-rocr gcc make pkgconf glibc ncurses libffi lua54 jansson md4c libelf binutils zlib zstd libmicrohttpd qrencode libarchive rocm-smi-lib'
other 'openSUSE Tumbleweed' opensuse-tumbleweed 'opensuse suse'
says 'openSUSE' run 1 'packages are missing; run as root: zypper install rocm-clang rocm-lld rocm-device-libs rocm-hip-devel libhsa-runtime64-1 gcc make pkg-config glibc-devel ncurses-devel libffi-devel lua54-devel libjansson-devel md4c-devel libdw-devel binutils-devel zlib-devel libzstd-devel libmicrohttpd-devel qrencode-devel libarchive-devel librocm_smi64_1'
other 'Void Linux' void ''
says 'a distribution that is not in the table' run 1 "packages are missing; install what provides these on Void Linux (share/packages.tsv lists packages): compiler linker device-libraries hip hip-headers hiprtc hsa gcc make pkg-config c-headers ncurses ffi lua jansson md4c libdw iberty zlib zstd microhttpd qrencode libarchive smi"

# Everything is there, by itself or below /opt/rocm: nothing is read, asked for or installed.
provide() { # the third column of the table
	local name=${1#*:}
	name=${name%%|*}
	case $1 in
	program:*) add_program "bin/$name" ;;
	header:*) add_file "usr/include/$name" ;;
	library:*) add_file "$libraries/$name.1" ;;
	esac
}
provide_all() { # folder of libraries
	libraries=$1
	while IFS=$'\t' read -r _ _ found _; do provide "$found"; done < <(grep -v '^#' share/packages.tsv)
}
debian_12
privileges 1000 sudo
provide_all usr/lib/x86_64-linux-gnu
add_debian_llvm 15
add_bitcode usr/lib/x86_64-linux-gnu/amdgcn/bitcode 15
add_hip usr
add_program bin/hipcc
says 'nothing is missing, run' run 0 ''
says 'nothing is missing, check' check 0 ''
rm "$machine/bin/shellcheck" "$machine/usr/lib/x86_64-linux-gnu/librocm_smi64.so.1"
says 'only optional packages are missing' check 0 \
	'optional packages are missing; run: sudo apt-get install --no-install-recommends librocm-smi64-1 shellcheck'
rm "$machine/bin/tmux" "$machine/bin/llvm-mc-15" "$machine/usr/lib/llvm-15/bin/llvm-mc"
says 'make run needs less than make check' run 0 'optional packages are missing; run: sudo apt-get install --no-install-recommends librocm-smi64-1'
says 'tools have the version of the installed compiler' check 0 'installing with sudo: llvm-15 tmux librocm-smi64-1 shellcheck' \
	"sudo $install llvm-15 tmux librocm-smi64-1 shellcheck"
empty_machine
distribution 'Fedora Linux 44' fedora ''
privileges 1000
provide_all opt/rocm/lib
add_clang opt/rocm/llvm/bin/clang 19
for tool in lld llvm-mc; do add_program "opt/rocm/llvm/bin/$tool"; done
add_bitcode opt/rocm/amdgcn/bitcode 19
add_hip opt/rocm
add_program opt/rocm/bin/hipcc
says 'everything of ROCm is in /opt/rocm' check 0 ''
rm "$machine/bin/tmux"
says 'one package is missing' check 1 'packages are missing; run as root: dnf install tmux'
says 'a wrong target' all 2 "unknown target 'all'; use run or check"
finish
