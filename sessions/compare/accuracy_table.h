/* How accurate the models of the software GPU are, by kind of measurement: share/accuracy/MODEL.json, each what
 * `wavedeck validate --summary --json` printed for the model. share/accuracy/README.md says how to write them again. */
#ifndef SESSIONS_COMPARE_ACCURACY_TABLE_H
#define SESSIONS_COMPARE_ACCURACY_TABLE_H

#include <stdbool.h>

#include "base/err.h"
#include "sessions/compare/published_rows.h"

struct accuracy {
	char device[64];  /* "soft:mi25" */
	const char *kind; /* of published_kinds.def; static */
	int rows;         /* published rows of the kind that no constant was fitted to, at least 1 */
	double median;    /* of their errors, without the signs; 0.01 is 1 % */
};

struct accuracy_table {
	struct accuracy *rows; /* by file name, then in the order of published_kinds.def */
	int count;
};

/* Loads every file of the folder; none if there is no folder. False with the file and what is wrong. accuracy_free. */
bool accuracy_load(const char *folder, struct accuracy_table *out, struct err *e);
void accuracy_free(struct accuracy_table *t);

/* Whether the experiment has a published row of this kind. Counts are not measured, so they are left out. */
bool accuracy_fits_experiment(const struct accuracy *a, const struct published *set, const char *experiment);

#endif
