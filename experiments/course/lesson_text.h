/* A lesson as text: all its parts in their order. */
#ifndef EXPERIMENTS_COURSE_LESSON_TEXT_H
#define EXPERIMENTS_COURSE_LESSON_TEXT_H

#include <stdio.h>

#include "experiments/course/lesson.h"

/* Without answers: nothing that is read after a prediction, and not the answers of exercises. */
void lesson_text_write(FILE *out, const struct lesson *l, bool answers, int width);

#endif
