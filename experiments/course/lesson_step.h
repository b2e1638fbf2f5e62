/* A step of a lesson as what it asks for: the command's words read and checked, nothing carried out. */
#ifndef EXPERIMENTS_COURSE_LESSON_STEP_H
#define EXPERIMENTS_COURSE_LESSON_STEP_H

#include "experiments/course/lesson.h"
#include "experiments/sweep/sweep.h"

enum lesson_command { LESSON_RUN_EXPERIMENT, LESSON_SHOW_CODE, LESSON_EDIT_KERNEL };

enum { LESSON_COUNTERS_MAX = 32 };

struct lesson_step {
	enum lesson_command command;
	struct experiment *x; /* the catalog's */
	struct plan plan;     /* of "run": parameters, x axes, counters */
	const char *device;   /* "--device D"; NULL: the one that is chosen */
	const char *counters[LESSON_COUNTERS_MAX + 1];
	char *words; /* what the strings above point into; owned */
};

/* `soft`: the chosen device has scaled sizes; a device that the step names decides for itself. False with one line. The
 * plan points to `counters`: do not move *out. */
bool lesson_step_read(
	const struct lesson_block *step, struct catalog *c, bool soft, struct lesson_step *out, struct err *e);
void lesson_step_free(struct lesson_step *s);
/* Whether it can be carried out with this catalog. */
bool lesson_step_check(const struct lesson_block *step, struct catalog *c, struct err *e);

#endif
