/* Measurements from the literature, to hold a device against: sessions/published/EXPERIMENT.csv.
 *
 * A file has comments (`#`), notes (`! KEY: TEXT`), a header line and a row a measurement. `@ gfx900: NAME` says which
 * device the rows below it are of; they are for no other target. Rows without are for all. params       NAME=VALUE...
 * as on the command line: the published point; parameters not named have the experiment's published defaults at
 * NAME=VALUE... put over them on a software GPU: a size that is simulated in a moment; empty where the published one is
 *   work         what the time is proportional to between the two sizes: a metric that needs no measurement, or a
 * parameter metric,unit  of the experiment value        as printed rounding     what the source did to the number
 * before it printed it: none, truncate, round (half up) clock_mhz    the clock that the source makes cycles with;
 * empty: the device's own calibrated   yes where a constant of the software GPU was fixed on the row: agreement there
 * proves nothing source       document and section unexplained  KEY of the note that says what was tried, where no
 * mechanism gives the row; else empty */
#ifndef SESSIONS_COMPARE_PUBLISHED_ROWS_H
#define SESSIONS_COMPARE_PUBLISHED_ROWS_H

#include <stdbool.h>

#include "base/err.h"

enum rounding { ROUNDING_NONE, ROUNDING_TRUNCATE, ROUNDING_ROUND };

struct published_row {
	char experiment[64];
	char params[200], at[100], work[32];
	char metric[32], unit[24];
	double value;
	enum rounding rounding;
	double clock_mhz; /* 0: the device's own */
	bool calibrated;
	char source[64];
	char arch[16], device[64]; /* measured on it: "gfx900", "Radeon Instinct MI25"; "" when the file does not say */
	const char *unexplained;   /* the note's text, owned by the set; NULL */
	int line;                  /* of the file */
};

struct published {
	struct published_row *rows; /* by file name, then as in the file */
	int count;
	char **notes;
	int note_count;
};

/* Every file of the folder. False with "file:line: what is wrong" or why the folder cannot be read. */
bool published_load(const char *folder, struct published *out, struct err *e);
void published_free(struct published *p);

/* Whether the row is for a target; NULL is any. */
bool published_row_fits_arch(const struct published_row *row, const char *arch);

/* The number as the source would have printed it, and how far it is from the one printed, as a part of that: 0 against
 * a printed 0 is no error, anything else against it is 1. */
double published_round_like_source(const struct published_row *row, double measured);
double published_relative_error(const struct published_row *row, double measured);

#endif
