#!/usr/bin/env bash
# predictions.tsv is what the models say about programs of kinds that other people measured, written before anyone here
# read what they measured. TAP.
#   tests/long/predictions.sh              computes the rows of the compiler of Debian 12, and compares them with the file
#   tests/long/predictions.sh rocblas      the same for products of rocBLAS, which Debian 13 has
#   UPDATE=1                               writes them to the file
# shellcheck source=../tap.bash
. "$(dirname "$0")/../tap.bash"
here=tests/long/predictions
table=tests/long/predictions.tsv
work=$BUILD/tests/predictions
mkdir -p "$work"
if [ -z "${HIPCC:-}" ]; then
	skip 'predictions of the models' 'hipcc is not installed'
	finish
fi

part=${1:-}

# Builds $here/NAME_hip.cpp for all models.
build_program() { # NAME, further arguments of hipcc
	local name=$1
	shift
	kernels/in_scratch.sh env -u ROCM_PATH "$HIPCC" --offload-arch=gfx900 --offload-arch=gfx906 --offload-arch=gfx908 \
		--offload-arch=gfx90a -O3 -o "$work/$name" "$here/${name}_hip.cpp" "$@" >"$tmp/log" 2>&1
	result $? "hipcc builds $name"
}

# Prints the rows of a program: the model, then what it prints.
predict() { # MODEL PROGRAM ARGUMENTS...
	local model=$1 program=$2
	shift 2
	TMPDIR=$tmp timeout -k 5 $patience "$BUILD/wavedeck" exec --model "$model" -- "$work/$program" "$@" \
		>"$tmp/rows" 2>"$tmp/log" </dev/null
	local status=$?
	[ $status -eq 0 ] || echo "$model $program $*: status $status" >>"$tmp/failed"
	sed "s/^/$model\t/" "$tmp/rows"
}

predict_l2_stream() {
	local form thousands
	for form in read write scale triad; do
		for thousands in 14 34 62 104 259; do predict mi100 l2_stream $form $thousands 1024; done
	done
}

# Sizes on both sides of each level, then strides on both sides of a line.
predict_chases() {
	local size stride
	for size in 4096 16384 20480 32768 262144 4194304 7340032 16777216 67108864; do predict mi100 chase vector $size 64; done
	for size in 4096 16384 20480 32768 262144; do predict mi100 chase scalar $size 64; done
	for size in 4096 32768; do predict mi100 chase lds $size 64; done
	for stride in 16 32 128 256; do predict mi100 chase vector 262144 $stride; done
	for stride in 16 32 128; do predict mi100 chase scalar 262144 $stride; done
}

predict_levels() {
	local size block
	for size in 4 128; do
		for block in 64 256; do
			predict mi100 levels read $size $block
			predict mi100 levels write $size $block
		done
	done
}

predict_lattices() { # MODEL
	predict "$1" lattice pull 64
	predict "$1" lattice pull 128
	predict "$1" lattice in-place 64
	predict "$1" lattice in-place 128
}

predict_chains() { # MODEL
	local type
	for type in f32 f64 f16x2 i16x2 i24 i32 i64; do predict "$1" chains $type; done
	[ "$1" = mi25 ] || predict "$1" chains dot4
}

predict_accesses() { # MODEL
	local form
	for form in read write read-misaligned write-misaligned copy copy-float4; do predict "$1" accesses $form; done
}

# Counters of the catalog's transposes, of a wave and of the whole matrix.
predict_transposes() {
	"$BUILD/wavedeck" run transpose form=naive,coalesced,padded tile=32 width=4096 height=4096 --device soft:mi100 \
		--counters SQ_WAVES,SQ_INSTS_VALU,SQ_LDS_BANK_CONFLICT,FETCH_SIZE,WRITE_SIZE --format csv --no-header-comments \
		2>"$tmp/log" >"$tmp/transposes" </dev/null || echo 'transposes failed' >>"$tmp/failed"
	awk -F, -v OFS='\t' '
		function print_row(what, unit, value) { print "mi100", "transpose", $column["form"] ", " what, unit, sprintf("%.4g", value) }
		NR == 1 { for (k = 1; k <= NF; k++) column[$k] = k; next }
		{
			waves = $column["SQ_WAVES"]
			print_row("VALU instructions", "instructions/wave", $column["SQ_INSTS_VALU"] / waves)
			print_row("LDS bank conflicts", "cycles/wave", $column["SQ_LDS_BANK_CONFLICT"] / waves)
			print_row("read", "MiB", $column["FETCH_SIZE"] / 1024)
			print_row("written", "MiB", $column["WRITE_SIZE"] / 1024)
		}' "$tmp/transposes"
}

# Points of an experiment of the catalog. The parameters are columns of its CSV.
predict_points() { # MODEL METRIC UNIT EXPERIMENT PARAMETER=VALUES...
	local model=$1 metric=$2 unit=$3 experiment=$4
	shift 4
	"$BUILD/wavedeck" run "$experiment" "$@" --device "soft:$model" --format csv --no-header-comments \
		2>"$tmp/log" >"$tmp/points" </dev/null || echo "$model $experiment failed" >>"$tmp/failed"
	awk -F, -v OFS='\t' -v model="$model" -v metric="$metric" -v unit="$unit" -v experiment="$experiment" -v given="$*" '
		NR == 1 {
			for (k = 1; k <= NF; k++) column[$k] = k
			count = split(given, parameters, " ")
			for (k = 1; k <= count; k++) sub(/=.*/, "", parameters[k])
			next
		}
		{
			text = ""
			for (k = 1; k <= count; k++) text = text (k > 1 ? ", " : "") parameters[k] " " $column[parameters[k]]
			print model, experiment, text, unit, sprintf("%.4g", $column[metric])
		}' "$tmp/points"
}

predict_small_kernels() {
	predict_points mi210 bandwidth GB/s stream-occupancy kernel=init,read,scale,triad,3pt,5pt block=64,128,256,512,1024
	predict_points mi210 each us launch-sequence side=64,128,257,520,1013 block=4x256,64x16,1024x1
}

# The nearest that the model has to one of the two dies of an MI250X, which has 110 CUs.
predict_stencils() {
	local die=mi210,compute_units=112
	for form in plain rows; do predict $die stencils $form 256; done
	for form in laplacian update norm; do predict $die stencils $form 2048; done
}

# Small, square, thin and deep ones.
predict_products() { # MODEL
	local ops size
	for size in '256 256 256' '1024 1024 1024' '64 1408 128' '4288 4 3328' '704 448 512' '448 2368 1280'; do
		# shellcheck disable=SC2086 # a list
		for ops in 'sgemm NN' 'sgemm TN' 'hgemm NN'; do predict "$1" products $ops $size; done
	done
}

predict_programs() {
	predict_l2_stream
	predict_chases
	predict_levels
	predict_transposes
	for model in mi25 mi60 mi100; do
		predict_lattices $model
		predict_chains $model
		predict_accesses $model
	done
	predict_small_kernels
	predict_stencils
}

# The rows of the file that this run computes (1), or the others (0).
select_rows() { # 0|1
	awk -F'\t' -v part="$part" -v own="$1" '!/^#/ && (($2 == "rocblas") == (part == "rocblas")) == own' $table
}

sort_rows() { sort -s -t $'\t' -k1,2 "$@"; }

: >"$tmp/failed"
if [ "$part" = rocblas ]; then
	build_program products -lrocblas
	for model in mi25 mi60 mi100 mi210; do predict_products $model; done >"$tmp/new"
else
	for program in l2_stream chase levels lattice chains accesses stencils; do build_program $program; done
	predict_programs >"$tmp/new"
fi
check 'all programs run' "$(cat "$tmp/failed")"
sort_rows "$tmp/new" >"$tmp/rows"
if [ -n "${UPDATE:-}" ] && [ ! -s "$tmp/failed" ]; then
	select_rows 0 | cat - "$tmp/rows" | sort_rows >"$tmp/table"
	printf '# model\tprogram\tparameters\tunit\tvalue\n' | cat - "$tmp/table" >$table
fi
select_rows 1 >"$tmp/file"
check "$(wc -l <"$tmp/file") predictions are those of the file" "$(diff "$tmp/file" "$tmp/rows")"
finish
