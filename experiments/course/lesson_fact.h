/* Facts of a lesson: what its text says in numbers, in a form that can be held against the device. A comment of the
 * page, which no reader sees:
 *
 *   <!-- expect: step 1: latency at rangesize=16KiB 240..241 cycles
 *   latency at rangesize=32KiB over rangesize=16KiB 1.5..1.6 -->
 *
 * A fact is  QUANTITY [at NAME=VALUE...] [over NAME=VALUE...] LOW..HIGH [UNIT]  of a metric or a counter of one point,
 * or of a point divided by another, or  says "TEXT"  of what the command prints. */
#ifndef EXPERIMENTS_COURSE_LESSON_FACT_H
#define EXPERIMENTS_COURSE_LESSON_FACT_H

#include <jansson.h>

#include "experiments/course/lesson.h"

struct lesson_fact {
	enum lesson_part part;      /* the section it stands in */
	int step;                   /* of the page, from 1; 0: a command that is no step */
	char *command;              /* without the program's name */
	char *text;                 /* as it is written, without the command */
	char *says;                 /* what is printed; NULL for a number */
	char *quantity, *at, *over; /* parameters apart by blanks; at "" is the only point; over NULL: no division */
	double low, high;
	char unit[24]; /* of low and high, as the metric has it; "" of a quotient and of what has none */
};

/* Adds the facts of a comment to the page's; a comment without "expect:" has none. False with what was expected. */
bool lesson_facts_read(struct lesson *l, enum lesson_part part, const char *comment, char *why, size_t size);
/* Steps become commands. False when there is no such step. */
bool lesson_facts_resolve(struct lesson *l, char *why, size_t size);
void lesson_facts_free(struct lesson *l);

/* Whether its command can be carried out with this catalog, and has that metric or counter, in that unit, and those
 * parameters; nothing is measured. */
bool lesson_fact_check(const struct lesson_fact *f, struct catalog *c, struct err *e);

/* Whether a fact holds of what its command printed: `printed` as text, and for `run` as JSON
 * ({"header":..,"points":[..]}), else NULL. `found` is what there was instead or as well: "240.6 cycles". */
bool lesson_fact_holds(const struct lesson_fact *f, const char *printed, const json_t *run, char *found, size_t size);

#endif
