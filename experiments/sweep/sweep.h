/* A sweep: a plan of points, run on a worker, point by point, with statistics and metrics. A state machine that never
 * blocks: the screen and the command line drive it with the same calls. */
#ifndef EXPERIMENTS_SWEEP_SWEEP_H
#define EXPERIMENTS_SWEEP_SWEEP_H

#include "base/stats.h"
#include "experiments/definition/experiment.h"
#include "gpu/controller/worker_controller.h"

/* --- what to measure --- */
enum { PLAN_POINTS_MAX = 100000 }; /* a sweep longer than this is a slip of the pen */
struct plan_axis {
	int param;
	double *values;
	int count;
}; /* one swept parameter */
struct plan {
	struct experiment *x;              /* borrowed */
	double fixed[PARAMS_MAX];          /* a value for every parameter */
	struct plan_axis axes[PARAMS_MAX]; /* in the order given; the last one runs fastest */
	int axis_count;
	bool soft_defaults; /* fixed started from the software GPU's scaled defaults */
	bool verify;
	const char *const *
		counters; /* NULL-terminated rocprofiler names put into every job as "counters"; NULL: none; borrowed */
	bool profile; /* every job asks for a "profile" (gpu/protocol/record.h); a device that cannot look inside leaves
	               * it out
	               */
	const json_t *
		inside; /* what every job wants to see of its launch (gpu/protocol/record.h); NULL: nothing; borrowed */
	bool own_axes;  /* the default sweep was replaced by an argument */
};

/* The default plan: defaults of the device kind and the default sweep. */
void plan_init_default(struct plan *p, struct experiment *x, bool soft);
/* One NAME=VALUE | NAME=A..B[:x2|:+16] | NAME=a,b,c argument. The first list or range replaces the default sweep. */
bool plan_apply_argument(struct plan *p, const char *argument, struct err *e);
/* The parameters that are set under "@NAME". What every experiment has; its own preset of the same name is meant where
 * there is one. id         name       help */
/* clang-format off */
#define GENERAL_PRESETS(X) \
	X(SMALL,     small,     "the sizes for the software GPU") \
	X(PUBLISHED, published, "the published sizes and sweep") \
	X(QUICK,     quick,     "five points of small") \
	X(CLASS,     class,     "twelve points of small, for a lecture: the workbench shows one every half second")
/* clang-format on */
#define PRESET_ID(id, ...) PRESET_##id,
enum { GENERAL_PRESETS(PRESET_ID) GENERAL_PRESET_COUNT };
#undef PRESET_ID
bool plan_apply_preset(struct plan *p, const char *name, struct err *e);
const char *plan_preset_name(
	const struct experiment *x, int i); /* the general ones first, then the experiment's; NULL behind the last */
const char *general_preset_help(int i);
/* Leaves up to so many values (at least 2) of each axis, spread evenly, its ends among them. */
void plan_limit_points(struct plan *p, int values);
int plan_point_count(const struct plan *p);
void plan_point_values(const struct plan *p, int point, double *values /* [param_count] */);
void plan_copy(struct plan *to, const struct plan *from); /* the experiment and the counters stay borrowed */
void plan_free(struct plan *p);
/* "definition", "params" and "sweep" as the header of its session would have them; the caller owns it. */
json_t *plan_to_json(const struct plan *p);

/* --- measuring --- */
enum point_status { POINT_WAITING, POINT_RUNNING, POINT_OK, POINT_FAILED, POINT_CANCELLED };

struct stats point_sample_stats(const json_t *record); /* of a point record's samples */

struct point {
	enum point_status status;
	double values[PARAMS_MAX];
	struct stats seconds;
	struct reading metrics[METRICS_MAX], metrics_low[METRICS_MAX],
		metrics_high[METRICS_MAX]; /* median, quartiles */
	struct clocks clocks;
	bool clocks_moved;
	char verify[8], contract[8]; /* "ok", "failed"/"broken", "none" */
	char text[256];              /* error, or why it is suspect */
	char verdict[200];           /* what its metrics mean, where the experiment says so in words */
	json_t *record;              /* the point record with "metrics" added; owned by the sweep */
};

enum sweep_state {
	SWEEP_RUNNING,
	SWEEP_DONE,
	SWEEP_FAILED /* the worker died or the device is not there */,
	SWEEP_CANCELLED
};

struct sweep;
typedef void sweep_listener(void *ctx, const struct sweep *s, int point); /* a point has ended */

/* Borrows the plan's experiment; copies the plan. The worker stays the caller's. Jobs get ids that are unique in the
 * process. */
struct sweep *sweep_start(
	const struct plan *p, struct worker_controller *w, sweep_listener *on_point, void *ctx, struct err *e);
/* Feed every record that came from the worker; records of other jobs are ignored. Keeps two jobs queued at the worker.
 */
void sweep_handle_record(struct sweep *s, const json_t *record);
/* Call when the worker has died: the running point fails, the rest waits; sweep_resume goes on with a new worker after
 * the failed point. */
void sweep_worker_died(struct sweep *s, const char *why);
bool sweep_resume(struct sweep *s, struct worker_controller *w);
void sweep_cancel(struct sweep *s);
void sweep_free(struct sweep *s);

enum sweep_state sweep_state(const struct sweep *s);
const struct plan *sweep_plan(const struct sweep *s);
const struct point *sweep_points(const struct sweep *s, int *count);
int sweep_done_count(const struct sweep *s);  /* points ended */
double sweep_fraction(const struct sweep *s); /* 0..1 with the running point's progress */
const char *sweep_status_text(
	const struct sweep *s); /* state in a line: "compiling", "point 3 of 16: 40 %", the failure */
/* The session header for what this sweep measures; the caller owns it. `device` is the worker's device record. It has
 * "columns" as gpu/protocol/record.h says, so that tables and plots need no experiment at hand. */
json_t *sweep_build_header(const struct sweep *s, const json_t *device);

#endif
