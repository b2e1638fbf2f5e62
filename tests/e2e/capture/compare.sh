#!/usr/bin/env bash
# `compare` of two captures: kernels by name, ratios, kernels of one only, formats, other models. TAP.
# shellcheck source=kept_program.bash
. "$(dirname "$0")/kept_program.bash"
capture -o all.wbc -- ./kept print
capture --kernel 'sum_rows|transpose' -o some.wbc -- ./kept
capture --kernel 'sum_rows' --model mi25,dram_latency=1202,l1_bytes=8192 -o other.wbc -- ./kept
figure() { # file, kernel, member
	"$wavedeck" list "$1" --format json | sed 's/{"experiment"/\n&/g' | sed -n "s/.*\"experiment\":\"$2\",.*\"$3\":\([0-9.e-]*\),.*/\1/p"
}

ask compare all.wbc some.wbc
[ $status -eq 0 ] && grep -Eq '^ +[0-9.]+ +[0-9.]+ +1 +1  sum_rows\(float const\*, float\*\)$' "$tmp/out" &&
	grep -Eq '^ +[0-9.]+ +- +- +-  add_all\(float const\*, float\*\); only in A$' "$tmp/out" && ! grep -q 'models differ' "$tmp/out"
result $? 'kernels of both, and of one only' "$tmp/out"
ask compare some.wbc all.wbc
grep -Eq '^ +- +[0-9.]+ +- +-  add_all\(float const\*, float\*\); only in B$' "$tmp/out"
result $? 'the other way round' "$tmp/out"
equal 'each kernel has one line' "$("$wavedeck" list all.wbc | wc -l)" "$(($(wc -l <"$tmp/out") - 3))"

ask compare some.wbc other.wbc
grep -qx "the models differ: part of a ratio may be the GPU's, not the kernel's" "$tmp/out" &&
	grep -q '^B  other.wbc  mi25,.*dram_latency=1202' "$tmp/out"
result $? 'it says when the models differ' "$tmp/out"
ask compare some.wbc other.wbc --format csv
ratio=$(awk -v a="$(figure some.wbc sum_rows duration)" -v b="$(figure other.wbc sum_rows duration)" 'BEGIN { printf "%.6f", b / a }')
grep '^"sum_rows' "$tmp/out" | awk -F, -v r="$ratio" '{ exit !(r != 1 && sprintf("%.6f", $5) == r && $8 == 1) }'
result $? 'CSV: ratios to the first capture' "$tmp/out"
ask compare some.wbc other.wbc --format json
grep -q '"same_models":false' "$tmp/out" && grep -q '"kernel":"transpose_tile(float const\*, float\*)","A":{"model":"mi25",[^}]*},"B":null,"seconds_ratio":null' "$tmp/out"
result $? 'JSON' "$tmp/out"

refused() { # what, text, files
	local what=$1 text=$2
	shift 2
	ask compare "$@"
	equal "$what" "2 wavedeck: $text" "$status $(cat "$tmp/log")"
}
usage='compare takes two captures or several sessions; write for example: wavedeck compare before.wbc after.wbc'
refused 'three captures' "$usage" all.wbc some.wbc other.wbc
refused 'a capture and a session' "$usage" all.wbc a.wbs
refused 'a missing file' 'cannot open the capture missing.wbc: No such file or directory; check the name' all.wbc missing.wbc
finish
