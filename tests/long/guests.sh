#!/usr/bin/env bash
# AMD's own test programs on the software GPU, as the packages of Debian 13 have them, under `wavedeck exec`
# (guests.tsv): those of rocRAND and rocPRIM that end in a bounded time, and samples of those of rocBLAS, rocSPARSE,
# rocSOLVER, rocFFT, rocThrust, RCCL, hipBLAS, hipSPARSE, hipSOLVER, hipFFT and hipCUB. Not rocALUTION, whose package is built
# for the host alone. They compare with results that they compute on the host. Where the packages are not installed, the
# script runs in a clean Debian 13, which takes 2 GB of downloads and 8 GB of disk. Prints passed, failed and seconds of
# each program, and the names of failed tests. TAP.
#   tests/long/guests.sh [PATTERN]   only programs whose names match the shell pattern
suite=trixie pattern=${1:-*} guests=/usr/libexec/rocm
packages=(librocrand1-tests librocprim-tests librocblas0-tests librocsparse0-tests librocsolver0-tests librocfft0-tests
	librocthrust-tests libhipblas0-tests libhipsparse0-tests libhipsolver0-tests libhipfft0-tests libhipcub-tests
	librccl1-tests)

# --- with the packages ---
# gtest has lines '[       OK ] NAME (N ms)', rocThrust '[PASS] N ms NAME', possibly behind other text.
count_passed_tests() { # file
	grep -cE '^\[       OK \]|\[PASS\] ' "$1"
}

# Lines '[  FAILED  ] NAME (N ms)', '[  FAILED  ] NAME, where TypeParam = ... (N ms)' or, of rocBLAS, '[  FAILED  ] NAME,
# where GetParam() = ...' with the time in a line of its own. At the end they come again, below '[  FAILED  ] N tests'.
# rocThrust has '[FAILURE] NAME' or '[ERROR] NAME'.
list_failed_tests() { # file
	sed -nE 's/^\[  FAILED  \] ([^0-9 ,][^ ,]*).*/\1/p; s/.*\[(FAILURE|ERROR)\] +//p' "$1" |
		awk '!seen[$0]++'
}

# What contradicts a row of the table.
judge_guest() { # status, tests, limit, file
	local passed
	passed=$(count_passed_tests "$4")
	[ "$1" -ne 124 ] || echo "stopped after $3 s"
	[ "$1" -eq 0 ] || echo "exited with $1"
	[ "$passed" -eq "$2" ] || echo "$passed of $2 tests passed"
	list_failed_tests "$4" | sed 's/^/failed: /'
	[ "$1" -eq 0 ] || grep -vE '^\[|^$' "$4" | tail -n 5
}

# Sets options. rocThrust has no gtest; its filter is the name of a test or the start of names and '*'.
choose_options() { # package, filter
	options=(--gtest_filter="$2")
	case $1 in
	librocblas0-tests | librocsparse0-tests)
		[ -f "$tmp/$1.data" ] || draw_guest_data "$1" >"$tmp/$1.data"
		options+=(--data "$tmp/$1.data")
		;;
	librocthrust-tests) options=(--sizes=tiny --verbose "$2") ;;
	librccl1-tests) export UT_MIN_GPUS=2 UT_MAX_GPUS=2 UT_PROCESS_MASK=1 UT_DATATYPES=ncclFloat32 UT_REDOPS=ncclSum ;;
	esac
}

# A guest has a session and a folder of its own; it must leave nothing in either. rocFFT's compiled kernels are kept for
# the next guest.
run_guest() { # package, program, model, tests, limit, filter
	local log=$tmp/log start=$SECONDS options guest status
	choose_options "$1" "$6"
	mkdir "$tmp/guest"
	TMPDIR=$tmp/guest ROCFFT_RTC_CACHE_PATH=$tmp/rocfft.db setsid env -C "$tmp/guest" timeout -k 10 "$5" \
		"$BUILD/wavedeck" exec --model "$3" -- "$guests/$1/$2" "${options[@]}" >"$log" 2>&1 </dev/null &
	guest=$!
	wait $guest
	status=$?
	{
		judge_guest $status "$4" "$5" "$log"
		find "$tmp/guest" -mindepth 1 -printf 'left in its folder: %P\n'
		! kill -KILL -- -$guest 2>/dev/null || echo 'left a process'
	} >"$tmp/why"
	rm -rf "$tmp/guest"
	[ ! -s "$tmp/why" ]
	result $? "$2: $(count_passed_tests "$log") passed, $(list_failed_tests "$log" | wc -l) failed, $((
		SECONDS - start)) s ($3)" "$tmp/why"
}

run_guests() {
	local package program models model tests limit filter
	while IFS=$'\t' read -r package program models tests limit filter <&3; do
		# shellcheck disable=SC2254 # a pattern
		case $package:$program in
		'#'* | :) continue ;;
		*:$pattern) ;;
		*) continue ;;
		esac
		for model in $models; do
			run_guest "$package" "$program" "$model" "$tests" "$limit" "$filter"
		done
	done 3<tests/long/guests.tsv
}

# --- a system with the packages ---
install_guests() { # root, folder of the source tree in it
	inside "$1" root "make -C wavedeck deps && apt-get install -y -qq --no-install-recommends ${packages[*]}"
}

run_in_clean_system() {
	local root=$work/system
	make_system "$root" ca-certificates,make
	mount_system "$root"
	make --no-print-directory dist BUILD="$tmp/dist" >"$log" 2>&1 || fail 'make dist failed'
	tar -xzf "$tmp"/dist/wavedeck-*.tar.gz -C "$root/home/user" &&
		mv "$root"/home/user/wavedeck-* "$root/home/user/wavedeck" && chroot "$root" chown -R user:user /home/user
	download 'installing the packages, 2 GB' install_guests "$root"
	progress 'building'
	inside "$root" user "make -C wavedeck -j$(nproc) programs" >"$log" 2>&1 || {
		tail -n 40 "$log" >&2
		fail 'the build failed'
	}
	inside "$root" user "BUILD=build wavedeck/tests/long/guests.sh '$pattern'"
}

for package in "${packages[@]}"; do
	[ -d "$guests/$package" ] || missing=1
done
if [ -n "${missing:-}" ]; then
	# shellcheck source=../distro/system.bash
	. "$(dirname "$0")/../distro/system.bash"
	enter_namespaces '' "$@"
fi
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=guest_data.bash
. tests/long/guest_data.bash
if [ -n "${missing:-}" ]; then
	progress() { printf '# %s: %s\n' "$suite" "$1"; }
	skip_system() {
		skip 'the test programs of the HIP libraries' "$1"
		finish
	}
	run_in_clean_system
	exit
fi
run_guests
finish
