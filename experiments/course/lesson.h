/* Lessons: Markdown pages with fixed sections, whose steps are commands of this program.
 *
 * A page of share/lessons has one title and these sections, in this order:
 *   Question, Predict, Run, What the curve shows, Why, On other GPUs, Exercises, Answers
 * Predict ends with a task list, the choices, one of them ticked: "- [x] 16 KiB, a cliff". Run has fenced blocks marked
 * "wavedeck", a command a line: "run range-latency rangesize=4KiB..64KiB". Exercises and Answers are ordered lists of
 * the same length. share/lessons/README.md lists the pages in the order of the course, and says how a comment holds a
 * page's numbers against the device (lesson_fact.h). */
#ifndef EXPERIMENTS_COURSE_LESSON_H
#define EXPERIMENTS_COURSE_LESSON_H

#include <stdbool.h>

#include "experiments/definition/experiment.h"

enum lesson_part {
	LESSON_QUESTION,
	LESSON_PREDICT,
	LESSON_RUN,
	LESSON_CURVE,
	LESSON_WHY,
	LESSON_OTHERS,
	LESSON_EXERCISES,
	LESSON_ANSWERS,
	LESSON_PARTS
};
const char *lesson_part_name(enum lesson_part part);

enum lesson_kind {
	LESSON_PARAGRAPH,
	LESSON_ITEM,   /* of a list; number: its place in an ordered one, else 0 */
	LESSON_CHOICE, /* of the prediction; number from 1 */
	LESSON_STEP,   /* a command without the program's name; number from 1 through the page */
	LESSON_CODE,   /* lines as they are */
	LESSON_ROW,    /* of a table: cells apart by tabs; number 0: its head */
};

struct lesson_block {
	enum lesson_part part;
	enum lesson_kind kind;
	int number;
	bool right; /* of a choice */
	char *text; /* code spans stand in `backticks`, other markup is gone; one line but for LESSON_CODE */
};

struct lesson_fact; /* lesson_fact.h */

struct lesson {
	char id[64]; /* the file's name without ".md" */
	char *title;
	struct lesson_block *blocks;
	int block_count, step_count;
	struct lesson_fact
		*facts; /* what its comments expect of steps and other commands, in the order of the page; not shown */
	int fact_count;
};

/* NULL with "page.md:LINE: what was expected". */
struct lesson *lesson_load(const char *path, struct err *e);
void lesson_free(struct lesson *l);
/* A step by its number, from 1; NULL when there is none. */
const struct lesson_block *lesson_find_step(const struct lesson *l, int number);
/* The choice that is right; a page has one. */
const struct lesson_block *lesson_right_choice(const struct lesson *l);
int lesson_cell_length(const char *cell); /* characters up to the tab or the end */
/* Characters in the widest cell of a column (from 0) of the table that the LESSON_ROW belongs to; -1: there is no such
 * column. */
int lesson_column_width(const struct lesson *l, const struct lesson_block *row, int column);

/* All pages that the folder's README.md links to, in its order. A page with a mistake is reported through `bad` (may be
 * NULL) with its line and left out. */
struct lessons {
	struct lesson **list;
	int count;
};
bool lessons_load(
	const char *folder, struct lessons *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e);
/* Adds every page of a folder, by name; there may be no such folder. */
void lessons_add_folder(const char *folder, struct lessons *out, void (*bad)(void *ctx, const char *line), void *ctx);
void lessons_free(struct lessons *l);
/* By id. Unknown: one line with the nearest. */
const struct lesson *lessons_find(const struct lessons *l, const char *id, struct err *e);

#endif
