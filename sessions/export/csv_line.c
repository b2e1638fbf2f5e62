#include "sessions/export/csv_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable_text.h"
#include "base/units.h"

enum { MEASURED_DIGITS = 7 /* times are whole nanoseconds or 32-bit floats: later digits are from arithmetic */ };

static bool begins_formula(const char *text)
{
	return *text && strchr("=+-@", *text);
}

static void begin_field(struct csv_line *line)
{
	buf_puts(&line->text, line->begun ? "," : "");
	line->begun = true;
}

static void append_quoted(struct buf *out, const char *text)
{
	buf_puts(out, "\"");
	for (; *text; text++)
		buf_add(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
	buf_puts(out, "\"");
}

void csv_add_text(struct csv_line *line, const char *text)
{
	char *copy =
		text_join_lines(xasprintf("%s%s", begins_formula(text + strspn(text, " \t\r\n")) ? "'" : "", text));
	begin_field(line);
	if (copy[strcspn(copy, ",\";")] || strchr(text, '\n') || strchr(text, '\r') || *copy == '#')
		append_quoted(&line->text, copy);
	else
		buf_puts(&line->text, copy);
	free(copy);
}

void csv_add_number(struct csv_line *line, struct reading r)
{
	char number[40];
	begin_field(line);
	if (r.valid)
		buf_puts(&line->text, number_format_exact(number, sizeof number, r.value));
}

void csv_add_measured(struct csv_line *line, struct reading r)
{
	r.value = number_round_digits(r.value, MEASURED_DIGITS);
	csv_add_number(line, r);
}

void csv_add_count(struct csv_line *line, size_t count)
{
	begin_field(line);
	buf_printf(&line->text, "%zu", count);
}

void csv_end_line(struct csv_line *line, csv_put *put, void *ctx)
{
	buf_puts(&line->text, "\n");
	put(ctx, line->text.data);
	buf_free(&line->text);
	line->begun = false;
}

/* Appends text of a `#` line, of which a spreadsheet makes cells. A quotation mark would begin a cell that goes on over
 * the lines after it. */
static void append_comment_text(struct buf *out, const char *text)
{
	static const char separators[] = ",;\t\"";
	bool begins_cell = false;
	for (; *text; text++) {
		if (begins_cell && begins_formula(text))
			buf_puts(out, "'");
		begins_cell = strchr(separators, *text) || (begins_cell && strchr(" '\n\r", *text));
		buf_add(out, *text == '"' ? "'" : text, 1);
	}
}

void csv_put_comment(const char *name, const char *text, csv_put *put, void *ctx)
{
	struct buf b = {0};
	if (!*text)
		return;
	buf_puts(&b, "# ");
	append_comment_text(&b, name);
	buf_puts(&b, ": ");
	append_comment_text(&b, text);
	text_join_lines(b.data);
	buf_puts(&b, "\n");
	put(ctx, b.data);
	buf_free(&b);
}
