#!/usr/bin/env bash
# A GPU model is added to a copy of the tree with one file and one line, and it is listed, described and measured. TAP.
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
# shellcheck source=tree_copy.bash
. tests/tree/tree_copy.bash
copy_tree
wavedeck=$tree/build/wavedeck

sed -e 's/gpu_model_mi60/gpu_model_test60/; s/\.name = "mi60"/.name = "test60"/' \
	-e 's/SET(compute_units, 64, .*/SET(compute_units, 8, "test"),/' \
	softgpu/models/mi60.c >"$tree/softgpu/models/test60.c"
echo 'MODEL(test60)' >>"$tree/softgpu/models/models.def"
build_copy 3 build/libsoftgpu.so build/wavedeck
result $? 'one file and one line build, and nothing else is compiled but the list of models'

cd "$tmp" || exit 1
"$wavedeck" devices >"$tmp/log" 2>&1
grep -q '^soft:test60 .*gfx906.* 8 CUs' "$tmp/log"
result $? 'devices lists the model'
"$wavedeck" devices --model test60 >"$tmp/log" 2>&1
grep -qE '^compute_units +8 ' "$tmp/log"
result $? 'devices --model lists its constants'
grep -qE '^l1_bytes +16384 ' "$tmp/log"
result $? 'and those of its family'
"$wavedeck" completion words run fma-waves --device soft:t >"$tmp/log" 2>&1
grep -qx 'soft:test60' "$tmp/log"
result $? 'the completion offers it'
"$wavedeck" exec --model test60 -- rocminfo >"$tmp/log" 2>&1
grep -qE 'Compute Unit: +8' "$tmp/log"
result $? "AMD's rocminfo sees a GPU with 8 compute units"
"$wavedeck" run lds-latency lanes=1 --device soft:test60 --format csv >"$tmp/log" 2>&1
grep -q '^1,' "$tmp/log"
result $? 'run measures on it'
finish
