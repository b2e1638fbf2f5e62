/* The state of the point that is measured, for the files of this folder. */
#ifndef GPU_WORKER_MEASURE_POINT_RUN_H
#define GPU_WORKER_MEASURE_POINT_RUN_H

#include "gpu/worker/buffers/job_buffers.h"
#include "gpu/worker/captured_run.h"
#include "gpu/worker/loaded_kernel.h"
#include "gpu/worker/measure_point.h"
#include "gpu/worker/reference/verification.h"
#include "gpu/worker/stream_sequence.h"
#include "softgpu/probe.h"

/* The current point. */
struct point_run {
	const struct opened_device *d;
	const struct job *j;
	const struct measure_callbacks *m;
	struct loaded_kernel kernel;
	struct buffers buffers;
	struct stream_sequence sequence; /* used if the job has steps */
	struct captured_run captured;    /* used if the job has a captured launch */
	double *seconds, *wall;          /* by device events, by the host clock */
	double worked;                   /* seconds of all launches so far, by device events */
	double started;                  /* when the last launches were issued, by the host clock */
	int count, tries;                /* tries: how often the samples were taken */
	unsigned launches;               /* of a sample */
	double timer_step;               /* seconds; 0: unknown */
	struct softgpu_launch launch;    /* the launch of the sample, on a software GPU */
	bool launch_known;
	struct buffers expected; /* the results of a reference that is a kernel: only host copies */
	struct verification verification;
	char contract_text[256];
	const char *contract;
	struct clocks clocks;
	bool clocks_moved, cancelled, lost;
};

#endif
