/* What is left to measure of a plan, in parts that are plans themselves: the whole plan, or what a session to be resumed does not have yet. */
#ifndef TUI_COMMAND_PARTS_H
#define TUI_COMMAND_PARTS_H

#include <jansson.h>

#include "experiments/sweep.h"
#include "sessions/session.h"
#include "tui/command.h"

struct part { struct plan plan; int *point; /* of the whole plan, for each of this plan's points */ };
struct parts { struct part *list; int count; };

/* Points of the plan that `have` (a flag a point) holds are left out. */
void parts_make(const struct plan *whole, const bool *have, struct parts *out);
void parts_free(struct parts *p);

/* The defaults and the sweep that a recording was made with, in place of the device kind's: what a replay of it can measure. */
bool plan_of_recording(struct plan *p, const char *path, struct err *e);

void plan_of_header(struct plan *p, const json_t *header); /* the plan has its experiment already */

/* What the words behind the experiment's name set: @PRESET, NAME=... */
bool plan_words(struct plan *p, const struct words *words, struct err *e);

/* The session's measured point with these values, or NULL. */
json_t *session_point_of(const struct session *s, const struct experiment *x, const double *values);
/* False when the session holds another experiment. */
bool session_fits(const struct session *s, const struct experiment *x, const char *path, struct err *e);

#endif
