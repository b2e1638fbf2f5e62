/* Lessons: Markdown pages made of steps. A step asks one question about one curve, offers choices, measures the curve
 * and explains it.
 *
 * A page of share/lessons has a title, an introduction, the section Words (definitions), a section for each step, and
 * at the end "On other GPUs", Exercises and Answers. share/lessons/README.md describes the format, lists the pages in
 * order, and describes the facts that check a page's numbers (lesson_fact.h). */
#ifndef EXPERIMENTS_COURSE_LESSON_H
#define EXPERIMENTS_COURSE_LESSON_H

#include <stdbool.h>

#include "base/err.h"

enum lesson_part {
	LESSON_INTRODUCTION,
	LESSON_WORDS,
	LESSON_QUESTION, /* of a step, with its choices */
	LESSON_REVEAL,   /* of a step: what is read after the answer */
	LESSON_SOURCE,   /* of a step: on what the answer rests (lesson_source.h) */
	LESSON_OTHERS,
	LESSON_EXERCISES,
	LESSON_ANSWERS,
	LESSON_PARTS
};
const char *lesson_part_name(enum lesson_part part); /* "" for the parts of a step */

enum lesson_kind {
	LESSON_PARAGRAPH,
	LESSON_ASK,      /* the paragraph that asks: it names the metric and what it is plotted over */
	LESSON_ITEM,     /* of a list; number: its number in an ordered list, else 0 */
	LESSON_CHOICE,   /* number from 1 within the step */
	LESSON_FEEDBACK, /* why the choice of this number is wrong */
	LESSON_COMMAND,  /* a further command, without the program's name; numbered from 1 within the step */
	LESSON_CODE,     /* lines of code, unchanged */
	LESSON_BASIS, /* one thing that an answer rests on, numbered from 1 within the step; text: without its kind */
	LESSON_ROW,   /* of a table, cells separated by tabs, without backticks; number 0: the header */
};

struct lesson_block {
	enum lesson_part part;
	enum lesson_kind kind;
	int step; /* from 1; 0: not part of a step */
	int number;
	bool right; /* of a choice */
	int line;   /* in the file */
	int source; /* of LESSON_BASIS: enum source_kind (lesson_source.h) */
	char *text; /* code spans in `backticks`, without other markup; one line, except LESSON_CODE */
};

enum { LESSON_CHOICES_MAX = 6 };

struct lesson_step {
	char *title;
	char *command;                /* "run EXPERIMENT NAME=VALUE...": it measures the curve */
	char *metric;                 /* the id of what is asked about, from the question */
	char *x;                      /* the id of what it is plotted over: a parameter, or the metric on the x axis */
	char *metric_words, *x_words; /* both as the question names them: "latency", "number of blocks" */
	int choice_count;
};

struct lesson_fact; /* lesson_fact.h */

struct lesson {
	char id[64]; /* the file's name without ".md" */
	char *title;
	struct lesson_block *blocks;
	int block_count;
	struct lesson_step *steps;
	int step_count;
	struct lesson_fact *facts; /* expected results of commands, from comments, in page order; not shown */
	int fact_count;
};

/* NULL with "page.md:LINE: what is wrong". lesson_free. */
struct lesson *lesson_load(const char *path, struct err *e);
void lesson_free(struct lesson *l);

const struct lesson_step *lesson_find_step(const struct lesson *l, int step); /* from 1; NULL if not found */
/* The block of this kind and number in a step; NULL if not found. For LESSON_ASK the number is 0. */
const struct lesson_block *lesson_find_block(const struct lesson *l, int step, enum lesson_kind kind, int number);
int lesson_right_choice(const struct lesson *l, int step); /* its number; every step has one */
/* Why a choice is right or wrong: its feedback; for the right one else how the answer begins. "": no reason. */
const char *lesson_find_reason(const struct lesson *l, int step, int choice);
int lesson_count_commands(const struct lesson *l, int step); /* further commands of a step */
bool lesson_has_part(const struct lesson *l, enum lesson_part part);
int lesson_count_exercises(const struct lesson *l);
const struct lesson_block *lesson_find_exercise(const struct lesson *l, enum lesson_part part, int number);

int lesson_cell_length(const char *cell); /* characters up to the tab or the end */
/* Width of a column (from 0) in the table of this LESSON_ROW, in characters; -1 if the column does not exist. */
int lesson_column_width(const struct lesson *l, const struct lesson_block *row, int column);

/* The choices of a step in the order in which they are shown: order[0] is the number of the choice a. The order depends
 * on the lesson, the step and the visit, so that a letter says nothing about the answer. */
void lesson_order_choices(const struct lesson *l, int step, unsigned visit, int order[LESSON_CHOICES_MAX]);

#endif
