/* Export format "csv". Everything below the `#` lines depends only on the records: equal measurements give equal
 * bytes. */
#include <stdio.h>

#include "sessions/export/csv_line.h"
#include "sessions/export/exporters.h"
#include "sessions/export/provenance_facts.h"
#include "sessions/load/session_columns.h"
#include "sessions/session.h"
#include "gpu/protocol/point_record.h"

static const char *const clock_columns[] = {"sclk_mhz", "mclk_mhz", "temp_c", "power_w"};
enum { CLOCKS = sizeof clock_columns / sizeof *clock_columns };

void csv_write_provenance(const json_t *header, csv_put *put, void *ctx)
{
	struct provenance_facts f;
	provenance_facts_read(header, &f);
	for (int i = 0; i < f.count; i++)
		csv_put_comment(f.list[i].name, f.list[i].value, put, ctx);
	provenance_facts_free(&f);
}

static void add_ids(struct csv_line *line, const struct column *list, int count)
{
	for (int i = 0; i < count; i++)
		csv_add_text(line, list[i].id);
}

void csv_write_header(const json_t *header, csv_put *put, void *ctx)
{
	struct session_columns c;
	struct csv_line line = {0};
	columns_read(header, &c);
	add_ids(&line, c.params, c.param_count);
	add_ids(&line, c.metrics, c.metric_count);
	for (int i = 0; i < CLOCKS; i++)
		csv_add_text(&line, clock_columns[i]);
	csv_add_text(&line, "samples");
	csv_add_text(&line, "status");
	add_ids(&line, c.counters, c.counter_count);
	csv_end_line(&line, put, ctx);
}

void csv_write_fault(const json_t *point, size_t row, csv_put *put, void *ctx)
{
	char name[32], why[512];
	snprintf(name, sizeof name, "row %zu", row);
	if (point_describe_fault(point, why, sizeof why))
		csv_put_comment(name, why, put, ctx);
}

void csv_add_param(struct csv_line *line, const struct column *c, const json_t *point)
{
	const char *name;
	struct reading r = column_param(c, point, &name);
	if (name)
		csv_add_text(line, name);
	else
		csv_add_number(line, r);
}

/* The number of samples, and what became of them. A failed point has no number: its samples gave no value. */
static void add_sample_count(struct csv_line *line, const json_t *point)
{
	bool failed = point_has_failed(point);
	if (failed)
		csv_add_text(line, "");
	else
		csv_add_count(line, json_array_size(point_get_samples(point)));
	csv_add_text(line, failed ? "failed" : point_has_wrong_result(point) ? "wrong result" : "ok");
}

void csv_write_row(const json_t *header, const json_t *point, csv_put *put, void *ctx)
{
	struct session_columns c;
	struct csv_line line = {0};
	bool wrong = point_has_wrong_result(point);
	columns_read(header, &c);
	for (int i = 0; i < c.param_count; i++)
		csv_add_param(&line, &c.params[i], point);
	for (int i = 0; i < c.metric_count; i++)
		csv_add_measured(&line, wrong ? (struct reading){0} : column_metric(&c.metrics[i], point));
	for (int i = 0; i < CLOCKS; i++)
		csv_add_measured(&line, record_get_reading(point, clock_columns[i]));
	add_sample_count(&line, point);
	for (int i = 0; i < c.counter_count; i++)
		csv_add_number(&line, column_counter(&c.counters[i], point));
	csv_end_line(&line, put, ctx);
}

/* --- the export --- */

void csv_put_notes(const struct session_output *o, csv_put *put, void *ctx)
{
	for (size_t i = 0; session_output_note(o, i); i++)
		csv_put_comment("note", session_output_note(o, i), put, ctx);
}

static void put_in_file(void *file, const char *text)
{
	fputs(text, file);
}

void csv_print_header(FILE *file, const json_t *header, bool bare)
{
	if (!bare)
		csv_write_provenance(header, put_in_file, file);
	csv_write_header(header, put_in_file, file);
	fflush(file);
}

void csv_print_point(FILE *file, const json_t *header, size_t row, const json_t *point, bool bare)
{
	if (!bare)
		csv_write_fault(point, row, put_in_file, file);
	csv_write_row(header, point, put_in_file, file);
	fflush(file);
}

void csv_export(const struct session_output *o)
{
	if (!o->bare) {
		csv_write_provenance(o->header, put_in_file, o->file);
		csv_put_notes(o, put_in_file, o->file);
	}
	csv_write_header(o->header, put_in_file, o->file);
	size_t row = 0;
	for (size_t i = 0; i < o->points->count; i++) {
		const json_t *point = point_list_get(o->points, i);
		if (point)
			csv_print_point(o->file, o->header, ++row, point, o->bare);
	}
}
