#!/usr/bin/env bash
# AMD's own test programs on the software GPU: those of rocRAND and rocPRIM that end in a bounded time, as the packages
# librocrand1-tests and librocprim-tests have them, under `wavedeck exec` (guests.tsv). They compare with results that
# they compute on the host. Where the packages are not installed, the script runs in a clean Debian 13. Prints passed,
# failed and seconds of each program, and the names of failed tests. TAP.
#   tests/long/guests.sh [PATTERN]   only programs whose names match the shell pattern
suite=trixie pattern=${1:-*} guests=/usr/libexec/rocm
packages=(librocrand1-tests librocprim-tests)

# --- with the packages ---
# Lines '[  FAILED  ] NAME (N ms)' or '[  FAILED  ] NAME, where TypeParam = ... (N ms)'.
list_failed_tests() { # file
	sed -nE 's/^\[  FAILED  \] ([^ ,]+).* \([0-9]+ ms\)$/\1/p' "$1"
}

# What contradicts a row of the table.
judge_guest() { # status, tests, limit, file
	local passed
	passed=$(grep -c '^\[       OK \]' "$4")
	[ "$1" -ne 124 ] || echo "stopped after $3 s"
	[ "$1" -eq 0 ] || echo "exited with $1"
	[ "$passed" -eq "$2" ] || echo "$passed of $2 tests passed"
	list_failed_tests "$4" | sed 's/^/failed: /'
	[ "$1" -eq 0 ] || grep -vE '^\[|^$' "$4" | tail -n 5
}

# A guest has a session and a temporary folder of its own; it must leave nothing in either.
run_guest() { # package, program, model, tests, limit, filter
	local log=$tmp/log start=$SECONDS guest status
	mkdir "$tmp/guest"
	TMPDIR=$tmp/guest setsid timeout -k 10 "$5" "$BUILD/wavedeck" exec --model "$3" -- "$guests/$1/$2" \
		--gtest_filter="$6" >"$log" 2>&1 </dev/null &
	guest=$!
	wait $guest
	status=$?
	{
		judge_guest $status "$4" "$5" "$log"
		find "$tmp/guest" -mindepth 1 -printf 'left in the temporary folder: %P\n'
		! kill -KILL -- -$guest 2>/dev/null || echo 'left a process'
	} >"$tmp/why"
	rm -rf "$tmp/guest"
	[ ! -s "$tmp/why" ]
	result $? "$2: $(grep -c '^\[       OK \]' "$log") passed, $(list_failed_tests "$log" | wc -l) failed, $((
		SECONDS - start)) s ($3)" "$tmp/why"
}

run_guests() {
	local package program model tests limit filter
	while IFS=$'\t' read -r package program model tests limit filter <&3; do
		# shellcheck disable=SC2254 # a pattern
		case $package:$program in
		'#'* | :) ;;
		*:$pattern) run_guest "$package" "$program" "$model" "$tests" "$limit" "$filter" ;;
		esac
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
	download 'installing the packages' install_guests "$root"
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
if [ -n "${missing:-}" ]; then
	progress() { printf '# %s: %s\n' "$suite" "$1"; }
	skip_system() {
		skip 'the test programs of rocRAND and rocPRIM' "$1"
		finish
	}
	run_in_clean_system
	exit
fi
run_guests
finish
