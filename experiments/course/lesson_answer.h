/* Compares the ticked choice of a step with its curve, where the question asks for an extreme and the choices are
 * values of what the curve is plotted over: "At which stride is the latency highest?" with the choices 7, 16 and 31.
 * With "of these" or "which of", the choices compete; else all points of the curve do. */
#ifndef EXPERIMENTS_COURSE_LESSON_ANSWER_H
#define EXPERIMENTS_COURSE_LESSON_ANSWER_H

#include <jansson.h>

#include "experiments/course/lesson.h"

/* By the question's words alone. */
bool lesson_answer_is_extreme(const struct lesson *l, int step);

enum lesson_answer { ANSWER_NOT_COMPARED, ANSWER_HOLDS, ANSWER_FAILS };

/* For the points of the step's command, {"header":..,"points":[..]}. `found`: "115.4 cycles at 16", or for a wrong
 * answer "lds.md:31: ...", with the line of the choice and what to do. */
enum lesson_answer lesson_answer_compare(const struct lesson *l, int step, const json_t *run, char *found, size_t size);

#endif
