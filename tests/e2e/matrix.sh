#!/usr/bin/env bash
# Matrix products: correct at all supported sizes, rejected at others, and each optimization step gains as much as its
# mechanism predicts. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
wavedeck=$BUILD/wavedeck
export XDG_DATA_HOME=$tmp/data LC_ALL=C
details() { head -n 8 "$tmp/csv" "$tmp/err"; }
device=soft:mi25
measure() { # arguments; writes the CSV without comments
	timeout $patience "$wavedeck" run "$@" --device $device --format csv 2>"$tmp/err" </dev/null |
		grep -v '^#' >"$tmp/csv"
	return "${PIPESTATUS[0]}"
}
column() { csv_column "$1" "$tmp/csv"; }
holds() { # condition on v[1], v[2] ...; values
	local condition=$1
	shift
	awk -v given="$*" "BEGIN { split(given, v, \" \"); exit !($condition) }"
}
refuses() { # words of the error, arguments
	local words=$1
	shift
	measure "$@"
	[ $? -eq 2 ] && [ ! -s "$tmp/csv" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$words" "$tmp/err"
	result $? "rejected: $*"
}

# Every point is compared with the C reference, with random matrices and alpha and beta other than 1 and 0.
measure sgemm-k1-naive n=1,2,50 block=64x4 alpha=2 beta=1.5
result $? 'naive: sizes smaller than a block'
measure sgemm-k2-lds-tile n=1,33,64 tile=32 alpha=2 beta=1.5
result $? 'LDS tile: sizes with and without a partial tile'
measure prefetch-tile n=50 tile=8 prefetch=on alpha=2 beta=1.5
result $? 'prefetched tile: a size with a partial tile'
measure sgemm-k3-register-tile n=192 block_tile=64 thread_tile=4x4 k_step=16 alpha=2 beta=1.5
result $? 'register tile: another shape, 3 x 3 blocks'
refuses 'n = 200 must be a multiple of the block.s tile, 128' sgemm-k5-lds n=200
refuses 'is too small for 32 lanes' sgemm-k3-register-tile thread_tile=16x8 block_tile=64
refuses 'needs a gfx1100 device' sgemm-k6-dual-issue
refuses 'needs a gfx1100 device' vgpr-bank-microbench

# The gain of each step on the SIMDs that run a wave.
measure sgemm-ladder
holds 'v[1] < 3 && v[2] > 3 * v[1] && v[3] > 2 * v[2] && v[4] > 1.03 * v[3] && v[5] > 1.2 * v[4] && v[5] < 100' \
	"$(column share)"
result $? "each step of the ladder is faster: $(column share)"
[ "$(column kernel | wc -w)" -eq 5 ]
result $? 'on GCN the ladder leaves out the kernels for RDNA 3'
measure sgemm-k4-global-prefetch @spills n=128
holds 'v[1] == 0 && v[2] > 0' "$(column scratch)" && holds 'v[1] > 2 * v[2]' "$(column gflops)"
result $? 'without launch bounds the prefetched tile spills, at less than half the rate'
# Lanes of a half wave on one bank: 8 without padding, 4 with a padding of 1, 1 with a padding of 4.
measure lds-store-padding pad=0,1,4
holds 'v[1] > 15.9 && v[1] < 16.5 && v[2] > 7.9 && v[2] < 8.5 && v[3] < 4.6' "$(column cycles_per_store)"
result $? "a transposed store: $(column cycles_per_store) cycles with a padding of 0, 1 and 4"
measure sgemm-k5-lds pad=0,4 n=128
holds 'v[1] > 200 && v[2] == 0' "$(column bank_conflicts)" && holds 'v[2] > 1.02 * v[1]' "$(column gflops)"
result $? 'a padding of 4 removes the bank conflicts of the product'
measure lds-bandwidth-budget tile=8x8
holds 'v[1] == 68719476736 && v[2] == 4294967296' "$(column lds_read_bytes) $(column lds_write_bytes)"
result $? 'the LDS budget matches the published count'

# On RDNA 3 the ladder has three more rungs, in machine code. Parameters choose among its variants; all are correct.
device=soft:rx7900xtx
measure sgemm-ladder n=128
[ $? -eq 0 ] && [ "$(column kernel | wc -w)" -eq 8 ] && holds 'v[8] == 216' "$(column vgprs)"
result $? "the ladder has 8 kernels on RDNA 3: $(column kernel | tr '\n' ' ')"
for arguments in 'sgemm-k6-dual-issue n=128,256' 'sgemm-k7-unroll n=128 priority=off' \
	'sgemm-k8-batched-gmem n=256' 'sgemm-k8-batched-gmem n=128 addressing=vector'; do
	# shellcheck disable=SC2086
	measure $arguments alpha=1.5 beta=0.5
	result $? "correct on RDNA 3: $arguments"
done
measure vgpr-bank-microbench trips=4 reuse=off,on
result $? 'register banks: sums of dual multiply-adds are exact'
refuses 'x0 and y0 are in the same bank' vgpr-bank-microbench x0=1
finish
