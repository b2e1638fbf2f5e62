/* The errors of a validation by kind of measurement. */
#ifndef CLI_VALIDATE_KIND_SUMMARY_H
#define CLI_VALIDATE_KIND_SUMMARY_H

#include "experiments/analysis/validation.h"

/* Of compared rows. */
struct error_summary {
	int rows;
	double median;    /* of the errors without their signs; 0.01 is 1 % */
	double within_25; /* fraction of the rows with an error of at most 0.25 */
	int off_by_two;   /* rows whose measured value is more than twice, or less than half of the published one */
};

struct kind_summary {
	const char *kind;                   /* "latency" */
	struct error_summary all, unfitted; /* unfitted: without calibrated rows, so no constant has seen them */
};

enum { KIND_SUMMARIES_MAX = 32 };

/* Fills `out` with the kinds that have compared rows, in the order of published_kinds.def, and then with all of them
 * together, "all". Returns the number, 0 if no row was compared. */
int validation_summarize_kinds(const struct validation *v, struct kind_summary out[KIND_SUMMARIES_MAX]);

/* [{kind, rows, median, within_25, off_by_two, unfitted: {rows, ...}}, ...]; a median of no rows is null. */
json_t *kind_summaries_json(const struct kind_summary *list, int count);

#endif
