/* The user's progress in the course: a small JSON file in the user's data folder, replaced atomically. */
#ifndef EXPERIMENTS_COURSE_COURSE_PROGRESS_H
#define EXPERIMENTS_COURSE_COURSE_PROGRESS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

/* Result of a page's prediction. The first result is kept; later ones only count as tries. */
struct lesson_result {
	bool done;    /* the curve was seen */
	bool skipped; /* continued without a prediction */
	int choice;   /* from 1; 0: none chosen */
	bool right;
	double curve; /* prediction_mean_error of the drawn curve; NAN if none was drawn */
	int tries;
};

struct course_progress {
	json_t *pages;
	char *path;
};

/* Without a file, no page is done. A file that cannot be read gives an error, is renamed to "...bad", and counts as
 * missing. course_progress_free. */
bool course_progress_load(struct course_progress *p, struct err *e);
void course_progress_free(struct course_progress *p);
struct lesson_result course_progress_get(const struct course_progress *p, const char *page);
/* Adds the result of a try and saves; keeps pages that another process has added to the file. False with an error if
 * the file cannot be written; the result stays in memory. */
bool course_progress_put(struct course_progress *p, const char *page, const struct lesson_result *r, struct err *e);

#endif
