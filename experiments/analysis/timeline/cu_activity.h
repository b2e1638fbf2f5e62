/* What a CU does over time, from the spans of its waves: how many waves are resident, and how many instructions they
 * issue. */
#ifndef EXPERIMENTS_ANALYSIS_TIMELINE_CU_ACTIVITY_H
#define EXPERIMENTS_ANALYSIS_TIMELINE_CU_ACTIVITY_H

#include "experiments/analysis/timeline/wave_spans.h"

struct cu_activity {
	double waves; /* resident, on average */
	double ipc;   /* instructions per cycle, of all waves */
};

/* The activity in each of `columns` intervals of `zoom` cycles, from cycle `left` on. */
void cu_activity_measure(
	const struct wave_spans *w, uint64_t left, uint64_t zoom, int columns, struct cu_activity *out);

#endif
