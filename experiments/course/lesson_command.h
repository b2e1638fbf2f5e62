/* Parses and checks a command of a lesson, without running it. */
#ifndef EXPERIMENTS_COURSE_LESSON_COMMAND_H
#define EXPERIMENTS_COURSE_LESSON_COMMAND_H

#include "experiments/course/lesson.h"
#include "experiments/sweep/sweep.h"

enum lesson_verb { LESSON_RUN_EXPERIMENT, LESSON_SHOW_CODE, LESSON_EDIT_KERNEL };

enum { LESSON_COUNTERS_MAX = 32 };

struct lesson_command {
	enum lesson_verb verb;
	struct experiment *x; /* owned by the catalog */
	struct plan plan;     /* for "run": parameters, x axes, counters */
	const char *device;   /* "--device D"; NULL: the chosen device */
	const char *counters[LESSON_COUNTERS_MAX + 1];
	char *words; /* storage of the strings above; owned */
};

/* `soft`, `arch`: of the chosen device, for its defaults (default_values.h); a device named in the command takes
 * precedence. False with an error. The plan points to `counters`, so *out must not move. lesson_command_free. */
bool lesson_command_read(
	const char *text, struct catalog *c, bool soft, const char *arch, struct lesson_command *out, struct err *e);
void lesson_command_free(struct lesson_command *s);

#endif
