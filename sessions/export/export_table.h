/* The table of a session: its columns, what is the same in all rows, the text of each cell; printed by `run` and
 * `open`, and set in reports. */
#ifndef SESSIONS_EXPORT_EXPORT_TABLE_H
#define SESSIONS_EXPORT_EXPORT_TABLE_H

#include "sessions/load/session_columns.h"
#include "sessions/export/session_output.h"

enum { TABLE_CELL_WIDTH = 40 };

struct table_column {
	char head[48], unit[32];
	const struct column *param, *metric;
	const char *clock;
	bool samples /* a counter */;
	int width;
};
struct session_table {
	struct session_columns columns; /* borrows from the header */
	struct table_column list[3 * COLUMNS_MAX];
	int count;
	char *fixed; /* "reads = 65536, variant = published": what does not vary; owned */
};

/* Borrows the output's header. */
void session_table_make(const struct session_output *o, struct session_table *t);
void session_table_free(struct session_table *t);
void session_table_format_cell(
	char *out, size_t size, const struct table_column *c, const json_t *point); /* "-" where there is no reading */
/* Why a point is not to be trusted, or what a compiler said; "" when there is nothing to say. */
void session_table_format_note(const json_t *point, char *out, size_t size);

#endif
