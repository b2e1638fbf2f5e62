/* A sweep runs the points of a plan on a pool of workers, with statistics and metrics. It is a state machine that never
 * blocks; the screen and the command line drive it with the same calls. */
#ifndef EXPERIMENTS_SWEEP_SWEEP_H
#define EXPERIMENTS_SWEEP_SWEEP_H

#include "base/stats.h"
#include "experiments/definition/sweep_plan.h"
#include "gpu/controller/worker_pool.h"
#include "gpu/protocol/kernel_agreement.h"

/* "definition", "params" and "sweep" as in the header of the session; the caller owns it. */
json_t *plan_to_json(const struct plan *p);

enum point_status { POINT_WAITING, POINT_RUNNING, POINT_OK, POINT_FAILED, POINT_CANCELLED };

struct point {
	enum point_status status;
	double values[PARAMS_MAX];
	struct stats seconds;
	struct reading metrics[METRICS_MAX], metrics_low[METRICS_MAX],
		metrics_high[METRICS_MAX]; /* median, quartiles */
	struct clocks clocks;
	bool clocks_moved;
	char verify[8], contract[8];          /* "ok", "failed"/"broken", "none" */
	char text[512];                       /* error, or why the point is suspect */
	char verdict[200];                    /* the experiment's verdict in words, or "" */
	double host_seconds, compile_seconds; /* of the worker: for the point, and before that for its kernel */
	json_t *record;                       /* the point record with "metrics" added; owned by the sweep */
};

enum sweep_state {
	SWEEP_RUNNING,
	SWEEP_DONE,
	SWEEP_FAILED /* the pool died or the device is not available */,
	SWEEP_CANCELLED
};

struct sweep;
typedef void sweep_listener(void *ctx, const struct sweep *s, int point); /* called when a point has ended */

/* Copies the plan; borrows its experiment and the pool. Job ids are unique in the process. Points may end in any order;
 * the listener is called in the order of the plan. NULL with an error. sweep_free. */
struct sweep *sweep_start(
	const struct plan *p, struct worker_pool *w, sweep_listener *on_point, void *ctx, struct err *e);
/* Its points must be of the kernels of other points, too; otherwise of one kernel among themselves. A point that is not
 * fails the sweep and is left out. Borrows. */
void sweep_share_kernels(struct sweep *s, struct kernel_agreement *kernels);
/* For a listener that has kept what it needs of an ended point. */
void sweep_forget_record(const struct sweep *s, int point);
/* Call with every record from the pool; ignores those of other jobs. Keeps as many jobs in the pool as it wants. */
void sweep_handle_record(struct sweep *s, const json_t *record);
/* Call when the pool has died: the sweep fails. The listener is called for points that ended after one that did not. */
void sweep_pool_died(struct sweep *s, const char *why);
/* Also calls the listener for points that ended after one that did not: they are kept. Other sweeps on the pool go on.
 */
void sweep_cancel(struct sweep *s);
void sweep_free(struct sweep *s);

enum sweep_state sweep_state(const struct sweep *s);
const struct plan *sweep_plan(const struct sweep *s);
const struct point *sweep_points(const struct sweep *s, int *count);
/* The points from `from` to below `to` can have changed since the last look; of a sweep that has ended, all. */
void sweep_open_points(const struct sweep *s, int *from, int *to);
int sweep_done_count(const struct sweep *s);          /* points that have ended */
double sweep_fraction(const struct sweep *s);         /* 0..1 with the running point's progress */
double sweep_elapsed(const struct sweep *s);          /* seconds since the start */
double sweep_point_elapsed(const struct sweep *s);    /* seconds since the last end of a point; 0 unless it runs */
const char *sweep_status_text(const struct sweep *s); /* one line: "point 3 of 16: 40 %, 4 running", or the error */
/* The session header of a measured plan; the caller owns it. `device` is the worker's device record. Its "columns"
 * (docs/protocol.md) allow tables and plots without the experiment. */
json_t *plan_build_header(const struct plan *p, const json_t *device);
json_t *sweep_build_header(const struct sweep *s, const json_t *device);

#endif
