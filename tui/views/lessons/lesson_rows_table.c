/* A lesson's table as rows of text: as it is if it fits; otherwise the widest column wraps; otherwise the columns
 * come in several parts, each with the first column. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/views/lessons/text_rows.h"
#include "tui/toolkit/theme.h"

enum { COLUMNS_MAX = 24, INDENT = 2, GAP = 2, WRAPPED_LEAST = 14, WRAPPED_ROWS = 8 };

struct table {
	const struct lesson *l;
	const struct lesson_block *head, *end;
	int columns, width[COLUMNS_MAX];
};

static void measure_table(struct table *t)
{
	const struct lesson_block *last = t->l->blocks + t->l->block_count;
	for (t->columns = 0; t->columns < COLUMNS_MAX; t->columns++) {
		int w = lesson_column_width(t->l, t->head, t->columns);
		if (w < 0)
			break;
		t->width[t->columns] = w;
	}
	t->end = t->head + 1;
	while (t->end < last && t->end->kind == LESSON_ROW && t->end->number)
		t->end++;
}

static int total_width(const struct table *t, int first, int count)
{
	int sum = t->width[0];
	for (int i = first; i < first + count; i++)
		sum += t->width[i] + GAP;
	return sum;
}

static const char *cell_of(const struct lesson_block *row, int column)
{
	const char *cell = row->text;
	for (int i = 0; cell && i < column; i++)
		cell = (cell = strchr(cell, '\t')) ? cell + 1 : NULL;
	return cell ? cell : "";
}

/* The n-th row of a wrapped cell. */
static void cell_line(const struct table *t, const struct lesson_block *row, int column, int n, char *out, size_t size)
{
	const char *cell = cell_of(row, column);
	char whole[400];
	snprintf(whole, sizeof whole, "%.*s", (int)strcspn(cell, "\t"), cell);
	const char *text = whole;
	for (; n && *text; n--) {
		text += text_fit_bytes(text, t->width[column]);
		text += strspn(text, " ");
	}
	snprintf(out, size, "%.*s", *text ? (int)text_fit_bytes(text, t->width[column]) : 0, text);
}

/* One row: the first column and `count` columns from `first` on. False when all cells are used up. */
static bool row_line(
	const struct table *t, const struct lesson_block *row, int first, int count, int n, struct buf *out)
{
	char text[400];
	bool any = false;
	for (int i = -1; i < count; i++) {
		int column = i < 0 ? 0 : first + i;
		cell_line(t, row, column, n, text, sizeof text);
		any |= *text != 0;
		buf_printf(out, "%s%*s", text, t->width[column] - text_width(text) + GAP, "");
	}
	return any;
}

static void cell_text(const struct table *t, int first, int count, struct text_rows *out)
{
	for (const struct lesson_block *row = t->head; row < t->end; row++)
		for (int n = 0; n < WRAPPED_ROWS; n++) {
			struct buf line = {0};
			bool any = row_line(t, row, first, count, n, &line);
			while (line.len && line.data[line.len - 1] == ' ')
				line.data[--line.len] = 0;
			if (any || !n)
				text_rows_add_line(out, row->number ? ROLE_TEXT : ROLE_CHAPTER, INDENT, line.data);
			buf_free(&line);
			if (!any)
				break;
		}
}

/* Narrows the widest columns until the table fits; false when a column would get too narrow. */
static bool shrink_columns(struct table *t, int width)
{
	for (int over = total_width(t, 1, t->columns - 1) - width; over > 0; over--) {
		int widest = 0;
		for (int i = 1; i < t->columns; i++)
			widest = t->width[i] > t->width[widest] ? i : widest;
		if (t->width[widest] <= WRAPPED_LEAST)
			return false;
		t->width[widest]--;
	}
	return true;
}

void text_rows_add_table(const struct lesson *l, const struct lesson_block *head, int width, struct text_rows *out)
{
	struct table t = {.l = l, .head = head};
	measure_table(&t);
	struct table whole = t;
	if (shrink_columns(&t, width - INDENT)) {
		cell_text(&t, 1, t.columns - 1, out);
		return;
	}
	t = whole;
	int half = (width - INDENT) / 2 - GAP;
	for (int i = 0; i < t.columns; i++)
		t.width[i] = t.width[i] > half ? half : t.width[i];
	for (int first = 1; first < t.columns;) {
		int count = 1;
		while (first + count < t.columns && total_width(&t, first, count + 1) <= width - INDENT)
			count++;
		if (first > 1)
			text_rows_add_line(out, ROLE_TEXT, 0, "");
		cell_text(&t, first, count, out);
		first += count;
	}
}
