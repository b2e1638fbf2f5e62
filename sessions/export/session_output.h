/* Measured points in the formats of the command line, from session records alone: `run` and `open` print the same
 * bytes. */
#ifndef SESSIONS_EXPORT_SESSION_OUTPUT_H
#define SESSIONS_EXPORT_SESSION_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "experiments/analysis/published_overlay.h"

enum output_format {
	FORMAT_TABLE,
	FORMAT_CSV,
	FORMAT_JSON,
	FORMAT_PLOT,
	FORMAT_GNUPLOT,
	FORMAT_SVG,
	FORMAT_HTML,
	FORMAT_COUNT
};

/* The word must be one of `allowed`, a bit each. */
bool output_format_parse(const char *text, unsigned allowed, enum output_format *out, struct err *e);

struct session_output {
	enum output_format format;
	FILE *file;
	const json_t *header;
	json_t *const *points;
	size_t count;
	const struct validation *published; /* rows for the plot, or NULL */
};
/* Everything at once; missing (NULL) points are left out. */
void session_output_print(const struct session_output *o);
/* The same into a file, whole or not at all; `file` of the output is not used. */
bool session_output_write(const struct session_output *o, const char *path, struct err *e);
/* The beginning of the CSV and one row of it, for a run that prints while it measures. */
void csv_print_header(FILE *file, const json_t *header);
void csv_print_point(FILE *file, const json_t *header, size_t row, const json_t *point); /* row: from 1 */

#endif
