#!/usr/bin/env bash
# The doctor, and what runs, on machines that lack something: each machine is a folder of links, $WAVEDECK_SYSROOT. The
# doctor names what is found, where, and the command that installs what is missing. toolchain.sh finds the same. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data XDG_CACHE_HOME=$tmp/cache XDG_CONFIG_HOME=/proc/none
unset WAVEDECK_CLANG # of make
set -a && eval "$("${BASH_SOURCE[0]%/*}/../../toolchain.sh")" && set +a
doctor_line() { awk -v name="$1" '$0 ~ "^[a-z]+ +" name " " { print; getline; if (/->/) print }' "$tmp/log"; }
# Where this machine has its libraries; the line is "ok NAME VERSION, PATH".
"$wavedeck" doctor >"$tmp/log" 2>&1
library() { doctor_line "$1" | sed -n 's/^ok .*, //p'; }
hip=$(library libamdhip64) hsa=$(library libhsa-runtime64) smi=$(library 'SMI library')
[ -n "$hip" ] && [ -n "$hsa" ] && [ -n "$smi" ]
result $? 'this machine has HIP, ROCr and an SMI library'

# --- machines ---
link() { # target, new name
	mkdir -p "$(dirname "$2")" && ln -sfn "$1" "$2"
}
link_compiler() { # new name
	link "$(command -v "$CLANG")" "$1"
}
link_libraries() { # folder, libraries
	local folder=$1 file
	shift
	for file; do link "$file" "$folder/$(basename "$file")"; done
}
link_headers() { # prefix
	link "$ROCM_PATH/include" "$1/include"
	[ ! -e "$ROCM_PATH/share/hip" ] || link "$ROCM_PATH/share/hip" "$1/share/hip"
}
# apt-cache prints the packages of $machine/packages.
make_machine() { # the name of a release
	machine=$tmp/machine
	rm -rf "$machine"
	mkdir -p "$machine/usr/bin" "$machine/etc"
	printf '%s\n' '#!/bin/sh' 'while read -r name; do' \
		'	for asked; do [ "$asked" != "$name" ] || echo "Package: $name"; done' \
		"done <$machine/packages" >"$machine/usr/bin/apt-cache"
	chmod +x "$machine/usr/bin/apt-cache"
	case $1 in
	debian-12) echo 'clang-15 clang-16 lld-15 lld-16 rocm-device-libs libamdhip64-5 libamdhip64-dev
		libhsa-runtime64-1 librocm-smi64-1' ;;
	debian-13) echo 'clang-17 clang-18 clang-19 lld-17 lld-18 lld-19 rocm-device-libs-17 libamdhip64-5 libamdhip64-dev
		libhsa-runtime64-1 librocm-smi64-1' ;;
	amd) echo 'clang-15 lld-15 rocm-device-libs libamdhip64-dev rocm-llvm hip-dev' ;; # AMD's repository on a Debian
	debian-sid) echo 'clang-17 clang-21 clang-22 lld-17 lld-21 lld-22 rocm-device-libs-21 libamdhip64-6 libamdhip64-dev
		libhsa-runtime64-1 libamd-smi27' ;;
	esac | tr -s ' \t' '\n' >"$machine/packages"
	case $1 in
	ubuntu) printf 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n' ;;
	fedora) printf 'ID=fedora\nVERSION_ID=43\n' ;;
	arch) printf 'ID=arch\n' ;;
	opensuse) printf 'ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n' ;;
	other) printf 'ID=plan9\n' ;;
	*) printf 'PRETTY_NAME="Debian GNU/Linux"\nID=debian\n' ;;
	esac >"$machine/etc/os-release"
}
make_whole_machine() {
	make_machine debian-12
	link_compiler "$machine/usr/bin/clang-$LLVM_VERSION"
	link "$(command -v "$LLD")" "$machine/usr/bin/lld"
	link "$(command -v "$LLD")" "$machine/usr/bin/ld.lld"
	link "$BITCODE" "$machine/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"
	link_headers "$machine/usr"
	link_libraries "$machine/usr/lib/x86_64-linux-gnu" "$hip" "$hsa" "$smi"
}
on_machine() { # command
	WAVEDECK_SYSROOT=$machine PATH=$machine/usr/bin "$@"
}
# Runs the doctor. A test's details are all its lines.
run_doctor() {
	rm -rf "$tmp/cache"
	on_machine "$wavedeck" doctor >"$tmp/log" 2>&1
	status=$?
}
row_is() { # what, row, extended regular expression for its line and the command below it, joined by a space
	doctor_line "$2" | tr '\n' ' ' | tr -s ' ' | sed 's/-> sudo /-> /' | grep -qE -- "$3"
	result $? "$1"
}
exits() { # status, what
	[ "$status" -eq "$1" ]
	result $? "$2"
}
measures() { # what, arguments of run
	local what=$1
	shift
	on_machine "$wavedeck" run "$@" --format csv >"$tmp/out" 2>"$tmp/log" && grep -qE '^[a-z0-9]+,.*,[1-9][0-9]*,ok(,|$)' "$tmp/out"
	result $? "$what"
}
refuses() { # status, what, words of the one line, arguments of run
	local expected=$1 what=$2 words=$3
	shift 3
	on_machine "$wavedeck" run "$@" >"$tmp/out" 2>"$tmp/log"
	[ $? -eq "$expected" ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && sed 's/: sudo /: /' "$tmp/log" | grep -qE -- "$words"
	result $? "$what"
}
prebuilt=(fma-waves threads=256)
compiled=(instruction-throughput op=fadd length=1024)

# --- everything is there ---
make_whole_machine
run_doctor
exits 0 'a whole machine: the doctor finds nothing missing'
row_is 'HIP: version and path' libamdhip64 "^ok libamdhip64 [0-9.]+, $machine/usr/lib/x86_64-linux-gnu/libamdhip64\.so"
row_is 'ROCr: version and path' libhsa-runtime64 "^ok libhsa-runtime64 [0-9.]+, $machine/usr/lib"
row_is 'the SMI library: which, version and path' 'SMI library' "^ok SMI library (rocm|amd)-smi [0-9.]+, $machine/usr/lib"
row_is 'clang: version and path' clang "^ok clang $LLVM_VERSION\.[0-9.]+, $machine/usr/bin/clang-$LLVM_VERSION"
row_is 'lld: version and path' lld '^ok lld [0-9.]+, /'
row_is 'device libraries: path' 'device libraries' '^ok device libraries /.*/bitcode'
row_is 'headers: path' 'HIP headers' "^ok HIP headers $machine/usr/include/hip"
measures 'a whole machine compiles and measures' "${compiled[@]}"

# --- without clang ---
rm "$machine/usr/bin/clang-$LLVM_VERSION"
run_doctor
exits 0 'without clang: the doctor warns'
row_is 'without clang: all its packages in one command' clang \
	'^warning clang .*-> apt-get install clang-15 lld-15 rocm-device-libs libamdhip64-dev $'
row_is 'without clang: lld is not used' lld '^ok lld not used without clang $'
row_is 'without clang: hiprtc compiles HIP kernels, or the doctor says that nothing does' clang \
	"^warning clang not found; (hiprtc compiles HIP kernels, but assembly kernels are not|only prebuilt kernels are) available"
measures 'without clang: prebuilt kernels run' "${prebuilt[@]}"
refuses 2 'without clang: an assembly kernel that is not prebuilt names the command' \
	'clang not found, needed to assemble .*\.s; install it: apt-get install clang-15 lld-15' fma-unroll variant=assembly unroll=7 fma_per_thread=10000

# --- without the SMI library ---
make_whole_machine
rm "$machine/usr/lib/x86_64-linux-gnu/$(basename "$smi")"
run_doctor
exits 0 'without an SMI library: the doctor warns'
row_is 'without an SMI library: the command' 'SMI library' \
	'^warning SMI library neither rocm-smi nor amd-smi found; .*-> apt-get install librocm-smi64-1 $'
measures 'without an SMI library: it measures' "${prebuilt[@]}"
[ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -qE 'no clock readings: .*install one: (sudo )?apt-get install librocm-smi64-1$' "$tmp/log"
result $? 'without an SMI library: one line says what to install'
on_machine "$wavedeck" devices >"$tmp/out" 2>"$tmp/log"
[ "$(grep -c '^soft:' "$tmp/out")" -ge 5 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -q 'no clock readings: ' "$tmp/log"
result $? 'without an SMI library: the list of devices has the line once'

# --- amd-smi instead of rocm-smi ---
# Columns of the first row of $tmp/out; temperatures without their fraction.
readings() {
	local column
	for column in sclk_mhz mclk_mhz temp_c power_w; do
		printf '%s ' "$(csv_column $column "$tmp/out" | sed 's/\..*//')"
	done
}
make_whole_machine
measures 'with rocm-smi or amd-smi: it measures' "${prebuilt[@]}"
power=$(readings | cut -d' ' -f4)
rm "$machine/usr/lib/x86_64-linux-gnu/$(basename "$smi")"
${CC:-gcc} -shared -fPIC -Wl,-soname,libamd_smi.so.27 -o "$machine/usr/lib/x86_64-linux-gnu/libamd_smi.so.27" \
	tests/e2e/amd_smi.c 2>"$tmp/log"
result $? 'a library with the interface of amd-smi 27 compiles'
run_doctor
row_is 'amd-smi: the doctor names it, its version and path' 'SMI library' "^ok SMI library amd-smi 27\.1\.0, $machine/usr/lib/"
AMD_SMI_POWER=1 measures 'amd-smi: it measures' "${prebuilt[@]}"
equal 'amd-smi: clocks, temperature and power are its readings' '1234 876 61 87 ' "$(readings)"
measures 'amd-smi without power: it measures' "${prebuilt[@]}"
equal "amd-smi without power: the driver's sensor has it" "1234 876 61 $power " "$(readings)"
record=$(on_machine "$wavedeck" devices --json 2>"$tmp/log")
grep -q '"amd_smi": *"27.1.0"' <<<"$record"
result $? 'amd-smi: the device record has its version'
# The real one, where it is installed, against rocm-smi.
amd=$(find /usr/lib/x86_64-linux-gnu /opt/rocm*/lib -maxdepth 1 -name 'libamd_smi.so.2[67]' 2>/dev/null | head -n 1)
if [ -n "$amd" ] && [[ $smi == *rocm_smi* ]]; then
	"$wavedeck" run "${prebuilt[@]}" --format csv >"$tmp/out" 2>"$tmp/log"
	expected=$(readings)
	rm "$machine/usr/lib/x86_64-linux-gnu/libamd_smi.so.27"
	link_libraries "$machine/usr/lib/x86_64-linux-gnu" "$amd"
	measures 'the real amd-smi: it measures' "${prebuilt[@]}"
	equal 'the real amd-smi reads what rocm-smi reads' "$expected" "$(readings)"
else
	skip 'the real amd-smi reads what rocm-smi reads' 'not both are installed'
fi

# --- without HIP ---
make_whole_machine
rm "$machine/usr/lib/x86_64-linux-gnu/$(basename "$hip")"
run_doctor
exits 0 'without HIP: the doctor warns'
row_is 'without HIP: the command' libamdhip64 '^warning libamdhip64 .*software GPUs measure without it.*-> apt-get install libamdhip64-5 $'
measures 'without HIP: the software GPU measures' "${prebuilt[@]}"

# --- only ROCm's own folder, as up to ROCm 7 and from 10 on ---
for folder in /opt/rocm /opt/rocm-7.2.1 /opt/rocm/core-10.0; do
	make_machine debian-12
	rocm=$machine$folder
	link_compiler "$rocm/lib/llvm/bin/clang"
	link "$BITCODE" "$rocm/amdgcn/bitcode"
	link_headers "$rocm"
	link_libraries "$rocm/lib" "$hip" "$hsa" "$smi"
	run_doctor
	exits 0 "only $folder: the doctor finds nothing missing"
	grep -q '^warning\|^missing' "$tmp/log"
	[ $? -eq 1 ]
	result $? "only $folder: no warning"
	row_is "only $folder: its clang" clang "^ok clang $LLVM_VERSION\.[0-9.]+, $rocm/lib/llvm/bin/clang $"
	row_is "only $folder: its HIP" libamdhip64 ", $rocm/lib/libamdhip64"
	row_is "only $folder: its SMI library" 'SMI library' ", $rocm/lib/lib"
	row_is "only $folder: its headers" 'HIP headers' "^ok HIP headers $rocm/include/hip $"
	measures "only $folder: it compiles and measures" "${compiled[@]}"
done

# --- a version newer than all known ones ---
make_whole_machine
lib=$machine/usr/lib/x86_64-linux-gnu
mv "$lib/$(basename "$hip")" "$lib/libamdhip64.so.23"
run_doctor
row_is 'a HIP of an unknown version is found' libamdhip64 "^ok libamdhip64 .*/libamdhip64\.so\.23 "

# --- distributions ---
# Without clang: the command for it.
suggests() { # release, extended regular expression for the command
	make_machine "$1"
	run_doctor
	row_is "without clang on $1: its own packages" clang "-> $2 $"
}
suggests debian-12 'apt-get install clang-15 lld-15 rocm-device-libs libamdhip64-dev'
suggests debian-13 'apt-get install clang-17 lld-17 rocm-device-libs-17 libamdhip64-dev'
suggests debian-sid 'apt-get install clang-21 lld-21 rocm-device-libs-21 libamdhip64-dev'
row_is 'without an SMI library on debian-sid: amd-smi' 'SMI library' '-> apt-get install libamd-smi27 $'
suggests amd 'apt-get install rocm-llvm rocm-device-libs hip-dev'
suggests fedora 'dnf install .*rocm-clang rocm-lld rocm-device-libs.*'
suggests arch 'pacman -S .*rocm-llvm rocm-device-libs.*'
suggests opensuse 'zypper install .*rocm-clang.*'
suggests ubuntu 'apt-get update, then `wavedeck doctor` names the package'
suggests other "no package found; see AMD's installation guide for ROCm"

# --- toolchain.sh finds the same compiler ---
toolchain_of() { # variable
	env -u CLANG -u CLANGXX -u BITCODE -u ROCM_PATH -u LLD -u LLVM_VERSION ./toolchain.sh | sed -n "s/^$1=//p"
}
compare_toolchains() { # what
	"$wavedeck" doctor >"$tmp/log" 2>&1
	local clang bitcode
	clang=$(command -v "$(toolchain_of CLANG)" || true) bitcode=$(toolchain_of BITCODE)
	equal "$1: toolchain.sh and the doctor name the same clang" "$clang" "$(doctor_line clang | sed -n 's/^ok .*, //p')"
	equal "$1: toolchain.sh and the doctor name the same device libraries" "$bitcode" \
		"$(doctor_line 'device libraries' | sed -n 's/^ok *device libraries *\(\/.*\)/\1/p')"
}
compare_toolchains 'this machine'
# A clang that prints a version, and reads bitcode of up to that version: the text of ockl.bc is its version.
make_clang() { # path, version
	mkdir -p "$(dirname "$1")"
	cat >"$1" <<-END
		#!/bin/sh
		for last; do :; done
		case \$1 in
		--version) echo "clang version $2.0.1" ;;
		-x) read -r made <"\$last" && [ "\$made" -le $2 ] ;;
		esac
	END
	chmod +x "$1"
}
make_bitcode() { # folder, version
	mkdir -p "$1" && echo "$2" >"$1/ockl.bc"
}
# The programs of this machine without its compilers, which may have device libraries next to them.
mkdir "$tmp/tools"
find /usr/bin -maxdepth 1 -mindepth 1 ! -name '*clang*' -exec ln -s -t "$tmp/tools" {} +
compare_on() { # what, expected name of the compiler
	export WAVEDECK_SYSROOT=$machine PATH=$machine/usr/bin:$tmp/tools
	compare_toolchains "$1"
	doctor_line clang | grep -q "/$2\$"
	result $? "$1: it is $2"
	unset WAVEDECK_SYSROOT
	PATH=$path
}
path=$PATH
make_machine debian-13
for version in 15 16 17 18 19; do make_clang "$machine/usr/bin/clang-$version" $version; done
make_bitcode "$machine/usr/lib/llvm-19/lib/clang/19/amdgcn/bitcode" 19
make_bitcode "$machine/usr/lib/llvm-18/lib/clang/18/amdgcn/bitcode" 18
compare_on 'device libraries of 18 and 19' clang-18
make_bitcode "$machine/usr/lib/x86_64-linux-gnu/amdgcn/bitcode" 16
compare_on 'and shared ones of 16' clang-17
make_bitcode "$machine/usr/lib/llvm-15/lib/clang/15.0.6/lib/amdgcn/bitcode" 15
compare_on 'and those of 15' clang-15
# --- $WAVEDECK_CLANG ---
export WAVEDECK_SYSROOT=$machine PATH=$machine/usr/bin:$tmp/tools
make_clang "$machine/opt/mine/clang" 20
make_clang "$machine/usr/bin/clang" 14
WAVEDECK_CLANG=$machine/opt/mine/clang "$wavedeck" doctor >"$tmp/log" 2>&1
row_is 'WAVEDECK_CLANG replaces the search' clang "^ok clang 20\.0\.1, $machine/opt/mine/clang \(from WAVEDECK_CLANG\) $"
for chosen in clang /proc/none; do
	WAVEDECK_CLANG=$chosen "$wavedeck" doctor >"$tmp/log" 2>&1
	row_is "WAVEDECK_CLANG=$chosen: the doctor says why it is not used" clang \
		"^warning clang WAVEDECK_CLANG=$chosen is not the name of a clang 15 or later -> unset WAVEDECK_CLANG $"
done
rm "$machine"/usr/bin/clang-*
make_clang "$machine/usr/bin/clang" 18
unset WAVEDECK_SYSROOT
PATH=$path
compare_on 'a clang without a number' clang

# --- a container without /sys, and one without the caches of its processors ---
without_sys() { # commands in the container, then a command
	unshare -rm sh -c "mount -t tmpfs none /sys && { $1; } && shift && exec \"\$@\"" sh "$@"
}
if unshare -rm mount -t tmpfs none /sys 2>/dev/null; then
	"$wavedeck" run range-latency rangesize=4KiB --format csv --no-header-comments >"$tmp/want" 2>"$tmp/log"
	without_sys : "$wavedeck" run range-latency rangesize=4KiB --format csv --no-header-comments >"$tmp/out" 2>"$tmp/log"
	result $? 'the software GPU needs no /sys' "$tmp/log"
	cmp -s "$tmp/want" "$tmp/out"
	result $? 'and measures the same' "$tmp/out"
	without_sys 'mkdir -p /sys/class /sys/devices/system/cpu/cpu0' "$wavedeck" devices >"$tmp/log" 2>&1
	grep -q '^soft:mi25 *ready' "$tmp/log"
	result $? 'nor the caches of the processors' "$tmp/log"
	without_sys : "$wavedeck" exec -- getconf -a >"$tmp/log" 2>&1
	size=$(awk '/^LEVEL1_DCACHE_SIZE/ { print $2 / 1024 "K" }' "$tmp/log")
	file=/sys/devices/system/cpu/cpu0/cache/index0/size
	equal 'whose sizes are those that the C library knows' "$size" "$(without_sys : "$wavedeck" exec -- cat $file)"
	advice='mount -t sysfs sysfs /sys (bubblewrap: --ro-bind /sys /sys)'
	equal 'HIP without /sys: the reason and the command' \
		"wavedeck: HIP finds no GPU: /sys is not mounted; $advice, or use soft:mi25, which needs no GPU" \
		"$(without_sys : "$wavedeck" run range-latency --device hip:0 2>&1)"
	mkdir "$tmp/dev" && touch "$tmp/dev/kfd" "$tmp/dev/null" "$tmp/dev/shm"
	without_sys "mount --bind /dev/null $tmp/dev/null && mount --rbind $tmp/dev /dev" "$wavedeck" doctor >"$tmp/log" 2>&1
	row_is 'the doctor, where a GPU is' /dev/kfd \
		"^warning /dev/kfd /sys is not mounted, where HIP finds GPUs -> $(printf '%s' "$advice" | sed 's/[()]/\\&/g') $"
else
	skip 'containers without /sys' 'unshare -rm does not work here'
fi
finish
