/* Parts of `lesson`. */
#ifndef CLI_COMMAND_LESSON_H
#define CLI_COMMAND_LESSON_H

#include "experiments/course/lesson.h"
#include "cli/cli_support.h"

/* `lesson --check [NAME...]`: prints each fact of the pages named, of all without a name, with what was found. The exit
 * status: ST_FAILED when one does not hold. */
int lesson_check_facts(const struct lessons *all, const struct argument_list *names, const char *device);

#endif
