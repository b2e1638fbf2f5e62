#!/usr/bin/env bash
# The forms that experiments offer beside their default: faulty ones are found wrong, scratch is where it is claimed, bytes moved are those read. TAP.
set -u
wavedeck=$BUILD/wavedeck
n=0 failed=0

same() { # what expected actual
	n=$((n + 1))
	if [ "$2" = "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; echo "# expected $2, got $3"; failed=1; fi
}
right() { # what experiment settings...: every point verified
	local what=$1
	shift
	same "$what" 0 "$("$wavedeck" run "$@" >/dev/null 2>&1; echo $?)"
}
column() { # name experiment settings...: its values, one after the other
	local name=$1
	shift
	"$wavedeck" run "$@" --format csv 2>/dev/null | awk -F, -v name="$name" '
		/^#/ { next }
		!at { for (k = 1; k <= NF; k++) if ($k == name) at = k; next }
		{ printf "%s%s", sep, $at; sep = " " }'
}

# 12 MiB of input, more than L2 holds: 12544 KiB read three times, once, once, twice.
same 'batchnorm reads its input as often as it says' '37632 12544 12544 25088' "$(column FETCH_SIZE batchnorm c=32 --counters FETCH_SIZE)"
"$wavedeck" run batchnorm variant=faulty c=1 >/dev/null 2>&1
same 'the faulty normalisation is found wrong' 1 $?
same 'and reads three quarters of its input' 9408 "$(column FETCH_SIZE batchnorm variant=faulty c=32 --counters FETCH_SIZE)"
same 'without the bound on its blocks b spills' '0 1' "$(column scratch batchnorm variant=b c=1) $(($(column scratch batchnorm variant=b c=1 launch_bound=off) > 256))"
read -r dynamic static <<<"$(column scratch padding-scratch n=1 c=16 channels_per_thread=4 private_array=dynamic,static)"
same 'a private array of 64 bytes lies in scratch, or in registers' '1 0' "$((dynamic >= 64)) $static"
right 'sums with barriers across waves only' reduction elements=65536 radix=2,4,8,16 barriers=waves
right 'sums of several items a thread, an odd number of blocks' reduction elements=98304 items_per_thread=4 radix=2,8
right 'sums that the guard holds back' reduction elements=65536 radix=4 store=guarded
right 'planes of other sizes, constants, too' padding-constant side=4 pad=1 c=48 n=3 channels_per_thread=2,16
right 'planes of other sizes in scratch' padding-scratch side=4 pad=1 c=48 n=3 channels_per_thread=2,16
right 'an odd batch of odd images' batchnorm n=12 c=3 h=27 w=13
right 'an index of odd planes, several items a thread' nchw-index hw=57 n=3 items_per_thread=1,3
echo "1..$n"
exit $failed
