/* The one writer of CSV: lines of fields, quoted as in RFC 4180, and `#` lines.
 *
 * A spreadsheet runs a text field that begins with = + - or @ as a formula, and recorded names can come from other
 * people: such a field gets an apostrophe in front, as OWASP recommends ("CSV Injection"). In a `#` line, which a
 * spreadsheet also splits at commas, so does each part. Numbers are written as they are. A line break within a text
 * becomes a space: one row is one line. */
#ifndef SESSIONS_EXPORT_CSV_LINE_H
#define SESSIONS_EXPORT_CSV_LINE_H

#include "base/buf.h"
#include "sessions/load/session_columns.h"

struct csv_line {
	struct buf text;
	bool begun; /* the next field needs a comma; the first field may be empty */
};

void csv_add_text(struct csv_line *line, const char *text);
void csv_add_number(struct csv_line *line, struct reading r);   /* an empty field if the reading is not valid */
void csv_add_measured(struct csv_line *line, struct reading r); /* rounded to the digits that a measurement has */
void csv_add_count(struct csv_line *line, size_t count);
void csv_add_param(struct csv_line *line, const struct column *c, const json_t *point); /* a name or a number */

typedef void csv_put(void *ctx, const char *text);
void csv_end_line(struct csv_line *line, csv_put *put, void *ctx); /* adds the newline, and empties the line */
/* "# NAME: TEXT"; nothing if the text is empty. */
void csv_put_comment(const char *name, const char *text, csv_put *put, void *ctx);
struct session_output;
void csv_put_notes(const struct session_output *o, csv_put *put, void *ctx); /* a comment for each note */

#endif
