/* The points of a session as a table: its columns, what is the same in all rows, and the text of each cell. Used by
 * `run`, `open` and the HTML report. */
#ifndef SESSIONS_EXPORT_SESSION_TABLE_H
#define SESSIONS_EXPORT_SESSION_TABLE_H

#include "sessions/export/session_output.h"
#include "sessions/load/fault_causes.h"
#include "sessions/load/session_columns.h"

enum { TABLE_CELL_WIDTH = 40 };

struct table_column {
	char head[48], unit[32]; /* the unit as people write it: "°C" */
	const struct column *param, *metric;
	const char *clock; /* the record's name of a clock, temperature or power reading */
	bool is_counter;   /* `metric` is a hardware counter */
	int width;         /* in columns of text; 0: not measured */
};
struct session_table {
	struct session_columns columns; /* borrows from the header */
	struct table_column list[3 * COLUMNS_MAX];
	int count;
	struct fault_causes causes; /* owned; those that a note has told are marked */
	char *fixed;                /* "reads = 65536, variant = published": parameters with one value; owned */
};

/* Borrows the output's header. `ascii`: no Unicode in units. */
void session_table_make(const struct session_output *o, bool ascii, struct session_table *t);
/* Counts the causes of the points' faults, so that notes can give their numbers. */
void session_table_count_faults(const struct session_output *o, struct session_table *t);
/* Makes the column wide enough for the text, of `width` columns. */
void session_table_note_width(struct table_column *c, int width);
void session_table_free(struct session_table *t);
/* Writes "-" if there is no reading. */
void session_table_format_cell(char *out, size_t size, const struct table_column *c, const json_t *point);
/* Why a point cannot be trusted, or what the compiler printed; "" otherwise. Call it in the order of the rows: a cause
 * of several points that were counted is in the first row only, with their number; later rows say so. */
void session_table_format_note(struct session_table *t, const json_t *point, char *out, size_t size);

#endif
