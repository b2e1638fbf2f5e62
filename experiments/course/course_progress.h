/* How far a person has come in the course: a small JSON file in the user's data folder, written whole and renamed. */
#ifndef EXPERIMENTS_COURSE_COURSE_PROGRESS_H
#define EXPERIMENTS_COURSE_COURSE_PROGRESS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

/* What became of a page's prediction. The first one counts: later tries are counted only. */
struct lesson_result {
	bool done;    /* the curve was seen */
	bool skipped; /* without a prediction */
	int choice;   /* from 1; 0: none was chosen */
	bool right;
	double curve; /* prediction_mean_error of the drawn curve; NAN: none was drawn */
	int tries;
};

struct course_progress {
	json_t *pages;
	char *path;
};

/* Without a file nothing is done yet. A file that cannot be read is told, kept beside as "...bad", and counts as none.
 */
bool course_progress_load(struct course_progress *p, struct err *e);
void course_progress_free(struct course_progress *p);
struct lesson_result course_progress_get(const struct course_progress *p, const char *page);
/* Takes the result of a try and saves; another program's pages in the file stay. False when the disk says no: it is
 * kept in memory. */
bool course_progress_put(struct course_progress *p, const char *page, const struct lesson_result *r, struct err *e);

#endif
