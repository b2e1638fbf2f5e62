/* Measures one job: build, fill, verify, warm up, sample, read the clocks. Main thread of the worker. */
#ifndef GPU_WORKER_MEASURE_POINT_H
#define GPU_WORKER_MEASURE_POINT_H

#include "gpu/backends/backend.h"
#include "gpu/protocol/job_record.h"

/* The phase of a job; cancel and progress depend on it. */
enum job_phase {
	JOB_PHASE_IDLE,
	JOB_PHASE_HOST /* compiling, filling, comparing */,
	JOB_PHASE_DEVICE /* a launch is running */
};

/* How a measurement polls for cancellation and reports progress. */
struct measure_callbacks {
	void *ctx;
	bool (*cancelled)(void *ctx);
	void (*phase)(void *ctx, enum job_phase phase);
	void (*state)(void *ctx, const char *state);     /* "compiling", "running" */
	void (*sampled)(void *ctx, int done, int total); /* on hardware: samples */
};

/* The point record; the caller owns it. Its "status" is the result. *lost is set if the device is unusable in this
 * process from now on. */
json_t *measure_job_point(
	const struct opened_device *d, const struct job *j, const struct measure_callbacks *m, bool *lost);
/* The record of a point without a measurement; `error` may be NULL. */
json_t *point_make_unmeasured(const struct job *j, const char *status, const struct err *error);

/* Whether the buffers, and their host copies if the job is verified, fit into `budget` bytes of host memory (0: no
 * limit). False with an error. */
bool job_fits_memory(const struct job *j, uint64_t budget, struct err *e);

#endif
