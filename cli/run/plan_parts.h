/* Splits the unmeasured rest of a plan into parts, which are plans themselves: the whole plan, or the points that a
 * resumed session does not have. */
#ifndef CLI_RUN_PLAN_PARTS_H
#define CLI_RUN_PLAN_PARTS_H

#include <jansson.h>

#include "experiments/sweep/sweep.h"
#include "sessions/load/point_index.h"
#include "sessions/session.h"
#include "cli/cli_support.h"

struct plan_part {
	struct plan plan;
	int *point; /* index in the whole plan, for each point of this part */
};
struct plan_parts {
	struct plan_part *list;
	int count;
};

/* Skips the points of the plan that `have` (one flag per point) marks. */
void plan_parts_make(const struct plan *whole, const bool *have, struct plan_parts *out);
void plan_parts_free(struct plan_parts *p);

/* Replaces the defaults and the sweep by those of a recording: a replay can measure nothing else. */
bool plan_from_recording(struct plan *p, const char *path, struct err *e);

void plan_from_header(struct plan *p, const json_t *header); /* p->x must be set */

/* Applies the arguments after the experiment's name: @PRESET, NAME=... */
bool plan_apply_words(struct plan *p, const struct argument_list *words, struct err *e);

/* The measured points of a session by their values; of equal points, the later one. */
struct measured_points {
	const struct session *session;
	struct point_index points;
	int params;
};
void measured_points_make(struct measured_points *m, const struct session *s, const struct experiment *x);
/* Finds the point's index in the session. */
bool measured_points_find(const struct measured_points *m, const double *values, size_t *at);
void measured_points_free(struct measured_points *m);
/* False with one line if the session is of another experiment. */
bool session_check_experiment(const struct session *s, const struct experiment *x, const char *path, struct err *e);

#endif
