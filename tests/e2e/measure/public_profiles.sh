#!/usr/bin/env bash
# Files of profilers as they are in public repositories, which docs/workbench.md names: the columns are theirs, the numbers
# are not. What lacks a time, a peak or a unit is refused with what to do. TAP.
# shellcheck source=../../tap.bash
. "$(dirname "$0")/../../tap.bash"
export LC_ALL=C.UTF-8

import() { # arguments
	timeout $patience "$BUILD/wavedeck" roofline --import "$@" >"$tmp/log" 2>&1
}
# A Python condition on k, the kernel of the output
holds() { # condition
	python3 - "$tmp/log" "$1" <<'PYTHON'
import json, math, sys
k = json.load(open(sys.argv[1]))["kernels"][0]
def near(a, b): return math.isclose(a, b, rel_tol=1e-5)
sys.exit(not eval(sys.argv[2]))
PYTHON
}
refused() { # what, error, arguments
	import "${@:3}"
	[ $? -eq 2 ] && [ "$(wc -l <"$tmp/log")" -eq 1 ] && grep -qF -- "$2" "$tmp/log"
	result $? "$1" "$tmp/log"
}

# --- rocprof through Omniperf: ROCm/omniperf, tests/workloads/*/MI200/pmc_perf.csv. 131072 requests of 64 bytes each way ---
python3 - >"$tmp/pmc_perf.csv" <<'PYTHON'
types = [f"SQ_INSTS_VALU_{op}_{t}" for t in ("F16", "F32", "F64") for op in ("ADD", "MUL", "FMA", "TRANS")]
print(",".join(["Dispatch_ID", "Kernel_Name", "GPU_ID", "Grid_Size", "Workgroup_Size", "LDS_Per_Workgroup", "Scratch_Per_Workitem",
	"Arch_VGPR", "Accum_VGPR", "SGPR", "wave_size", "obj", *types, "TCC_EA_RDREQ_sum", "TCC_EA_RDREQ_32B_sum", "TCC_EA_WRREQ_sum",
	"TCC_EA_WRREQ_64B_sum", "Start_Timestamp", "End_Timestamp"]))
print('0,"copy(double*, double*) [clone .kd]",2,1048576,256,0,0,8,4,16,64,0x7f,' + "0," * 12 + "131072.0,0.0,131072.0,131072.0,5000000,5020000")
PYTHON
import "$tmp/pmc_perf.csv" --device soft:mi210 --json
holds 'near(k["bytes"], 2 * 131072 * 64) and near(k["seconds"], 20e-6) and k["flops"] == 0 and k["verdict"] == "no floating-point operations"'
result $? 'Omniperf: a kernel without FLOPs, by the counters of all types' "$tmp/log"
sed 's/SQ_INSTS_VALU_TRANS_F64/OTHER/' "$tmp/pmc_perf.csv" >"$tmp/edited.csv"
refused 'one counter of a type is missing' 'no SQ_INSTS_VALU_TRANS_F64' "$tmp/edited.csv" --device soft:mi210
sed -E 's/SQ_INSTS_VALU_[A-Z]*_F64/OTHER/g' "$tmp/pmc_perf.csv" >"$tmp/edited.csv"
refused 'a type is missing, and no instructions' 'no SQ_INSTS_VALU for kernel' "$tmp/edited.csv" --device soft:mi210
sed 's/131072.0,0.0,131072.0,131072.0/33000000.0,29000000.0,0.0,33000000.0/' "$tmp/pmc_perf.csv" >"$tmp/edited.csv"
refused 'requests that no memory serves in that time' 'TB/s, but the memory of AMD Instinct MI210' "$tmp/edited.csv" --device soft:mi210

# --- rocprof: amd/HPCTrainingExamples, rocm-blogs-codes/finite-difference/examples: times and sizes are in two files ---
ids='"Index","KernelName","gpu-id","queue-id","queue-index","pid","tid","grd","wgr","lds","scr","arch_vgpr","accum_vgpr","sgpr","wave_size","sig","obj"'
row='"stencil",8,0,1,4000,4000,134217728,256,0,0,24,0,32,64,0x0,0x7f'
printf '%s,"DispatchNs","BeginNs","EndNs","CompleteNs","DurationNs"\n0,%s,1000,2000,2002000,2003000,2000000\n1,%s,3000000,3001000,7001000,7002000,4000000\n' \
	"$ids" "$row" "$row" >"$tmp/results.csv"
printf '%s,FETCH_SIZE,WRITE_SIZE,SQ_INSTS_VALU,SQ_INSTS_SALU\n0,%s,1048576.0000000000,1048576.0000000000,30000000,10000000\n1,%s,1048576.0,1048576.0,30000000,10000000\n' \
	"${ids//\"/}" "$row" "$row" >"$tmp/data_movement.csv"
for order in 'results data_movement' 'data_movement results'; do
	import "$tmp/${order% *}.csv" "$tmp/${order#* }.csv" --join --device soft:mi210 --json
	holds 'k["launches"] == 2 and near(k["seconds"], 3e-3) and near(k["bytes"], 2**31)'
	result $? "times of one file, sizes of another: $order" "$tmp/log"
done
refused 'the file without times alone' 'or add a file with times and --join' "$tmp/data_movement.csv" --device soft:mi210
refused 'the file without sizes alone' 'no FETCH_SIZE' "$tmp/results.csv" --device soft:mi210

# Sizes are whole requests of 32 bytes, as are all 24 440 in that repository's data_movement.csv: 1.0625 KB are 34, 2048.0312
# KB about 65537.
sed 's/1048576.0000000000/1.0625/; s/1048576.0,/2048.0312,/' "$tmp/data_movement.csv" >"$tmp/edited.csv"
import "$tmp/results.csv" "$tmp/edited.csv" --join --device soft:mi210
result $? 'sizes with a fraction' "$tmp/log"
sed 's/1048576.0,/1024.0009765625,/' "$tmp/data_movement.csv" >"$tmp/edited.csv"
refused 'sizes in MB' 'edited.csv:3: 1024.000977 KB of FETCH_SIZE are not whole requests of 32 bytes; is it in KB' \
	"$tmp/results.csv" "$tmp/edited.csv" --join --device soft:mi210
sed 's/FETCH_SIZE/FetchSize/; s/1048576.0,/1073.741824,/' "$tmp/data_movement.csv" >"$tmp/edited.csv"
refused 'in MB of 1000 KB, by the older name' 'KB of FETCH_SIZE are not whole requests' \
	"$tmp/results.csv" "$tmp/edited.csv" --join --device soft:mi210

# --- rocprofv3: ROCm/rocprofiler-sdk, source/docs/data/counter_collection.csv; amd/HPCTrainingExamples, Profiling-by-example ---
v3='"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
launch='1,1,"Agent 1",2,4000,4000,262144,5,"stage(float*, float const*)",256,0,0,12,4,32'
{
	echo "$v3"
	for counter in FETCH_SIZE,6.55360000e+04 WRITE_SIZE,65536.000000 SQ_INSTS_VALU,1572864 SQ_INSTS_SALU,524288 SQ_WAVES,4096; do
		echo "$launch,\"${counter%,*}\",${counter#*,},1569078135380312,1569078135540312"
	done
} >"$tmp/counter_collection.csv"
import "$tmp/counter_collection.csv" --device soft:mi100 --json
holds 'k["launches"] == 1 and near(k["seconds"], 160e-6) and near(k["bytes"], 2**27) and k["instructions"] == 1572864 + 524288'
result $? 'rocprofv3: names of agents, numbers with exponents' "$tmp/log"
sed -n '1p; /SQ_WAVES/p' "$tmp/counter_collection.csv" >"$tmp/edited.csv"
refused 'SQ_WAVES alone' 'no FETCH_SIZE' "$tmp/edited.csv" --device soft:mi100
sed 's/,65536.000000,/,64.001,/' "$tmp/counter_collection.csv" >"$tmp/edited.csv"
refused 'rocprofv3: sizes in MB' '64.001 KB of WRITE_SIZE are not whole requests' "$tmp/edited.csv" --device soft:mi100
sed -E 's/,"Start_Timestamp","End_Timestamp"//; s/,[0-9]{16},[0-9]{16}$//' "$tmp/counter_collection.csv" >"$tmp/edited.csv"
refused 'a rocprofv3 that writes no times' 'has no times of the launches' "$tmp/edited.csv" --device soft:mi100

# --- ncu's page of details: leleucas/Actual-Parameter-Collection-for-Machine-Learning-Operators, dropout/...; Olajide-Badejo/
# GPU-Roofline-Profiler, results/sample_run/ncu. The kernels of a page raw, with a row for each metric ---
details() { # names that are left out, words that are replaced: OLD=NEW ...; writes $tmp/details.csv
	python3 - tests/experiments/profiles/ncu-h200.csv "$@" >"$tmp/details.csv" <<'PYTHON'
import csv, sys
rows = [row for row in csv.reader(open(sys.argv[1])) if len(row) > 20]
names, units, launches = rows[0], rows[1], rows[2:]
out = csv.writer(sys.stdout, quoting=csv.QUOTE_ALL, lineterminator="\n")
print("==PROF== Connected to process 490 (/home/u/a)")
out.writerow(names[:11] + ["Section Name", "Metric Name", "Metric Unit", "Metric Value"])
for row in launches:
    for name, unit, value in list(zip(names, units, row))[12:]:
        line = row[:11] + ["Command line profiler metrics", name, unit, value]
        for word in sys.argv[3:]:
            line = [word.partition("=")[2] if x == word.partition("=")[0] else x for x in line]
        if name not in sys.argv[2].split():
            out.writerow(line)
PYTHON
}
same_kernels() {
	python3 - "$tmp/raw" "$tmp/log" <<'PYTHON'
import json, sys
sys.exit(json.load(open(sys.argv[1]))["kernels"] != json.load(open(sys.argv[2]))["kernels"])
PYTHON
}
import tests/experiments/profiles/ncu-h200.csv --json
cp "$tmp/log" "$tmp/raw"
details ''
import "$tmp/details.csv" --json
same_kernels
result $? 'ncu: the page of details is like the page raw' "$tmp/log"
details '' sm__inst_executed_pipe_tensor.sum=sm__cycles_elapsed.avg
sed -i -E '/sm__cycles_elapsed.avg"/s/"inst","[^"]*"$/"cycle","149,896.17"/; /gpu__time_duration/d' "$tmp/details.csv"
import "$tmp/details.csv" --json
holds 'near(k["seconds"], 149896.17 * 2 / (1498961690.68 + 1494567214.49)) and k["launches"] == 2'
result $? 'cycles and their rate are a time' "$tmp/log"
details '' dram__bytes.sum=dram__bytes_op_read.sum sm__inst_executed_pipe_tensor.sum=dram__bytes_op_write.sum
sed -i -E '/bytes_op_write/s/"inst","[^"]*"$/"Kbyte","1,024.5"/' "$tmp/details.csv"
import "$tmp/details.csv" --json
holds 'near(k["bytes"], (183086080 + 183039744) / 2 + 1024500)'
result $? 'bytes read and written, by the names of newer GPUs' "$tmp/log"
details 'gpu__time_duration.sum'
refused 'no time' 'no gpu__time_duration.sum' "$tmp/details.csv"
details 'dram__bytes.sum.peak_sustained'
refused 'no peaks, as in most public files' 'no dram__bytes.sum.peak_sustained' "$tmp/details.csv"
details '' 183,086,080=n/a 183,039,744=n/a
refused 'a metric that the GPU lacks' 'no dram__bytes.sum' "$tmp/details.csv"
details '' ns=byte
refused 'a time in bytes' "unknown unit 'byte' of gpu__time_duration.sum" "$tmp/details.csv"
details '' byte=
refused 'no unit' "unknown unit '' of dram__bytes.sum" "$tmp/details.csv"
details '' 61,376=61,37
refused 'a comma as the decimal point' "'61,37' in column Metric Value is not a number" "$tmp/details.csv"

# --- the guide's tables: Techercise/AMD-Instruction-Roofline-using-rocProf-Metrics, LWFA_simulations/mi100_lw_cc_inst_output.csv:
# counters of rocprof in columns of ncu, with FetchSize in "bytes" that are 1000 times the KB of 1024 ---
printf '\357\273\277ID,Process ID,Process Name,Host Name,Kernel Name,Kernel Time,Context,Stream,Section Name,Metric Name,Metric Unit,Metric Value\n' >"$tmp/guide.csv"
for metric in FetchSize,bytes,1000000000 WriteSize,bytes,400000000 SQ_INSTS_VALU,inst,100000000 time,us,2400.5; do
	echo "0,1,a,127.0.0.1,Current,2020-Oct-25 19:59:36,1,16,Command line profiler metrics,$metric" >>"$tmp/guide.csv"
done
refused 'sizes that were converted by hand' ':2: FetchSize is a counter of AMD in a table of ncu' "$tmp/guide.csv"
finish
