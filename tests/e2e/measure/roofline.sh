#!/usr/bin/env bash
# Files of rocprof, rocprofv3 and ncu on a roofline: numbers by the documented formulas, and what is refused. The file of ncu
# has columns of one that an H200 gave; the others are written in the formats of their tools. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export LC_ALL=C.UTF-8
profiles=tests/experiments/profiles

import() { # file, arguments
	timeout $patience "$BUILD/wavedeck" roofline --import "$@" >"$tmp/log" 2>&1
}
# A Python condition on r, the output, and k, its kernels by their names, if it is of one file.
holds() { # condition
	python3 - "$tmp/log" "$1" <<'PYTHON'
import json, math, sys
r = json.load(open(sys.argv[1]))
k = {x["kernel"]: x for x in r["kernels"]} if isinstance(r, dict) else {}
def near(a, b): return math.isclose(a, b, rel_tol=1e-5)
sys.exit(not eval(sys.argv[2]))
PYTHON
}
refused() { # what, error, file, arguments
	import "${@:3}"
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -qF -- "$2" "$tmp/log"
	result $? "$1"
}
edited() { # sed script, name: writes $tmp/edited.csv
	sed -E "$1" "$profiles/$2.csv" >"$tmp/edited.csv"
}

# --- rocprof: two launches of axpy, which read 128 MiB and write 64 MiB in 160 and 200 us; 262144 waves do one FMA each ---
axpy='k["axpy(float*, float*, int) [clone .kd]"]'
import $profiles/rocprof-mi210.csv --device soft:mi210 --json
holds 'r["tool"] == "rocprof" and r["device"] == "AMD Instinct MI210" and len(k) == 2'
result $? 'rocprof: the kernels of the file'
holds "near(${axpy}['seconds'], 180e-6) and ${axpy}['launches'] == 2 and near(${axpy}['bytes'], 192 * 2**20)"
result $? 'times and bytes are means of the launches; sizes are in KB'
holds "near(${axpy}['flops'], 64 * 2 * 262144) and near(${axpy}['intensity'], 64 * 2 * 262144 / (192 * 2**20))"
result $? 'an FMA of a wave is 128 FLOPs'
holds "near(${axpy}['per_second'], 64 * 2 * 262144 / 180e-6) and ${axpy}['verdict'].startswith('memory-bound: ')"
result $? 'its rate, and what limits it'
holds "near(k['sum, \"fast\"']['flops'], 64 * (1000 + 500 + 100 + 2 * 44236800)) and near(k['sum, \"fast\"']['bytes'], 16384)"
result $? 'additions, multiplications and others are one; quotes in names'
holds "near(${axpy}['limits']['memory_bytes_per_s'], 1638.4e9) and near(${axpy}['limits']['peak'], 104 * 128 * 1.7e9)"
result $? 'the limits are those of the model'

# --- rocprofv3: a row for each counter ---
copy='k["copy(int*, int*)"]'
import $profiles/rocprofv3-mi100.csv --device soft:mi100 --json
holds "r['tool'] == 'rocprofv3' and ${copy}['launches'] == 2 and near(${copy}['seconds'], 180e-6) and near(${copy}['bytes'], 2**27)"
result $? 'rocprofv3: launches, times and bytes'
holds "${copy}['unit'] == 'inst' and ${copy}['instructions'] == 1572864 + 524288 and near(${copy}['limits']['peak'], 120 * 1.502e9)"
result $? 'without FLOPs, instructions of waves'

# --- ncu: thousands with commas, units below the header ---
import $profiles/ncu-h200.csv --json
holds 'r["tool"] == "ncu" and k["axpy(float *, float *, int)"]["launches"] == 2 and near(k["fmas(float *)"]["seconds"], 48608e-9)'
result $? 'ncu: launches and times'
holds 'near(k["axpy(float *, float *, int)"]["bytes"], (183086080 + 183039744) / 2) and near(k["fmas(float *)"]["flops"], 2 * 1107296256)'
result $? 'bytes of memory, FLOPs of threads'
holds 'near(k["fmas(float *)"]["limits"]["peak"], 2 * 16896 * 1479659477.43) and near(k["fmas(float *)"]["limits"]["memory_bytes_per_s"], 1504 * 3197169190.26)'
result $? 'the limits are in the file'
holds 'k["fmas(float *)"]["verdict"].startswith("compute-bound: 9") and k["axpy(float *, float *, int)"]["verdict"].startswith("memory-bound: 6")'
result $? 'an H200: FMAs reach 91 % of the peak, axpy 62 % of the memory'
holds 'r["device"] == "NVIDIA H200"'
result $? 'and so is the name of the GPU'
import $profiles/ncu-h200.csv
[ "$(wc -l <"$tmp/log")" -eq 4 ] && grep -q 'fmas(float \*) .* TFLOP/s .* compute-bound' "$tmp/log"
result $? 'the table'

# --- several files ---
import $profiles/rocprof-mi210.csv $profiles/ncu-h200.csv --device soft:mi210 --json
holds '[(f["file"].split("/")[-1], f["tool"], f["device"], len(f["kernels"])) for f in r] == [
	("rocprof-mi210.csv", "rocprof", "AMD Instinct MI210", 2), ("ncu-h200.csv", "ncu", "NVIDIA H200", 2)]'
result $? 'several files are a list; --device is for those without limits'
import $profiles/ncu-h200.csv --import $profiles/rocprof-mi210.csv --device soft:mi210 --json
holds '[f["tool"] for f in r] == ["ncu", "rocprof"]'
result $? 'also with --import for each'
import $profiles/rocprof-mi210.csv $profiles/ncu-h200.csv --device soft:mi210
[ "$(wc -l <"$tmp/log")" -eq 9 ] && grep -q "^NVIDIA H200, from ncu, $profiles/ncu-h200.csv$" "$tmp/log" &&
	[ "$(grep -c '^kernel ' "$tmp/log")" -eq 2 ] && [ "$(grep '^kernel ' "$tmp/log" | uniq | wc -l)" -eq 1 ]
result $? 'as tables with the same columns, each with its file'

# --- passes over one program: each with the counters that the other does not have ---
columns() { # first and last column that are left out, name: writes $tmp/NAME.csv
	python3 - "$profiles/rocprof-mi210.csv" "$1" "$2" >"$tmp/$3.csv" <<'PYTHON'
import csv, sys
for row in csv.reader(open(sys.argv[1])):
    row[int(sys.argv[2]):int(sys.argv[3]) + 1] = []
    csv.writer(sys.stdout, quoting=csv.QUOTE_ALL).writerow(row)
PYTHON
}
columns 17 18 operations
columns 19 24 sizes
import $profiles/rocprof-mi210.csv --device soft:mi210 --json
cp "$tmp/log" "$tmp/one"
import "$tmp/sizes.csv" "$tmp/operations.csv" --join --device soft:mi210 --json
cmp "$tmp/one" "$tmp/log" >/dev/null
result $? 'two passes that are joined are like one with all counters'
refused 'without --join, a pass lacks counters' 'no SQ_INSTS_VALU' "$tmp/sizes.csv" "$tmp/operations.csv" --device soft:mi210
cat >"$tmp/script" <<END
size 120x36
wait device
action roofline
action roofline-import $tmp/sizes.csv $tmp/operations.csv
expect no SQ_INSTS_VALU
action roofline-import $tmp/sizes.csv $tmp/operations.csv --join
expect 2 kernels of AMD Instinct MI210, from rocprof, joined
expect sizes: axpy(float*, float*, int)
action roofline-import $tmp/*s.csv $profiles/ncu-h200.csv --join
expect leave --join out
action roofline-import $tmp/*s.csv --join
expect 2 kernels of AMD Instinct MI210, from rocprof, joined
END
timeout $patience "$BUILD/wavedeck" --device soft:mi210 --script "$tmp/script" >"$tmp/log" 2>&1
result $? 'the roofline view joins them, too' "$tmp/log"
sed -i 's/"160000"/"260000"/' "$tmp/operations.csv"
import "$tmp/sizes.csv" "$tmp/operations.csv" --join --device soft:mi210 --json
holds "near(${axpy}['seconds'], (180e-6 + 230e-6) / 2)"
result $? 'the time is the mean of the passes'
sed '$d' "$tmp/operations.csv" | sed 2d >"$tmp/fewer.csv"
refused 'other numbers of launches' 'profile the same work in each pass' "$tmp/sizes.csv" "$tmp/fewer.csv" --join --device soft:mi210
sed 's/sum, /max, /' "$tmp/operations.csv" >"$tmp/other.csv"
refused 'other kernels' 'is not in the files before' "$tmp/sizes.csv" "$tmp/other.csv" --join --device soft:mi210
refused 'passes of other profilers' 'leave --join out' "$tmp/sizes.csv" $profiles/ncu-h200.csv --join --device soft:mi210
edited 's/FETCH_SIZE/FetchSize/; s/WRITE_SIZE/WriteSize/' rocprof-mi210
import "$tmp/edited.csv" --device soft:mi210 --json
cmp "$tmp/one" "$tmp/log" >/dev/null
result $? 'FetchSize and WriteSize are in KB, too'

# --- what is refused ---
edited 's/FETCH_SIZE/FetchSize/; s/WRITE_SIZE/WriteSize/; s/,131072,65536,/,134217728,67108864,/' rocprof-mi210
refused 'FetchSize in bytes' 'would move 1.15 PB/s' "$tmp/edited.csv" --device soft:mi210
edited 's/,1835008,/,65536,/' rocprof-mi210
refused 'vector instructions of one of four SIMDs' 'do these count threads, or that one of four SIMDs?' "$tmp/edited.csv" --device soft:mi210
edited 's/,1572864.0+,/,629145600,/' rocprofv3-mi100
refused 'instructions that are counted too often' 'not for each of four SIMDs?' "$tmp/edited.csv" --device soft:mi100
refused 'the second of two files' 'cannot read none.csv' $profiles/ncu-h200.csv none.csv
refused 'a model that no file needs' 'leave --device out' $profiles/ncu-h200.csv $profiles/ncu-h200.csv --device soft:mi25
refused 'no such file' 'cannot read none.csv' none.csv
refused 'another file' 'is not a CSV file of rocprof' docs/glossary.md
refused 'a file without limits needs a device' '--device soft:mi210' $profiles/rocprof-mi210.csv
refused 'a device that is not a model' '--device soft:mi210' $profiles/rocprof-mi210.csv --device hip:0
refused 'a model for a file of ncu' 'leave --device out' $profiles/ncu-h200.csv --device soft:mi25
edited 's/WRITE_SIZE/OTHER_SIZE/' rocprof-mi210
refused 'a counter is missing' 'no WRITE_SIZE' "$tmp/edited.csv" --device soft:mi210
edited 's/_TRANS_/_OTHER_/' rocprof-mi210
refused 'FLOPs in part' 'no SQ_INSTS_VALU_TRANS_F32' "$tmp/edited.csv" --device soft:mi210
edited 's/"(SQ_INSTS_SALU)"/"OTHER"/' rocprofv3-mi100
refused 'neither FLOPs nor instructions' 'no SQ_INSTS_SALU' "$tmp/edited.csv" --device soft:mi100
edited 's/,131072,65536,/,134217728,67108864,/' rocprof-mi210
refused 'bytes instead of KB' 'would move 1.15 PB/s' "$tmp/edited.csv" --device soft:mi210
edited 's/"SQ_INSTS_VALU"/"OTHER"/; s/,262144,1000,/,1677721600,1000,/' rocprof-mi210
refused 'threads instead of waves' 'FLOP/s, but' "$tmp/edited.csv" --device soft:mi210
refused 'another GPU' 'is --device the GPU that was profiled' $profiles/rocprof-mi210.csv --device soft:mi25
edited 's/DurationNs/A/; s/BeginNs/B/' rocprof-mi210
refused 'no times' '--timestamp on' "$tmp/edited.csv" --device soft:mi210
edited 's/,160000$/,nan/' rocprof-mi210
refused 'a time that is no number' "edited.csv:2: 'nan' in column DurationNs is not a number" "$tmp/edited.csv" --device soft:mi210
edited 's/"byte",/"Kbyte",/' ncu-h200
refused 'units count' 'would move 2.99 PB/s' "$tmp/edited.csv"
edited 's/"ns"/"byte"/' ncu-h200
refused 'a time in bytes' "unknown unit 'byte' of gpu__time_duration.sum" "$tmp/edited.csv"
edited 's/dram__bytes.sum.peak_sustained/dram__other/' ncu-h200
refused 'ncu without peaks' 'ncu --set roofline' "$tmp/edited.csv"
timeout $patience "$BUILD/wavedeck" roofline >"$tmp/log" 2>&1
[ $? -eq 2 ] && grep -q 'write: wavedeck roofline --import' "$tmp/log"
result $? 'no file'
timeout $patience "$BUILD/wavedeck" roofline $profiles/ncu-h200.csv >"$tmp/log" 2>&1
[ $? -eq 2 ] && grep -q 'write: wavedeck roofline --import' "$tmp/log"
result $? 'a file without --import'
finish
