#!/usr/bin/env bash
# Variants of experiments other than the default: faulty ones fail verification, scratch is used as documented, and the
# bytes read are as expected. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
verifies() { # what, experiment, settings...
	local what=$1
	shift
	equal "$what" 0 "$("$wavedeck" run "$@" >/dev/null 2>&1; echo $?)"
}
column() { # name of a metric or counter, experiment, settings...
	local name=$1
	shift
	"$wavedeck" run "$@" --format csv 2>/dev/null >"$tmp/csv"
	csv_column "$name" "$tmp/csv"
}

# 12 MiB of input do not fit in L2: 12544 KiB are read three times, once, once, twice.
equal 'batchnorm reads its input as often as documented' '37632 12544 12544 25088' \
	"$(column FETCH_SIZE batchnorm c=32 --counters FETCH_SIZE)"
"$wavedeck" run batchnorm variant=faulty c=1 >/dev/null 2>&1
equal 'the faulty normalization fails verification' 1 $?
equal 'the faulty normalization reads three quarters of its input' 9408 \
	"$(column FETCH_SIZE batchnorm variant=faulty c=32 --counters FETCH_SIZE)"
unbounded=$(column scratch batchnorm variant=b c=1 launch_bound=off)
equal 'variant b spills only without launch bounds' '0 1' \
	"$(column scratch batchnorm variant=b c=1) $((unbounded > 256))"
read -r dynamic static \
	<<<"$(column scratch padding-scratch n=1 c=16 channels_per_thread=4 private_array=dynamic,static)"
equal 'a private array of 64 bytes is in scratch, or in registers' '1 0' "$((dynamic >= 64)) $static"
verifies 'sums with barriers only across waves' reduction elements=65536 radix=2,4,8,16 barriers=waves
verifies 'sums of several items per thread, odd number of blocks' reduction elements=98304 items_per_thread=4 radix=2,8
verifies 'sums that the guard does not store' reduction elements=65536 radix=4 store=guarded
verifies 'planes of other constant sizes' padding-constant side=4 pad=1 c=48 n=3 channels_per_thread=2,16
verifies 'planes of other sizes in scratch' padding-scratch side=4 pad=1 c=48 n=3 channels_per_thread=2,16
verifies 'a batch of odd size with images of odd size' batchnorm n=12 c=3 h=27 w=13
verifies 'an index of odd planes, several items per thread' nchw-index hw=57 n=3 items_per_thread=1,3
finish
