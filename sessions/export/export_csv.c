/* Export format "csv". Everything below the `#` lines depends only on the records: equal measurements give equal
 * bytes. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "sessions/export/exporters.h"
#include "sessions/load/session_columns.h"
#include "sessions/session.h"

typedef void put_fn(void *ctx, const char *text);

static const char *const clock_columns[] = {"sclk_mhz", "mclk_mhz", "temp_c", "power_w"};
enum { CLOCKS = sizeof clock_columns / sizeof *clock_columns };

/* --- provenance: a `#` line for each fact --- */

static void put_fact(put_fn *put, void *ctx, const char *name, const char *value)
{
	if (!*value)
		return;
	char *line = xasprintf("# %s: %s\n", name, value);
	for (char *c = line; *c && c[1]; c++) /* control characters must not break the line */
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = ' ';
	put(ctx, line);
	free(line);
}

static void append_json_value(struct buf *b, const json_t *v)
{
	char number[40];
	if (json_is_string(v))
		buf_puts(b, json_string_value(v));
	else if (json_is_number(v))
		buf_puts(b, number_format_exact(number, sizeof number, json_number_value(v)));
	else if (json_is_boolean(v))
		buf_puts(b, json_is_true(v) ? "yes" : "no");
	else if (json_is_array(v)) {
		size_t i;
		json_t *e;
		json_array_foreach(v, i, e)
		{
			buf_puts(b, i ? " " : "");
			if (!json_is_array(e) && !json_is_object(e))
				append_json_value(b, e);
		}
	}
}

/* An object as "name=value name=value"; a scalar as it is. */
static void put_object_fact(put_fn *put, void *ctx, const char *name, const json_t *v)
{
	struct buf b = {0};
	const char *key;
	json_t *member;
	buf_puts(&b, "");
	if (!json_is_object(v))
		append_json_value(&b, v);
	json_object_foreach((json_t *)v, key, member)
	{
		buf_printf(&b, "%s%s=", b.len ? " " : "", key);
		append_json_value(&b, member);
	}
	put_fact(put, ctx, name, b.data);
	buf_free(&b);
}

static void put_device_facts(const json_t *device, put_fn *put, void *ctx)
{
	if (!json_is_object(device))
		return;
	char *text = xasprintf("%s  %s %s", record_get_text(device, "device"), record_get_text(device, "name"),
		record_get_text(device, "arch"));
	put_fact(put, ctx, "device", text);
	free(text);
	put_object_fact(put, ctx, "versions", json_object_get(device, "versions"));
	put_object_fact(put, ctx, "constants", json_object_get(device, "constants"));
}

static void put_units_fact(const struct session_columns *c, put_fn *put, void *ctx)
{
	struct buf b = {0};
	buf_puts(&b, "");
	for (int i = 0; i < c->param_count; i++)
		if (*c->params[i].unit)
			buf_printf(&b, "%s=%s ", c->params[i].id, c->params[i].unit);
	for (int i = 0; i < c->metric_count; i++)
		if (*c->metrics[i].unit)
			buf_printf(&b, "%s=%s ", c->metrics[i].id, c->metrics[i].unit);
	buf_puts(&b, "sclk_mhz=MHz mclk_mhz=MHz temp_c=C power_w=W");
	for (int i = 0; i < c->counter_count; i++)
		if (*c->counters[i].unit)
			buf_printf(&b, " %s=%s", c->counters[i].id, c->counters[i].unit);
	put_fact(put, ctx, "units", b.data);
	buf_free(&b);
}

static void put_sweep_fact(const json_t *sweep, put_fn *put, void *ctx)
{
	const char *param = record_get_text(sweep, "param");
	if (!*param)
		return;
	struct buf b = {0};
	buf_printf(&b, "%s=", param);
	append_json_value(&b, json_object_get(sweep, "values"));
	put_fact(put, ctx, "sweep", b.data);
	buf_free(&b);
}

void csv_write_provenance(const json_t *header, put_fn *put, void *ctx)
{
	static const char *const facts[] = {"program", "experiment", "title", "question", "source", "time"};
	struct session_columns c;
	columns_read(header, &c);
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		put_fact(put, ctx, facts[i], record_get_text(header, facts[i]));
	put_device_facts(json_object_get(header, "device"), put, ctx);
	put_object_fact(put, ctx, "kernel", json_object_get(header, "kernel"));
	put_object_fact(put, ctx, "params", json_object_get(header, "params"));
	const json_t *sweep = json_object_get(header, "sweep");
	size_t i;
	json_t *v;
	put_sweep_fact(sweep, put, ctx);
	json_array_foreach(sweep, i, v) put_sweep_fact(v, put, ctx);
	put_units_fact(&c, put, ctx);
}

/* --- the table --- */

void csv_append_field(struct buf *b, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")] && text[0] != '#') {
		buf_puts(b, text);
		return;
	}
	buf_puts(b, "\""); /* quoted as in RFC 4180 */
	for (; *text; text++)
		buf_add(b, *text == '"' ? "\"\"" : *text == '\n' || *text == '\r' ? " " : text, *text == '"' ? 2 : 1);
	buf_puts(b, "\"");
}

static void append_comma(struct buf *b)
{
	buf_puts(b, b->len ? "," : "");
}

static void append_reading(struct buf *b, struct reading r)
{
	char number[40];
	if (r.valid)
		buf_puts(b, number_format_exact(number, sizeof number, r.value));
}

static void append_ids(struct buf *b, const struct column *list, int count)
{
	for (int i = 0; i < count; i++) {
		append_comma(b);
		csv_append_field(b, list[i].id);
	}
}

static void put_csv_line(struct buf *b, put_fn *put, void *ctx)
{
	buf_puts(b, "\n");
	put(ctx, b->data);
	buf_free(b);
}

void csv_write_header(const json_t *header, put_fn *put, void *ctx)
{
	struct session_columns c;
	struct buf b = {0};
	columns_read(header, &c);
	append_ids(&b, c.params, c.param_count);
	append_ids(&b, c.metrics, c.metric_count);
	for (int i = 0; i < CLOCKS; i++) {
		append_comma(&b);
		buf_puts(&b, clock_columns[i]);
	}
	buf_puts(&b, ",samples");
	append_ids(&b, c.counters, c.counter_count);
	put_csv_line(&b, put, ctx);
}

void csv_write_fault(const json_t *point, size_t row, put_fn *put, void *ctx)
{
	char name[32], why[512];
	snprintf(name, sizeof name, "row %zu", row);
	if (point_describe_fault(point, why, sizeof why))
		put_fact(put, ctx, name, why);
}

/* The separator does not depend on the buffer, because the first field may be empty. */
void csv_write_row(const json_t *header, const json_t *point, put_fn *put, void *ctx)
{
	struct session_columns c;
	struct buf b = {0};
	const char *separator = "";
	bool wrong = point_has_wrong_result(point);
	columns_read(header, &c);
	for (int i = 0; i < c.param_count; i++, separator = ",") {
		const char *name;
		struct reading r = column_param(&c.params[i], point, &name);
		buf_puts(&b, separator);
		if (name)
			csv_append_field(&b, name);
		else
			append_reading(&b, r);
	}
	for (int i = 0; i < c.metric_count; i++, separator = ",") {
		buf_puts(&b, separator);
		if (!wrong)
			append_reading(&b, column_metric(&c.metrics[i], point));
	}
	for (int i = 0; i < CLOCKS; i++, separator = ",") {
		buf_puts(&b, separator);
		append_reading(&b, record_get_reading(point, clock_columns[i]));
	}
	buf_printf(&b, ",%zu", json_array_size(json_object_get(point, "seconds")));
	for (int i = 0; i < c.counter_count; i++) {
		buf_puts(&b, ",");
		append_reading(&b, column_counter(&c.counters[i], point));
	}
	put_csv_line(&b, put, ctx);
}

/* --- the export --- */

static void put_in_file(void *file, const char *text)
{
	fputs(text, file);
}

void csv_print_header(FILE *file, const json_t *header)
{
	csv_write_provenance(header, put_in_file, file);
	csv_write_header(header, put_in_file, file);
	fflush(file);
}

void csv_print_point(FILE *file, const json_t *header, size_t row, const json_t *point)
{
	csv_write_fault(point, row, put_in_file, file);
	csv_write_row(header, point, put_in_file, file);
	fflush(file);
}

void csv_export(const struct session_output *o)
{
	csv_print_header(o->file, o->header);
	size_t row = 0;
	for (size_t i = 0; i < o->count; i++)
		if (o->points[i])
			csv_print_point(o->file, o->header, ++row, o->points[i]);
}
