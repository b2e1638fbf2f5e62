/* A session to be exported: its records, where to write, and what the caller adds to them. `run` and `open` print the
 * same bytes. */
#ifndef SESSIONS_EXPORT_SESSION_OUTPUT_H
#define SESSIONS_EXPORT_SESSION_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "sessions/export/session_chart.h"
#include "sessions/load/point_list.h"

enum export_format {
#define EXPORTER(id, name, extensions, contents, function, help) FORMAT_##id,
#include "sessions/export/exporters.def"
#undef EXPORTER
	FORMAT_COUNT
};

struct session_output {
	enum export_format format;
	FILE *file;
	const json_t *header;
	const struct point_list *points;
	const struct chart_extras *extras; /* published values and rulers for the plot, or NULL */
	int width;                         /* columns of a plot of characters */
	bool ascii;                        /* no Unicode in texts for people */
	const json_t *notes;               /* note records of the session, an array; NULL: none */
	bool bare;                         /* CSV without `#` lines */
	const json_t *what_if;             /* its what_if records; NULL: none */
};

/* The text of note `i`; NULL after the last. */
const char *session_output_note(const struct session_output *o, size_t i);
/* Writes everything to o->file; missing (NULL) points are skipped. */
void session_output_print(const struct session_output *o);
/* Writes it to a file, completely or not at all; o->file is ignored. Does not overwrite a recorded session. */
bool session_output_write(const struct session_output *o, const char *path, struct err *e);

/* The head of the CSV and one of its rows, for a run that prints while it measures. `row` counts from 1. `bare`:
 * without
 * `#` lines. */
void csv_print_header(FILE *file, const json_t *header, bool bare);
void csv_print_point(FILE *file, const json_t *header, size_t row, const json_t *point, bool bare);

#endif
