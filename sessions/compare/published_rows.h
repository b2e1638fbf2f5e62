/* Published measurements to compare a device with: sessions/published/EXPERIMENT.csv.
 *
 * A file has comments (`#`), notes (`! KEY: TEXT`), a header line, and one row per measurement. A line `@ gfx900: NAME`
 * sets the device of the rows below it, which then apply only to that target; rows without it apply to all. Columns:
 *
 *   params       NAME=VALUE..., as on the command line: the published point; other parameters have their defaults
 *   at           NAME=VALUE... that replace them on a software GPU: a reduced size; empty: the published size
 *   work         what the time is proportional to between the two sizes: a parameter, or a metric that needs no
 *                measurement
 *   metric,unit  of the experiment
 *   value        as printed
 *   other        what a second source prints for the same measurement: together they are an interval; else empty
 *   rounding     how the source rounded the printed number: none, truncate, round (half up)
 *   clock_mhz    the clock that the source used to compute cycles; empty: the device's own
 *   kind         what it measures, of published_kinds.def
 *   state        calibrated: a constant of the software GPU was fitted to the row, so agreement there proves nothing;
 *                checked: no constant was, but the row was looked at while rules of time were made; blind: it was kept
 *                aside until a prediction was written down
 *   source       document and section
 *   unexplained  key of the note that describes what was tried, if no mechanism explains the row; else empty */
#ifndef SESSIONS_COMPARE_PUBLISHED_ROWS_H
#define SESSIONS_COMPARE_PUBLISHED_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum rounding { ROUNDING_NONE, ROUNDING_TRUNCATE, ROUNDING_ROUND };
enum row_state { ROW_CALIBRATED, ROW_CHECKED, ROW_BLIND };

struct published_row {
	char experiment[64];
	char params[200], at[100], work[32];
	char metric[32], unit[24];
	double value, other; /* as printed; other: the value, if there is one source */
	double low, high;    /* of these two */
	enum rounding rounding;
	double clock_mhz; /* 0: the device's own clock */
	const char *kind; /* "latency"; static */
	enum row_state state;
	char source[64];
	char arch[16], device[64]; /* of the measurement: "gfx900", "Radeon Instinct MI25"; "" if not given */
	const char *unexplained;   /* the text of the note, owned by the set; NULL: none */
	int line;                  /* in the file */
};

struct published {
	struct published_row *rows; /* sorted by file name, then in the order of the file */
	int count;
	char **notes;
	int note_count;
};

/* Loads every file of the folder. False with "file:line: error", or why the folder cannot be read. */
bool published_load(const char *folder, struct published *out, struct err *e);
void published_free(struct published *p);

/* True if the row applies to the target; NULL matches all. */
bool published_row_fits_arch(const struct published_row *row, const char *arch);

/* The i-th name of published_kinds.def; NULL after the last. */
const char *published_kind_at(int i);
/* "calibrated", as in the file. */
const char *published_state_name(enum row_state state);
bool published_is_interval(const struct published_row *row);
/* A value of 0, which has no relative error: the measured one is the same, or differs. */
bool published_is_zero(const struct published_row *row);
/* Exact and without the unit: "892", or "892 to 1180". Returns out. */
char *published_format_value(char *out, size_t size, const struct published_row *row);

/* The measured value rounded as in the source, and its error: 0 within an interval, else relative to the nearer end,
 * below 0 if the measured value is too small. For a published 0 the error is 0 if the values are equal, else 1 or -1.
 */
double published_round_like_source(const struct published_row *row, double measured);
double published_relative_error(const struct published_row *row, double measured);

#endif
