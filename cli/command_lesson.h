/* The --check part of `lesson`. */
#ifndef CLI_COMMAND_LESSON_H
#define CLI_COMMAND_LESSON_H

#include "experiments/course/lessons.h"
#include "cli/cli_support.h"

/* `lesson --check [NAME...]`: checks and prints each fact of the named lessons, or of all. Returns the exit status:
 * ST_FAILED if a fact is false. */
int lesson_check_facts(const struct lessons *all, const struct argument_list *names, const char *device);

#endif
