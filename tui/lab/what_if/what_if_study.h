/* What causes of lost cycles cost a point of the workbench: background jobs measure it on the device with each of its
 * parts ideal (experiments/analysis/what_if.h), several devices at a time. The program has one study. */
#ifndef TUI_LAB_WHAT_IF_WHAT_IF_STUDY_H
#define TUI_LAB_WHAT_IF_WHAT_IF_STUDY_H

#include "experiments/analysis/what_if.h"
#include "tui/lab/app.h"
#include "tui/lab/background_job.h"

enum { WHAT_IF_JOBS_MAX = 8 };

struct what_if_job {
	struct app *app;
	struct background_job *job;
	int number; /* of its device; -1: none */
};

struct what_if_study {
	struct what_if_job jobs[WHAT_IF_JOBS_MAX];
	int job_count;
	struct experiment *x;                     /* whose point it is; borrowed; NULL: none yet */
	struct plan plan;                         /* that point */
	char device[DEVICE_NAME_MAX], point[200]; /* point: "stride=16 B"; "": the only one of its curve */
	struct what_if costs;
	int started, ended; /* of WHAT_IF_DEVICES */
	bool cancelled;
	char why[512]; /* it could not be done; "" */
};

const struct what_if_study *what_if_study_of(const struct app *a); /* NULL before the first one */
/* Measures the point under the plot's cursor; replaces the last study. */
void what_if_study_start(struct app *a);
void what_if_study_stop(struct app *a); /* what was measured stays */
void what_if_study_close(struct app *a);

bool what_if_study_is_running(const struct what_if_study *s);
/* Whether there is a study of the point under the plot's cursor, on the current device. */
bool what_if_study_is_current(const struct app *a);

#endif
