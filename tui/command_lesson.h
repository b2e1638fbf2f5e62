/* Parts of `lesson`. */
#ifndef TUI_COMMAND_LESSON_H
#define TUI_COMMAND_LESSON_H

#include "experiments/lesson.h"
#include "tui/command.h"

/* `lesson --check [NAME...]`: prints each fact of the pages named, of all without a name, with what was found. The exit
 * status: ST_FAILED when one does not hold. */
int lesson_check_facts(const struct lessons *all, const struct argument_list *names, const char *device);

#endif
