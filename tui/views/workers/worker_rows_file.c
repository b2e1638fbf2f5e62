/* The rows of the workers for other programs: plain numbers, nothing where there is none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/units.h"
#include "sessions/export/csv_line.h"
#include "tui/views/workers/worker_rows.h"

static bool value_is_number(const struct worker_rows *r)
{
	return r->swept && r->swept->kind != PARAM_STEP_CHOICE;
}

/* "" for what there is not; a time in seconds. */
static void format_plain_cell(const struct worker_rows *r, int worker, enum worker_column c, char *out, size_t size)
{
	const struct worker_row *row = &r->list[worker];
	if (c == WORKER_STATE)
		snprintf(out, size, "%s", worker_state_name(row->state));
	else if (c == WORKER_TIME && row->at.job)
		snprintf(out, size, "%.1f", row->at.job_seconds);
	else if (c == WORKER_VALUE && row->point && value_is_number(r))
		number_format_exact(out, size, row->point->values[r->axis]);
	else if (!strcmp(worker_cell_format(r, worker, c, out, size), "--"))
		*out = 0;
}

char *worker_rows_copy_text(const struct worker_rows *r)
{
	struct buf out = {0};
	char text[DEVICE_NAME_MAX];
	for (int c = 0; c < WORKER_COLUMNS; c++)
		buf_printf(&out, "%s%s%s", c ? "\t" : "", worker_column_head(r, (enum worker_column)c),
			c == WORKER_TIME ? " (s)" : "");
	buf_puts(&out, "\n");
	for (int i = 0; i < r->count; i++)
		for (int c = 0; c < WORKER_COLUMNS; c++) {
			format_plain_cell(r, r->order[i], (enum worker_column)c, text, sizeof text);
			buf_printf(&out, "%s%s", text, c + 1 < WORKER_COLUMNS ? "\t" : "\n");
		}
	return out.data;
}

static void put_workers_text(void *file, const char *text)
{
	fputs(text, file);
}

static void print_workers_csv(FILE *out, const void *ctx)
{
	const struct worker_rows *r = ctx;
	struct csv_line line = {0};
	char text[DEVICE_NAME_MAX];
	for (int c = 0; c < WORKER_COLUMNS; c++)
		csv_add_text(&line, c == WORKER_TIME ? "time_s" : worker_column_head(r, (enum worker_column)c));
	csv_end_line(&line, put_workers_text, out);
	for (int i = 0; i < r->count; i++) {
		for (int c = 0; c < WORKER_COLUMNS; c++) {
			format_plain_cell(r, r->order[i], (enum worker_column)c, text, sizeof text);
			csv_add_text(&line, text);
		}
		csv_end_line(&line, put_workers_text, out);
	}
}

bool worker_rows_write_csv(const struct worker_rows *r, const char *path, struct err *e)
{
	return file_write_atomic(path, print_workers_csv, r, "; choose another file", e);
}
