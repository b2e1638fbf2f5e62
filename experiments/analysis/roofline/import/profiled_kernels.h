/* The kernels of a profiler's CSV file, with their times and counters, each the mean over the kernel's launches:
 *
 * - rocprof's results.csv: a row for each launch, a column for each counter (ROCm's documentation of rocprof; columns
 *   KernelName and DurationNs of version 1, Kernel_Name and Start_Timestamp of version 2);
 * - rocprofv3's counter_collection.csv: a row for each counter of a launch (documentation of ROCprofiler-SDK, "Using
 *   rocprofv3": columns Counter_Name and Counter_Value);
 * - `ncu --csv --page raw`: a row for each launch, a column for each metric, and the units in the row below the header
 *   (Nsight Compute CLI, "Command line output"). Its numbers have commas between thousands;
 * - `ncu --csv --metrics`, the page of details: a row for each metric of a launch, with its unit (columns Metric Name,
 *   Metric Unit and Metric Value). */
#ifndef EXPERIMENTS_ANALYSIS_PROFILED_KERNELS_H
#define EXPERIMENTS_ANALYSIS_PROFILED_KERNELS_H

#include <stdbool.h>

#include "base/err.h"
#include "gpu/protocol/record.h"

enum profiler { PROFILER_ROCPROF, PROFILER_ROCPROFV3, PROFILER_NCU };

struct profiled_counter {
	char *name;
	double sum;
	int values;
};

struct profiled_kernel {
	char *name;
	double seconds; /* the mean */
	int launches;
	struct profiled_counter *counters; /* of roofline_uses_counter alone; in bytes, seconds and Hz */
	int count;
};

struct profiled_kernels {
	enum profiler tool;
	struct profiled_kernel *list; /* in the order of their first launch */
	int count, timed;             /* timed: files with times, of those that were joined */
	char device[128];             /* the GPU's name, from ncu; "the profiled GPU" */
};

/* False with one line. A file of rocprof may lack times: `timed` is 0. Call profiled_kernels_free in any case. */
bool profiled_kernels_read(const char *path, struct profiled_kernels *out, struct err *e);
/* Adds the counters of another file of the same program, of a pass with other counters: the same kernels with as many
 * launches. Times are the mean of the files that have some. False with one line; `path` is that of `from`. */
bool profiled_kernels_join(
	struct profiled_kernels *to, const struct profiled_kernels *from, const char *path, struct err *e);
void profiled_kernels_free(struct profiled_kernels *k);
const char *profiler_name(enum profiler tool);
/* The mean of a counter over the kernel's launches. */
struct reading profiled_counter_mean(const struct profiled_kernel *k, const char *name);

#endif
