/* `gather`: waits if asked to, joins what is there, says what is missing and why, and submits it again if asked to. */
#ifndef CLI_BATCH_BATCH_REPORT_H
#define CLI_BATCH_BATCH_REPORT_H

#include "cli/batch/batch_folder.h"

struct gather_request {
	const char *output, *format, *metric; /* NULL: the defaults */
	bool wait, resubmit;
	const json_t *options; /* of sbatch, for --resubmit; NULL: those of the batch */
};

/* Prints and returns the exit status: 0 if all points are measured. */
int batch_report(struct batch *b, const struct gather_request *q);

#endif
