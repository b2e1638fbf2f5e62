/* A CSV file of a profiler: quoted fields, and lines of other output before the header, as ncu writes them. */
#ifndef EXPERIMENTS_ANALYSIS_PROFILER_CSV_H
#define EXPERIMENTS_ANALYSIS_PROFILER_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct csv_row {
	char **fields;
	int count, line; /* line: in the file, from 1 */
};

struct profiler_csv {
	char *text; /* the fields point into it */
	struct csv_row *rows;
	int count; /* rows[0] is the header */
};

/* The header is the first row with one of these names (NULL-terminated). Call profiler_csv_free in any case. */
bool profiler_csv_read(const char *path, const char *const *names, struct profiler_csv *out, struct err *e);
void profiler_csv_free(struct profiler_csv *c);
/* The column with this name; -1: none. */
int profiler_csv_column(const struct profiler_csv *c, const char *name);

#endif
