/* Export format "csv". Everything below the `#` lines depends only on the records: equal measurements give equal
 * bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "sessions/export/csv_line.h"
#include "sessions/export/exporters.h"
#include "sessions/export/provenance_facts.h"
#include "sessions/load/sampling_text.h"
#include "sessions/load/session_columns.h"
#include "sessions/session.h"
#include "gpu/protocol/header_record.h"
#include "gpu/protocol/point_record.h"

static const char *const clock_columns[] = {"sclk_mhz", "mclk_mhz", "temp_c", "power_w"};
enum { CLOCKS = sizeof clock_columns / sizeof *clock_columns };

/* How the samples came about, of a device whose times vary; after the intervals of the metrics. */
static const char *const sampling_columns[] = {"outliers", "drift", "tries", "marks"};
enum { SAMPLING = sizeof sampling_columns / sizeof *sampling_columns };

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

/* The ends of the interval of each metric's median. */
static void add_sampling_ids(struct csv_line *line, const struct session_columns *c)
{
	static const char *const ends[] = {"low", "high"};
	for (int i = 0; i < 2 * c->metric_count; i++) {
		char *id = xasprintf("%s_%s", c->metrics[i / 2].id, ends[i % 2]);
		csv_add_text(line, id);
		free(id);
	}
	for (int i = 0; i < SAMPLING; i++)
		csv_add_text(line, sampling_columns[i]);
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
	if (device_times_vary(header_get_device(header)))
		add_sampling_ids(&line, &c);
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

static void add_row_sampling(struct csv_line *line, const struct session_columns *c, const json_t *point)
{
	char marks[256];
	bool wrong = point_has_wrong_result(point);
	for (int i = 0; i < c->metric_count; i++) {
		double low, high;
		bool known = column_interval(&c->metrics[i], point, &low, &high) && !wrong;
		csv_add_measured(line, (struct reading){known, low});
		csv_add_measured(line, (struct reading){known, high});
	}
	for (int i = 0; i < SAMPLING - 1; i++)
		csv_add_measured(line, record_get_reading(point, sampling_columns[i]));
	csv_add_text(line, point_format_sampling(point, marks, sizeof marks));
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
	if (device_times_vary(header_get_device(header)))
		add_row_sampling(&line, &c, point);
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
