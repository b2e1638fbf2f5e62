#!/usr/bin/env bash
# Products of rocBLAS on the boards with matrix cores, compared with exact sums. TAP.
#   library_products.sh         a small size
#   library_products.sh SIZE... these sizes; the largest is sampled
here=tests/softgpu/driver/matrix
# shellcheck disable=SC2034 # read by hip_program.bash
model=mi100 target=gfx908
# shellcheck source=../hip_program.bash
. "$(dirname "$0")/../hip_program.bash"
sizes=${*:-256}
if ! ldconfig -p | grep -q librocblas.so; then
	skip 'products of rocBLAS' 'rocBLAS is not installed'
	finish
	exit
fi
build_hip_program library_products -lrocblas

for model in mi100 mi210; do
	for type in sgemm hgemm bf16 dgemm; do
		for size in $sizes; do
			elements=0
			[ "$size" -gt 2048 ] && elements=100000
			soft "$program" $type "$size" $elements && says '0 of [0-9]* elements are wrong'
			result $? "$model, $type: $(tail -n 1 "$log")"
		done
	done
done
finish
