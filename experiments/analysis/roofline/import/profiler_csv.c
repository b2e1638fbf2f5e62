#include "experiments/analysis/roofline/import/profiler_csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"

enum { FILE_MAX = 256 << 20 /* bytes */ };

/* Reads a field at *at in place, and ends it. Returns true if another one of the same row follows. */
static bool read_csv_field(char **at, int *line, char **field)
{
	char *from = *at, *to = *at;
	bool quoted = *from == '"';
	*field = to;
	for (from += quoted; *from; *to++ = *from++) {
		if (quoted && *from == '"' && *++from != '"') /* two quotes are one */
			quoted = false;
		if (!quoted && (*from == ',' || *from == '\n' || !*from))
			break;
		*line += *from == '\n';
	}
	char end = *from;
	*at = from + (end != 0);
	if (!quoted && to > *field && to[-1] == '\r')
		to--;
	*to = 0;
	*line += end == '\n';
	return end == ',';
}

static void read_csv_row(char **at, int *line, struct csv_row *row)
{
	bool more = true;
	*row = (struct csv_row){.line = *line};
	while (more) {
		if (!(row->count & (row->count - 1))) /* full at each power of two */
			row->fields =
				xrealloc(row->fields, (size_t)(row->count ? 2 * row->count : 1) * sizeof *row->fields);
		more = read_csv_field(at, line, &row->fields[row->count++]);
	}
}

static bool is_header(const struct csv_row *row, const char *const *names)
{
	for (int i = 0; i < row->count; i++)
		if (name_list_index(row->fields[i], names) >= 0)
			return true;
	return false;
}

/* What is before the header is dropped, and so are empty lines. */
static void add_csv_row(struct profiler_csv *c, struct csv_row *row, const char *const *names)
{
	bool empty = row->count == 1 && !*row->fields[0];
	if (empty || (!c->count && !is_header(row, names))) {
		free(row->fields);
		return;
	}
	if (!(c->count & (c->count - 1)))
		c->rows = xrealloc(c->rows, (size_t)(c->count ? 2 * c->count : 1) * sizeof *c->rows);
	c->rows[c->count++] = *row;
}

bool profiler_csv_read(const char *path, const char *const *names, struct profiler_csv *out, struct err *e)
{
	struct buf text = {0};
	const char *why;
	int line = 1;
	*out = (struct profiler_csv){0};
	if (!input_file_read(path, FILE_MAX, &text, &why)) {
		buf_free(&text);
		return err_set(e, ST_REQUEST, "cannot read %s: %s", path, why);
	}
	out->text = text.data ? text.data : xstrdup("");
	for (char *at = out->text; *at;) {
		struct csv_row row;
		read_csv_row(&at, &line, &row);
		add_csv_row(out, &row, names);
	}
	return out->count ||
		err_set(e, ST_REQUEST,
			"%s is not a CSV file of rocprof, rocprofv3 or `ncu --csv`: no line has a column of kernel names",
			path);
}

void profiler_csv_free(struct profiler_csv *c)
{
	for (int i = 0; i < c->count; i++)
		free(c->rows[i].fields);
	free(c->rows);
	free(c->text);
	*c = (struct profiler_csv){0};
}

int profiler_csv_column(const struct profiler_csv *c, const char *name)
{
	for (int i = 0; c->count && i < c->rows[0].count; i++)
		if (!strcmp(c->rows[0].fields[i], name))
			return i;
	return -1;
}
