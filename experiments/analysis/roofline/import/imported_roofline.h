/* The kernels of a profiler's file as points of a roofline. */
#ifndef EXPERIMENTS_ANALYSIS_IMPORTED_ROOFLINE_H
#define EXPERIMENTS_ANALYSIS_IMPORTED_ROOFLINE_H

#include "experiments/analysis/roofline/import/profiled_kernels.h"
#include "experiments/analysis/roofline/roofline_point.h"

struct imported_roofline {
	struct profiled_kernels kernels;
	struct roofline_point *points; /* of each kernel: one launch on average */
	char device[128];
};

/* `device`: the software GPU that models the one that was profiled, "soft:mi210"; NULL: none. Files of ncu have limits
 * and do not use it. False with one line: also if a kernel moves more bytes or does more operations in its time than
 * the device can, by more than 5 %. Call imported_roofline_free in any case. */
bool imported_roofline_read(const char *path, const char *device, struct imported_roofline *out, struct err *e);
/* The same of several files, which are passes over one program with other counters each. */
bool imported_roofline_join(
	const char *const *paths, int count, const char *device, struct imported_roofline *out, struct err *e);
void imported_roofline_free(struct imported_roofline *r);

#endif
