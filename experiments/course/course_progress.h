/* The user's progress in the course: a small JSON file in the user's data folder, replaced atomically. */
#ifndef EXPERIMENTS_COURSE_COURSE_PROGRESS_H
#define EXPERIMENTS_COURSE_COURSE_PROGRESS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/host_clock.h"
#include "experiments/course/lesson.h"

/* Result of a step. The first result is kept; later ones only count as tries. */
struct step_result {
	bool done;    /* the curve was seen */
	bool skipped; /* continued without a prediction */
	int choice;   /* its number in the page; 0: none chosen */
	bool right;
	double curve; /* prediction_mean_error of the drawn curve; NAN if none was drawn */
	int tries;
	char time[UTC_TEXT]; /* of the first result; "" if not known */
};
/* "right", "wrong", "drawn" (only a curve), "shown" (without a prediction), "" (not done) */
const char *step_result_name(const struct step_result *r);

struct course_progress {
	json_t *pages;
	char *path;
};

/* Without a file, no step is done. A file that cannot be read gives an error, is renamed to "...bad", and counts as
 * missing. course_progress_free. */
bool course_progress_load(struct course_progress *p, struct err *e);
void course_progress_free(struct course_progress *p);
struct step_result course_progress_get(const struct course_progress *p, const char *lesson, int step);
/* Adds the result of a try and saves; keeps results that another process has added to the file. False with an error if
 * the file cannot be written; the result stays in memory. */
bool course_progress_put(
	struct course_progress *p, const char *lesson, int step, const struct step_result *r, struct err *e);

struct lesson_totals {
	int steps, done, chosen, right, tries;
};
struct lesson_totals course_progress_count(const struct course_progress *p, const struct lesson *l);

#endif
