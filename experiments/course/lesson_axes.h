/* The axes of a step's curve: a lesson draws what its question asks about, and nothing else. */
#ifndef EXPERIMENTS_COURSE_LESSON_AXES_H
#define EXPERIMENTS_COURSE_LESSON_AXES_H

#include "experiments/course/lesson_command.h"

/* The id of what the command's curve is plotted over: the metric on the x axis, else the last swept parameter. NULL if
 * the command measures a single point. */
const char *lesson_command_x(const struct lesson_command *c);
/* Whether the step's command is valid with this catalog and measures a curve of what the question names. */
bool lesson_step_check(const struct lesson *l, int step, struct catalog *c, struct err *e);
/* Changes the columns of a session header: of all measured metrics only this one is drawn, on the left axis. Limits
 * (lines) and the metric on the x axis stay. */
void header_keep_metric(json_t *header, const char *metric);
/* The largest value of a step's metric among the facts of the course; 0: not known. */
double lesson_find_largest_value(const struct lesson *l, int step);

#endif
