/* On what an answer of a lesson rests: the list below `### Source`, one or more items of "KIND: TEXT". It is optional
 * in a lesson; those of share/lessons have one for each answer. */
#ifndef EXPERIMENTS_COURSE_LESSON_SOURCE_H
#define EXPERIMENTS_COURSE_LESSON_SOURCE_H

#include <stdbool.h>

#include "experiments/course/lesson.h"

enum source_kind {
	SOURCE_BOARD,      /* a published measurement of the board that the lesson is about */
	SOURCE_OTHER,      /* a published measurement of another board */
	SOURCE_MANUAL,     /* a manual, a guide, a header, a compiler */
	SOURCE_DEFINITION, /* the program itself, or arithmetic */
	SOURCE_MODEL,      /* the software GPU alone */
	SOURCE_KINDS
};
const char *lesson_source_name(enum source_kind kind); /* as lessons write it: "board" */
const char *lesson_source_names(void);                 /* all names, for messages */

/* Splits "KIND: TEXT"; `rest` points into `text`. False if the kind is unknown or the text is missing. */
bool lesson_source_read(const char *text, enum source_kind *kind, const char **rest);
/* "measured on this board: ...". The caller frees it. */
char *lesson_source_format(const struct lesson_block *b);
int lesson_count_sources(const struct lesson *l, int step);

#endif
