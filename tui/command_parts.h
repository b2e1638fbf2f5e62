/* What is left to measure of a plan, in parts that are plans themselves: the whole plan, or what a session to be
 * resumed does not have yet. */
#ifndef TUI_COMMAND_PARTS_H
#define TUI_COMMAND_PARTS_H

#include <jansson.h>

#include "experiments/sweep.h"
#include "sessions/point_index.h"
#include "sessions/session.h"
#include "tui/command.h"

struct part {
	struct plan plan;
	int *point; /* of the whole plan, for each of this plan's points */
};
struct parts {
	struct part *list;
	int count;
};

/* Points of the plan that `have` (a flag a point) holds are left out. */
void parts_make(const struct plan *whole, const bool *have, struct parts *out);
void parts_free(struct parts *p);

/* The defaults and the sweep that a recording was made with, in place of the device kind's: what a replay of it can
 * measure. */
bool plan_of_recording(struct plan *p, const char *path, struct err *e);

void plan_of_header(struct plan *p, const json_t *header); /* the plan has its experiment already */

/* What the words behind the experiment's name set: @PRESET, NAME=... */
bool plan_words(struct plan *p, const struct words *words, struct err *e);

/* The points that a session has measured, by their values; of two with the same the later one. */
struct measured {
	const struct session *session;
	struct point_index points;
	int params;
};
void measured_make(struct measured *m, const struct session *s, const struct experiment *x);
json_t *measured_point(const struct measured *m, const double *values); /* the session's; NULL without */
void measured_free(struct measured *m);
/* False when the session holds another experiment. */
bool session_fits(const struct session *s, const struct experiment *x, const char *path, struct err *e);

#endif
