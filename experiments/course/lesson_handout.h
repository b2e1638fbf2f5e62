/* A lesson to print and hand out: text, or one HTML page without links to other files. Without answers, the page has
 * room for the student's own: a box for each choice, axes for the expected curve, lines for reasons. */
#ifndef EXPERIMENTS_COURSE_LESSON_HANDOUT_H
#define EXPERIMENTS_COURSE_LESSON_HANDOUT_H

#include "experiments/course/lesson.h"

/* The format by the file's name: .html or .txt. Characters that direct text are replaced: a lesson can come from other
 * people. False with an error. */
bool lesson_handout_save(const char *path, const struct lesson *l, bool answers, struct err *e);

#endif
