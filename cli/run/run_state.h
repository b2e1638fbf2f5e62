/* A run: what was asked for, and what is known so far. Private to command_run.c, run_plan.c, run_recording.c,
 * run_loop.c, run_checks.c, run_what_if.c and run_output.c. */
#ifndef CLI_RUN_RUN_STATE_H
#define CLI_RUN_RUN_STATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "experiments/sweep/sweep.h"
#include "gpu/remote/worker_places.h"
#include "sessions/export/exporters.h"
#include "sessions/load/point_list.h"
#include "cli/check/check_options.h"
#include "cli/cli_support.h"
#include "cli/run/device_choice.h"
#include "cli/run/plan_parts.h"
#include "cli/run/resumed_session.h"
#include "cli/run/run_chunk.h"
#include "cli/run/run_limit.h"
#include "gpu/protocol/stalls/stall_reasons.h"

enum { COUNTERS_MAX = 32 };

struct request {
	const char *experiment, *device, *format_text, *counters_text, *record, *resume, *limit_text, *timeline, *cu,
		*workers_text, *lock_clocks, *stop;
	struct sampling sampling;
	bool no_verify, trust, plot_and_table, quiet, bare, profile, what_if;
	enum export_format format;
	struct run_limit limit;
	struct check_request check;
	struct run_chunk *chunk;               /* NULL: all points */
	const char *named[OPTION_REPEATS + 1]; /* --device; NULL after the last */
	struct device_choice devices;          /* `device` is the first */
	struct worker_places places;
	const char *vias[OPTION_REPEATS + 1]; /* --via; NULL after the last */
	char *counter_names;                  /* counters_text, split */
	char profile_names[STALL_OTHER][32];  /* the counters of --profile */
	const char *counters[COUNTERS_MAX + 1];
};

struct run {
	const struct request *ask;
	struct catalog catalog;
	struct experiment *x;
	struct plan plan;
	int count, elsewhere;     /* points of the plan; those that other sessions contain */
	struct point_list points; /* NULL: not measured yet */
	bool *resumed;            /* the point comes from the session that is resumed */
	struct plan_parts parts;
	struct worker_pool *workers;
	struct sweep *sweep;
	const struct plan_part *part;
	json_t *header;
	struct resumed_session old;
	struct kernel_agreement kernels;
	struct check_plan checks;
	struct recorder *recorder;
	int printed, rows, done, failed; /* rows: CSV rows written */
	double started;
	size_t log_printed; /* lines of the log that were printed */
	char refusal[512];  /* the worker's error of the last point */
	bool workers_lost, out_of_time, said_how_to_stop;
	bool measured, refused; /* at least one point succeeded; the first two failed with the same error */
	enum status status;
};

/* --- run_plan.c: the request and its plan --- */
/* Checks what the command line says, and finds the places of the workers. The devices must have been chosen. */
bool run_check_request(struct request *q, struct err *e);
/* `words`: the experiment and its arguments. Makes the plan, with room for its points. */
bool run_make_plan(struct run *r, const struct argument_list *words, struct err *e);

/* --- run_recording.c: the session that is resumed or recorded --- */
/* The session supplies the experiment and the devices if the request names none. */
bool run_open_resumed_session(struct run *r, struct request *q, struct err *e);
bool run_choose_devices(const struct run *r, struct request *q, struct err *e); /* must match a resumed session */
void run_load_resumed_points(struct run *r);                                    /* after the plan was made */
/* Makes the session's header, and opens the file if there is one. Once, when a worker has opened the device. */
bool run_start_recording(struct run *r, struct err *e);
void run_record_point(struct run *r, const json_t *record);

/* --- run_loop.c: measures --- */
/* Measures the parts of the plan, until they are done or the run must stop. False with one line if one cannot start. */
bool run_measure_points(struct run *r, struct err *e);
double run_point_seconds(const struct run *r); /* since the last point ended */

/* --- run_checks.c: --check --- */
bool run_make_checks(struct run *r, struct err *e); /* what is checked; before the plan is made */
int run_report_checks(struct run *r, int status);   /* prints what was found; returns the exit status */

/* --- run_what_if.c: --what-if --- */
bool run_check_what_if(const struct request *q, struct err *e); /* before anything is measured */
int run_report_what_if(struct run *r, int status); /* measures, and prints what causes cost; returns the exit status */

/* --- run_output.c: prints --- */
void run_show_progress(const struct run *r);
void run_say_how_to_stop(struct run *r); /* once, also where no progress is shown */
/* Prints new warnings of the log, once: several workers may send the same. Errors are reported by the caller that gets
 * them. */
void run_print_log_warnings(struct run *r);
bool run_output_failed(void);
/* NULL: not measured yet, or past the last point. */
const json_t *run_get_point(const struct run *r, int i);
/* In the order of the plan, so that a resumed run prints the same as an uninterrupted one. */
void run_print_ready_rows(struct run *r);
void run_report_complete_session(struct run *r); /* all points are in the resumed session */
/* What was not printed while measuring: CSV rows after a missing point, or the whole output. */
void run_print_remaining(struct run *r);
/* The same where a part of the plan cannot start on the device that was opened: what is there is not lost. */
void run_print_kept_points(struct run *r);
int run_report_outcome(struct run *r); /* returns the exit status */

#endif
