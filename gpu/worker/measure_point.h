/* One job measured: build, fill, verify, warm up, sample, read the clocks. Runs in the worker's main thread. */
#ifndef GPU_WORKER_MEASURE_POINT_H
#define GPU_WORKER_MEASURE_POINT_H

#include "gpu/backends/backend.h"
#include "gpu/protocol/job_record.h"

/* Where a job is; the reader thread answers progress and cancel by it. */
enum job_phase {
	JOB_PHASE_IDLE,
	JOB_PHASE_HOST /* compiling, filling, comparing */,
	JOB_PHASE_DEVICE /* a launch is running */
};

/* What the measurement asks of and tells the worker. */
struct measure_callbacks {
	void *ctx;
	bool (*cancelled)(void *ctx);
	void (*phase)(void *ctx, enum job_phase phase);
	void (*state)(void *ctx, const char *state);     /* "compiling", "running" */
	void (*sampled)(void *ctx, int done, int total); /* on silicon */
};

/* The point record; the caller owns it. Its status says whether it worked. *lost is set when the device can do no more
 * in this process. */
json_t *measure_job_point(
	const struct opened_device *d, const struct job *j, const struct measure_callbacks *m, bool *lost);
/* The record of a point that was not measured; `error` may be NULL. */
json_t *point_make_unmeasured(const struct job *j, const char *status, const struct err *error);

/* Whether the job's buffers, with their host copies where it is verified, fit `budget` bytes of host memory (0: any
 * do); otherwise one line with the mend. */
bool job_fits_memory(const struct job *j, uint64_t budget, struct err *e);
/* Whether these samples suffice: the standard error of the mean is at most target * mean, or the limits are reached. */
bool samples_suffice(const double *seconds, int count, const struct sample_rule *rule, double elapsed);
/* A launch's exact time on a software GPU, where the event agrees with it within 1 us + 0.1 %; otherwise the event's,
 * and *agree is false. */
double launch_exact_seconds(double event, double exact, bool *agree);

#endif
