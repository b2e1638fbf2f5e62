/* The workers of the pool as rows of a table: their order, their texts, and what the sweep knows of their points. */
#ifndef TUI_VIEWS_WORKERS_WORKER_ROWS_H
#define TUI_VIEWS_WORKERS_WORKER_ROWS_H

#include "tui/lab/app.h"

enum worker_column {
	WORKER_NUMBER,
	WORKER_HOST,
	WORKER_DEVICE,
	WORKER_STATE,
	WORKER_POINT,
	WORKER_VALUE, /* of the swept parameter */
	WORKER_TIME,
	WORKER_DONE,
	WORKER_DEATHS,
	WORKER_PID,
	WORKER_COLUMNS
};

enum worker_sort { BY_WORKER, BY_WORKER_TIME, BY_WORKER_DONE, BY_WORKER_DEATHS, WORKER_SORTS };

enum worker_row_state {
	WORKER_ROW_NOT_STARTED,
	WORKER_ROW_STARTING,
	WORKER_ROW_READY,
	WORKER_ROW_COMPILING,
	WORKER_ROW_RUNNING,
	WORKER_ROW_ENDED,
	WORKER_ROW_STATES
};

/* What the records say of a job; a job without a record has other.job. */
struct job_progress {
	json_int_t job;
	bool compiling;
	double part; /* that is done, 0..1 */
};

struct worker_row {
	struct worker_status at; /* its texts belong to the pool, until its next pump */
	enum worker_row_state state;
	double part;
	const struct point *point; /* of the workbench's sweep; NULL: none, or of another view */
};

struct worker_rows {
	struct worker_row list[WORKERS_MAX]; /* by worker */
	int order[WORKERS_MAX];              /* index in `list` of each row */
	int count, running, done, deaths;
	const struct param *swept; /* NULL: no sweep, or of one point */
	int axis;                  /* index of that parameter */
};

enum { JOB_PROGRESS_SLOTS = 256 /* more than the jobs that a pool keeps, whose numbers are consecutive */ };

const char *worker_sort_name(enum worker_sort sort);
const char *worker_state_name(enum worker_row_state state);

/* No rows without a pool. `known` has JOB_PROGRESS_SLOTS, a job in the slot of its number. */
void worker_rows_read(
	const struct app *a, const struct job_progress *known, enum worker_sort sort, struct worker_rows *out);
int worker_rows_find(const struct worker_rows *r, int worker); /* its row, or -1 */
/* A name for people, "rangesize" for the value. */
const char *worker_column_head(const struct worker_rows *r, enum worker_column c);
/* "--" for what there is not. */
char *worker_cell_format(const struct worker_rows *r, int worker, enum worker_column c, char *out, size_t size);
/* "0.4 s", "12 min", "1.7 h": at most 7 columns. */
char *worker_time_format(double seconds, char *out, size_t size);

/* All rows in their order with plain numbers: with tabs for the clipboard (the caller frees it), and as CSV. */
char *worker_rows_copy_text(const struct worker_rows *r);
bool worker_rows_write_csv(const struct worker_rows *r, const char *path, struct err *e);

#endif
