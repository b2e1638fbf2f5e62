/* Lessons: Markdown pages with fixed sections, whose steps are wavedeck commands.
 *
 * A page of share/lessons has one title and these sections, in this order:
 *   Question, Predict, Run, What the curve shows, Why, On other GPUs, Exercises, Answers
 * Predict ends with the choices, a task list with one item ticked: "- [x] 16 KiB, a cliff". Run has fenced blocks
 * marked "wavedeck" with one command per line: "run range-latency rangesize=4KiB..64KiB". Exercises and Answers are
 * ordered lists of the same length. share/lessons/README.md lists the pages in order, and describes the facts that
 * check a page's numbers (lesson_fact.h). */
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
	LESSON_ITEM,   /* of a list; number: its number in an ordered list, else 0 */
	LESSON_CHOICE, /* of the prediction; number from 1 */
	LESSON_STEP,   /* a command without the program's name; numbered from 1 through the page */
	LESSON_CODE,   /* lines of code, unchanged */
	LESSON_ROW,    /* of a table, cells separated by tabs; number 0: the header */
};

struct lesson_block {
	enum lesson_part part;
	enum lesson_kind kind;
	int number;
	bool right; /* of a choice */
	char *text; /* code spans in `backticks`, without other markup; one line, except LESSON_CODE */
};

struct lesson_fact; /* lesson_fact.h */

struct lesson {
	char id[64]; /* the file's name without ".md" */
	char *title;
	struct lesson_block *blocks;
	int block_count, step_count;
	struct lesson_fact
		*facts; /* expected results of steps and other commands, from comments, in page order; not shown */
	int fact_count;
};

/* NULL with "page.md:LINE: what is wrong". lesson_free. */
struct lesson *lesson_load(const char *path, struct err *e);
void lesson_free(struct lesson *l);
/* A step by its number, from 1; NULL if not found. */
const struct lesson_block *lesson_find_step(const struct lesson *l, int number);
/* The correct choice; every page has one. */
const struct lesson_block *lesson_right_choice(const struct lesson *l);
int lesson_cell_length(const char *cell); /* characters up to the tab or the end */
/* Width of a column (from 0) in the table of this LESSON_ROW, in characters; -1 if the column does not exist. */
int lesson_column_width(const struct lesson *l, const struct lesson_block *row, int column);

/* The pages that the folder's README.md links to, in order. Pages with errors are reported through `bad` (may be NULL)
 * and skipped. */
struct lessons {
	struct lesson **list;
	int count;
};
bool lessons_load(
	const char *folder, struct lessons *out, void (*bad)(void *ctx, const char *line), void *ctx, struct err *e);
/* Adds all pages of a folder, by name; the folder may be missing. */
void lessons_add_folder(const char *folder, struct lessons *out, void (*bad)(void *ctx, const char *line), void *ctx);
void lessons_free(struct lessons *l);
/* By id. NULL with an error, which suggests the nearest id. */
const struct lesson *lessons_find(const struct lessons *l, const char *id, struct err *e);

#endif
