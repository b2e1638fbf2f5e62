/* What is left to measure of a plan, in parts that are plans themselves: the whole plan, or what a session to be
 * resumed does not have yet. */
#ifndef CLI_RUN_PLAN_PARTS_H
#define CLI_RUN_PLAN_PARTS_H

#include <jansson.h>

#include "experiments/sweep/sweep.h"
#include "sessions/load/point_index.h"
#include "sessions/session.h"
#include "cli/cli_support.h"

struct plan_part {
	struct plan plan;
	int *point; /* of the whole plan, for each of this plan's points */
};
struct plan_parts {
	struct plan_part *list;
	int count;
};

/* Points of the plan that `have` (a flag a point) holds are left out. */
void plan_parts_make(const struct plan *whole, const bool *have, struct plan_parts *out);
void plan_parts_free(struct plan_parts *p);

/* The defaults and the sweep that a recording was made with, in place of the device kind's: what a replay of it can
 * measure. */
bool plan_from_recording(struct plan *p, const char *path, struct err *e);

void plan_from_header(struct plan *p, const json_t *header); /* the plan has its experiment already */

/* What the words behind the experiment's name set: @PRESET, NAME=... */
bool plan_apply_words(struct plan *p, const struct argument_list *words, struct err *e);

/* The points that a session has measured, by their values; of two with the same the later one. */
struct measured_points {
	const struct session *session;
	struct point_index points;
	int params;
};
void measured_points_make(struct measured_points *m, const struct session *s, const struct experiment *x);
json_t *measured_points_find(const struct measured_points *m, const double *values); /* the session's; NULL without */
void measured_points_free(struct measured_points *m);
/* False when the session holds another experiment. */
bool session_check_experiment(const struct session *s, const struct experiment *x, const char *path, struct err *e);

#endif
