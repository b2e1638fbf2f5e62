/* Whether a command of a lesson is valid with a catalog. */
#ifndef TESTS_EXPERIMENTS_COMMAND_CHECK_H
#define TESTS_EXPERIMENTS_COMMAND_CHECK_H

#include "experiments/course/lesson_command.h"

static inline bool check_lesson_command(const char *text, struct catalog *c, struct err *e)
{
	struct lesson_command s;
	bool ok = lesson_command_read(text, c, true, "", &s, e);
	if (ok)
		lesson_command_free(&s);
	return ok;
}

#endif
