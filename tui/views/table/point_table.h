/* The points of a curve as a table: swept parameter, metrics, statistics of the samples, clocks. */
#ifndef TUI_VIEWS_TABLE_POINT_TABLE_H
#define TUI_VIEWS_TABLE_POINT_TABLE_H

#include "tui/lab/app.h"

enum { TABLE_COLUMNS_MAX = METRICS_MAX + 16 };

struct point_column {
	const char *head, *unit;                      /* borrowed; the unit of the values */
	int param, metric;                            /* index; -1: neither */
	struct reading (*get)(const struct point *p); /* NULL: of a parameter or metric */
};

struct point_table {
	struct point_column columns[TABLE_COLUMNS_MAX];
	int column_count;
	int *order; /* point of each row; owned */
	int rows;
	const char *time_unit; /* of the shown times: "us" */
	double time_factor;    /* of seconds */
};

/* Rows in the order of the column; -1: as measured. Points without a value come last. */
void point_table_make(const struct lab *b, int sort, bool descending, struct point_table *out);
void point_table_free(struct point_table *t);
int point_table_find_row(const struct point_table *t, int point); /* -1 */
struct reading point_table_value(const struct point_table *t, const struct lab *b, int row, int column);
/* As people read it: "16 KiB", "10.22"; "--" without a value. */
void point_table_format(const struct point_table *t, const struct lab *b, int row, int column, char *out, size_t size);
/* Why the numbers of the point are in doubt; "" if they are not. */
const char *point_table_remark(const struct lab *b, int point);
/* The unit that people see above the column, in which point_table_format writes; "" for bytes, which have it in each
 * cell. */
const char *point_table_unit(const struct point_table *t, int column, bool ascii);
/* The whole table with tabs between the cells, for a spreadsheet; the caller frees it. */
char *point_table_copy_text(const struct point_table *t, const struct lab *b);
/* The same as CSV, in base units. */
bool point_table_write_csv(const struct point_table *t, const struct lab *b, const char *path, struct err *e);

#endif
