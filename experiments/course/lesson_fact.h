/* Facts of a lesson: the numbers of its text, in a form that can be checked against a device. They are in comments,
 * which readers do not see:
 *
 *   <!-- expect: step 1: latency at rangesize=16KiB 240..241 cycles
 *   latency at rangesize=32KiB over rangesize=16KiB 1.5..1.6 -->
 *
 * A fact is  QUANTITY [at NAME=VALUE...] [over NAME=VALUE...] LOW..HIGH [UNIT]  for a metric or counter of one point,
 * or of one point divided by another; with  wrong  before it, for points whose result differs from the reference; or
 * says "TEXT"  for the output of a command. */
#ifndef EXPERIMENTS_COURSE_LESSON_FACT_H
#define EXPERIMENTS_COURSE_LESSON_FACT_H

#include <jansson.h>

#include "experiments/course/lesson.h"
#include "experiments/definition/experiment.h"

struct lesson_fact {
	enum lesson_part part; /* the section it is in */
	int step;              /* of the page, from 1; 0: another command */
	char *command;         /* without "wavedeck" */
	char *text;            /* as written, without the command */
	char *says;            /* text that the output contains; NULL for a number */
	char *quantity, *at,
		*over; /* parameters separated by blanks; `at` "": the only point; `over` NULL: no division */
	bool wrong;    /* the points must have a wrong result; otherwise, they must have none */
	double low, high;
	char unit[24]; /* of low and high: the metric's unit; "" for quotients */
};

/* Adds the facts of a block of HTML comments to the page; a comment without "expect:" has none. False with the expected
 * form in `why`; other HTML is an error. */
bool lesson_facts_read(struct lesson *l, enum lesson_part part, const char *html, char *why, size_t size);
/* Replaces step numbers by commands. False if a step does not exist. */
bool lesson_facts_resolve(struct lesson *l, char *why, size_t size);
void lesson_facts_free(struct lesson *l);

/* Whether a fact holds for the output of its command: `printed` as text, and for `run` also as JSON
 * ({"header":..,"points":[..]}), else NULL. `found` gets the actual value: "240.6 cycles". */
bool lesson_fact_holds(const struct lesson_fact *f, const char *printed, const json_t *run, char *found, size_t size);

#endif
