#include "sessions/export/session_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/protocol/header_record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/stalls/stall_reasons.h"
#include "sessions/load/sampling_text.h"

static void format_metric(char *out, size_t size, double v)
{
	double a = fabs(v);
	if (v == floor(v) && a < 1e9)
		snprintf(out, size, "%.0f", v);
	else if (a >= 1e9 || (a > 0 && a < 0.001))
		snprintf(out, size, "%.4g", v);
	else
		snprintf(out, size, "%.*f", a >= 1000 ? 1 : a >= 100 ? 2 : a >= 1 ? 3 : 4, v);
}

static void format_reading(char *out, size_t size, struct reading r)
{
	if (r.valid)
		format_metric(out, size, r.value);
	else
		snprintf(out, size, "-");
}

/* Clocks, temperature and power. */
static void format_sensor(char *out, size_t size, struct reading r)
{
	if (r.valid)
		units_format_rounded(out, size, r.value);
	else
		snprintf(out, size, "-");
}

static void format_param(char *out, size_t size, const struct column *c, const json_t *point)
{
	const char *name;
	struct reading r = column_param(c, point, &name);
	if (name)
		snprintf(out, size, "%s", name);
	else if (r.valid && !strcmp(c->unit, "B"))
		units_format(out, size, r.value, "B", 6);
	else if (r.valid)
		number_format_exact(out, size, r.value);
	else
		snprintf(out, size, "-");
}

static void format_value(char *out, size_t size, const struct table_column *c, const json_t *point)
{
	struct reading r = c->is_counter ? column_counter(c->metric, point) : column_metric(c->metric, point);
	if (!r.valid && !c->is_counter && point_has_failed(point))
		snprintf(out, size, "failed");
	else
		format_reading(out, size, r);
}

void session_table_format_cell(char *out, size_t size, const struct table_column *c, const json_t *point)
{
	if (c->param)
		format_param(out, size, c->param, point);
	else if (c->metric)
		format_value(out, size, c, point);
	else if (c->clock)
		format_sensor(out, size, record_get_reading(point, c->clock));
	else if (point_has_failed(point))
		snprintf(out, size, "-");
	else
		snprintf(out, size, "%zu", json_array_size(point_get_samples(point)));
}

static void add_column(struct session_table *t, struct table_column c)
{
	if (t->count < (int)(sizeof t->list / sizeof *t->list))
		t->list[t->count++] = c;
}

static struct table_column make_column(const char *head, const char *unit, bool ascii)
{
	struct table_column c = {0};
	snprintf(c.head, sizeof c.head, "%s", head);
	snprintf(c.unit, sizeof c.unit, "%s", unit_display(unit, ascii));
	return c;
}

/* Sets constant[i] for each parameter with the same text in all points; `first` gets these texts. */
static void find_constant_params(const struct session_output *o, const struct session_columns *c,
	bool constant[COLUMNS_MAX], char first[COLUMNS_MAX][TABLE_CELL_WIDTH])
{
	char text[TABLE_CELL_WIDTH];
	bool seen = false;
	memset(constant, true, COLUMNS_MAX * sizeof *constant);
	memset(first, 0, COLUMNS_MAX * sizeof *first);
	int varying = 0;
	for (size_t k = 0; k < o->points->count && varying < c->param_count; k++) {
		json_t *params = point_list_get_params(o->points, k),
		       *point = params ? json_pack("{s:o}", "params", params) : NULL;
		for (int i = 0; point && i < c->param_count; i++) {
			if (!constant[i])
				continue;
			format_param(seen ? text : first[i], sizeof text, &c->params[i], point);
			constant[i] = !seen || !strcmp(first[i], text);
			varying += !constant[i];
		}
		seen = seen || point;
		json_decref(point);
	}
}

static bool param_is_swept(const struct session_columns *c, const char *id)
{
	for (int i = 0; i < c->swept_count; i++)
		if (!strcmp(c->swept[i], id))
			return true;
	return c->param_count == 1;
}

/* Adds a column for each parameter that varies; the others are written to `fixed`. */
static void add_param_columns(const struct session_output *o, bool ascii, struct session_table *t, struct buf *fixed)
{
	const struct session_columns *c = &t->columns;
	char first[COLUMNS_MAX][TABLE_CELL_WIDTH], one[64];
	bool constant[COLUMNS_MAX];
	find_constant_params(o, c, constant, first);
	for (int i = 0; i < c->param_count; i++) {
		const struct column *p = &c->params[i];
		const char *unit = strcmp(p->unit, "B") ? p->unit : ""; /* bytes have their unit in each cell */
		if (param_is_swept(c, p->id) || !constant[i]) {
			add_column(t, make_column(p->id, unit, ascii));
			t->list[t->count - 1].param = p;
		} else if (*first[i]) {
			unit = strcmp(first[i], "1") ? unit : unit_singular(one, sizeof one, unit);
			buf_printf(fixed, "%s%s = %s%s%s", fixed->len ? ", " : "", p->id, first[i], *unit ? " " : "",
				unit_display(unit, ascii));
		}
	}
}

static bool is_stall_counter(const struct column *c)
{
	return !strncmp(c->id, STALL_COUNTER_PREFIX, strlen(STALL_COUNTER_PREFIX));
}

/* A run with --profile has a counter for each stall reason; most of them are 0 in all of its points. Such a column is
 * not shown. */
static void find_shown_counters(
	const struct session_output *o, const struct session_columns *c, bool shown[COLUMNS_MAX])
{
	int reasons = 0;
	for (int i = 0; i < c->counter_count; i++)
		reasons += is_stall_counter(&c->counters[i]);
	for (int i = 0; i < c->counter_count; i++)
		shown[i] = reasons < STALL_OTHER || !is_stall_counter(&c->counters[i]);
	for (size_t k = 0; reasons >= STALL_OTHER && k < o->points->count; k++) {
		const json_t *point = point_list_get(o->points, k);
		for (int i = 0; point && i < c->counter_count; i++)
			shown[i] = shown[i] || column_counter(&c->counters[i], point).value > 0;
	}
}

/* Unlike other sessions of the experiment. */
static void add_sampling_words(const json_t *header, struct buf *fixed)
{
	const json_t *sampling = header_get_sampling(header);
	if (json_is_true(json_object_get(sampling, "flush_l2")))
		buf_printf(fixed, "%sL2 emptied before each sample", fixed->len ? ", " : "");
	if (*record_get_text(sampling, "stop"))
		buf_printf(fixed, "%ssamples until their %s is steady", fixed->len ? ", " : "",
			record_get_text(sampling, "stop"));
}

static void add_measured_columns(const struct session_output *o, bool ascii, struct session_table *t)
{
	static const struct {
		const char *id, *head, *unit;
	} clocks[] = {
		{"sclk_mhz", "sclk", "MHz"},
		{"mclk_mhz", "mclk", "MHz"},
		{"temp_c", "temp", "C"},
		{"power_w", "power", "W"},
	};
	const struct session_columns *c = &t->columns;
	bool shown[COLUMNS_MAX];
	find_shown_counters(o, c, shown);
	for (int i = 0; i < c->metric_count; i++) {
		add_column(t, make_column(c->metrics[i].id, c->metrics[i].unit, ascii));
		t->list[t->count - 1].metric = &c->metrics[i];
	}
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
		add_column(t, make_column(clocks[i].head, clocks[i].unit, ascii));
		t->list[t->count - 1].clock = clocks[i].id;
	}
	add_column(t, make_column("n", "", ascii));
	for (int i = 0; i < c->counter_count; i++) {
		if (!shown[i])
			continue;
		add_column(t, make_column(c->counters[i].id, c->counters[i].unit, ascii));
		t->list[t->count - 1].metric = &c->counters[i];
		t->list[t->count - 1].is_counter = true;
	}
}

void session_table_count_faults(const struct session_output *o, struct session_table *t)
{
	fault_causes_free(&t->causes);
	fault_causes_count(o->points, &t->causes);
}

void session_table_note_width(struct table_column *c, int width)
{
	c->width = width > c->width ? width : c->width;
}

/* "failed: the reason (3 points)"; then "failed, as above". */
static void format_fault(struct session_table *t, const char *why, char *out, size_t size)
{
	struct fault_cause *cause = fault_causes_find(&t->causes, why);
	if (!cause || cause->points < 2)
		snprintf(out, size, "%s", why);
	else if (cause->is_told)
		snprintf(out, size, "%.*s, as above", (int)strcspn(why, ":"), why);
	else
		snprintf(out, size, "%s (%d points)", why, cause->points);
	if (cause)
		cause->is_told = true;
}

void session_table_format_note(struct session_table *t, const json_t *p, char *out, size_t size)
{
	char why[FAULT_TEXT];
	*out = 0;
	if (point_describe_fault(p, why, sizeof why)) {
		format_fault(t, why, out, size);
		return;
	}
	if (point_has_moved_clocks(p))
		point_format_sampling(p, out, size);
	else if (*point_get_compiler_text(p))
		snprintf(out, size, "%s", point_get_compiler_text(p));
	else if (!strcmp(point_get_verify(p), "none") && json_array_size(point_get_samples(p)))
		snprintf(out, size, "not verified");
	else
		point_format_sampling(p, out, size);
}

void session_table_make(const struct session_output *o, bool ascii, struct session_table *t)
{
	struct buf fixed = {0};
	*t = (struct session_table){0};
	buf_puts(&fixed, "");
	columns_read(o->header, &t->columns);
	add_param_columns(o, ascii, t, &fixed);
	add_measured_columns(o, ascii, t);
	add_sampling_words(o->header, &fixed);
	t->fixed = fixed.data;
}

void session_table_free(struct session_table *t)
{
	free(t->fixed);
	fault_causes_free(&t->causes);
	*t = (struct session_table){0};
}
