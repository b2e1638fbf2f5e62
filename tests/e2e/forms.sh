#!/usr/bin/env bash
# Other forms of experiments than the default: faulty ones fail verification, scratch is used as documented, and the bytes
# read are as expected. TAP.
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
column() { # name experiment settings...: its values
	local name=$1
	shift
	"$wavedeck" run "$@" --format csv 2>/dev/null | awk -F, -v name="$name" '
		/^#/ { next }
		!at { for (k = 1; k <= NF; k++) if ($k == name) at = k; next }
		{ printf "%s%s", sep, $at; sep = " " }'
}

# 12 MiB of input do not fit in L2: 12544 KiB are read three times, once, once, twice.
same 'batchnorm reads its input as often as documented' '37632 12544 12544 25088' "$(column FETCH_SIZE batchnorm c=32 --counters FETCH_SIZE)"
"$wavedeck" run batchnorm variant=faulty c=1 >/dev/null 2>&1
same 'the faulty normalization fails verification' 1 $?
same 'it reads three quarters of its input' 9408 "$(column FETCH_SIZE batchnorm variant=faulty c=32 --counters FETCH_SIZE)"
same 'without launch bounds, b spills' '0 1' "$(column scratch batchnorm variant=b c=1) $(($(column scratch batchnorm variant=b c=1 launch_bound=off) > 256))"
read -r dynamic static <<<"$(column scratch padding-scratch n=1 c=16 channels_per_thread=4 private_array=dynamic,static)"
same 'a private array of 64 bytes is in scratch, or in registers' '1 0' "$((dynamic >= 64)) $static"
right 'sums with barriers only across waves' reduction elements=65536 radix=2,4,8,16 barriers=waves
right 'sums of several items per thread, odd number of blocks' reduction elements=98304 items_per_thread=4 radix=2,8
right 'sums that the guard does not store' reduction elements=65536 radix=4 store=guarded
right 'planes of other constant sizes' padding-constant side=4 pad=1 c=48 n=3 channels_per_thread=2,16
right 'planes of other sizes in scratch' padding-scratch side=4 pad=1 c=48 n=3 channels_per_thread=2,16
right 'a batch of odd size with images of odd size' batchnorm n=12 c=3 h=27 w=13
right 'an index of odd planes, several items per thread' nchw-index hw=57 n=3 items_per_thread=1,3
echo "1..$n"
exit $failed
