/* Parses and checks the command of a lesson's step, without running it. */
#ifndef EXPERIMENTS_COURSE_LESSON_STEP_H
#define EXPERIMENTS_COURSE_LESSON_STEP_H

#include "experiments/course/lesson.h"
#include "experiments/sweep/sweep.h"

enum lesson_command { LESSON_RUN_EXPERIMENT, LESSON_SHOW_CODE, LESSON_EDIT_KERNEL };

enum { LESSON_COUNTERS_MAX = 32 };

struct lesson_step {
	enum lesson_command command;
	struct experiment *x; /* owned by the catalog */
	struct plan plan;     /* for "run": parameters, x axes, counters */
	const char *device;   /* "--device D"; NULL: the chosen device */
	const char *counters[LESSON_COUNTERS_MAX + 1];
	char *words; /* storage of the strings above; owned */
};

/* `soft`: the chosen device is a software GPU with reduced sizes; a device named in the step takes precedence. False
 * with an error. The plan points to `counters`, so *out must not move. lesson_step_free. */
bool lesson_step_read(
	const struct lesson_block *step, struct catalog *c, bool soft, struct lesson_step *out, struct err *e);
void lesson_step_free(struct lesson_step *s);
/* Whether the step is valid with this catalog. */
bool lesson_step_check(const struct lesson_block *step, struct catalog *c, struct err *e);

#endif
