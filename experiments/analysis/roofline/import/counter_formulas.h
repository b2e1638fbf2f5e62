/* Operations, bytes and limits from the counters of a profiler.
 *
 * AMD. Bytes are (FETCH_SIZE + WRITE_SIZE) * 1024: both are in KB (rocprofiler's metrics.xml). Without them, from the
 * requests of L2 to memory: 64 bytes each, reads of TCC_EA_RDREQ_32B and writes that are not TCC_EA_WRREQ_64B 32 bytes
 * (ROCm documentation, "MI200 performance counters and metrics"). FLOPs are 64 * (ADD + MUL + TRANS + 2 * FMA) of
 * SQ_INSTS_VALU_..._F16, F32 and F64, which count waves of 64 lanes, and 512 * SQ_INSTS_VALU_MFMA_MOPS_...
 * (rocprofiler- compute's documentation, "Roofline"). Instructions are SQ_INSTS_VALU + SQ_INSTS_SALU, which count
 * waves.
 *
 * NVIDIA. FLOPs are add + mul + 2 * fma of sm__sass_thread_inst_executed_op_[dfh]..._pred_on.sum, which count threads;
 * those of h twice, as an instruction has two halves; bytes are dram__bytes.sum (Yang, Hierarchical roofline analysis,
 * arXiv 2009.02449). Operations of tensor cores are not in them. `ncu --set roofline` has the same per cycle, and the
 * peaks (Nsight Compute's SpeedOfLight_RooflineChart.section). */
#ifndef EXPERIMENTS_ANALYSIS_COUNTER_FORMULAS_H
#define EXPERIMENTS_ANALYSIS_COUNTER_FORMULAS_H

#include "experiments/analysis/roofline/import/profiled_kernels.h"
#include "experiments/analysis/roofline/roofline_point.h"

bool roofline_uses_counter(const char *name);
/* The name that the formulas have for a counter: FETCH_SIZE for FetchSize, which is in kilobytes as well (GPUOpen
 * GPUPerfAPI, "Compute counters", global memory group). */
const char *roofline_counter_name(const char *name);
/* Whether a value can be that counter's: sizes are whole requests of 32 bytes on all targets (ROCprofiler-SDK,
 * derived_counters.xml), so that their KB are whole thirty-seconds; those of other units mostly are not. */
bool roofline_check_size(const char *name, double value);
/* Sets seconds, bytes, operations and kind. False with one line if a counter is missing. */
bool roofline_count_amd(const struct profiled_kernel *k, struct roofline_point *out, struct err *e);
/* The same, and peak, roofs and bandwidth, which ncu writes. */
bool roofline_count_nvidia(const struct profiled_kernel *k, struct roofline_point *out, struct err *e);

#endif
