#include "tui/views/table/point_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/units.h"
#include "sessions/export/csv_line.h"
#include "sessions/session.h"
#include "gpu/protocol/point_record.h"

/* --- columns --- */
static struct reading read_statistic(const struct point *p, double value)
{
	return (struct reading){p->seconds.count > 0, value};
}

static struct reading read_median(const struct point *p)
{
	return read_statistic(p, p->seconds.median);
}
static struct reading read_least(const struct point *p)
{
	return read_statistic(p, p->seconds.min);
}
static struct reading read_first_quartile(const struct point *p)
{
	return read_statistic(p, p->seconds.q1);
}
static struct reading read_third_quartile(const struct point *p)
{
	return read_statistic(p, p->seconds.q3);
}
static struct reading read_largest(const struct point *p)
{
	return read_statistic(p, p->seconds.max);
}

/* The quartiles' distance in percent of the median; a single sample has none. */
static struct reading read_spread(const struct point *p)
{
	const struct stats *s = &p->seconds;
	return (struct reading){s->count > 1 && s->median > 0, s->median > 0 ? 100 * (s->q3 - s->q1) / s->median : 0};
}

static struct reading read_sample_count(const struct point *p)
{
	return (struct reading){p->status == POINT_OK, p->seconds.count};
}
static struct reading read_core_clock(const struct point *p)
{
	return p->clocks.sclk_mhz;
}
static struct reading read_memory_clock(const struct point *p)
{
	return p->clocks.mclk_mhz;
}
static struct reading read_temperature(const struct point *p)
{
	return p->clocks.temp_c;
}
static struct reading read_power(const struct point *p)
{
	return p->clocks.power_w;
}

static const struct point_column statistics[] = {
	{"time", "s", -1, -1, read_median},
	{"min", "s", -1, -1, read_least},
	{"q1", "s", -1, -1, read_first_quartile},
	{"q3", "s", -1, -1, read_third_quartile},
	{"max", "s", -1, -1, read_largest},
	{"spread", "%", -1, -1, read_spread},
	{"n", "", -1, -1, read_sample_count},
	{"sclk", "MHz", -1, -1, read_core_clock},
	{"mclk", "MHz", -1, -1, read_memory_clock},
	{"temp", "C", -1, -1, read_temperature},
	{"power", "W", -1, -1, read_power},
};

static void add_point_column(struct point_table *t, struct point_column c)
{
	if (t->column_count < TABLE_COLUMNS_MAX)
		t->columns[t->column_count++] = c;
}

static void add_lab_columns(struct point_table *t, const struct lab *b)
{
	const struct experiment *x = b->x;
	int axis = b->curve.axis;
	if (axis >= 0)
		add_point_column(
			t, (struct point_column){x->params[axis].id, param_unit(&x->params[axis]), axis, -1, NULL});
	for (int k = 0; k < x->metric_count; k++)
		add_point_column(t, (struct point_column){x->metrics[k].id, metric_unit(&x->metrics[k]), -1, k, NULL});
	for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++)
		add_point_column(t, statistics[i]);
}

static struct reading column_value(const struct point_column *c, const struct point *p)
{
	if (c->param >= 0)
		return (struct reading){true, p->values[c->param]};
	if (p->status != POINT_OK)
		return (struct reading){0};
	return c->metric >= 0 ? p->metrics[c->metric] : c->get(p);
}

/* --- times --- */
/* The unit in which the shortest time has one to three digits before the point. */
static void choose_time_unit(struct point_table *t, const struct lab *b)
{
	static const struct {
		const char *unit;
		double factor;
	} units[] = {{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}};
	double shortest = INFINITY;
	for (int i = 0; i < b->curve.count; i++)
		if (b->curve.points[i].seconds.median > 0)
			shortest = fmin(shortest, b->curve.points[i].seconds.median);
	size_t k = 0;
	while (k + 1 < sizeof units / sizeof *units && shortest * units[k].factor < 1)
		k++;
	t->time_unit = units[k].unit;
	t->time_factor = units[k].factor;
}

/* --- rows --- */
struct row_order {
	const struct lab *b;
	const struct point_column *by;
	bool descending;
};

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct row_order *o = ctx;
	int i = *(const int *)a, k = *(const int *)b;
	struct reading x = column_value(o->by, &o->b->curve.points[i]), y = column_value(o->by, &o->b->curve.points[k]);
	if (x.valid != y.valid)
		return y.valid - x.valid;
	int order = (x.value > y.value) - (x.value < y.value);
	return order ? (o->descending ? -order : order) : i - k;
}

void point_table_make(const struct lab *b, int sort, bool descending, struct point_table *out)
{
	*out = (struct point_table){.rows = b->curve.count};
	add_lab_columns(out, b);
	choose_time_unit(out, b);
	out->order = xcalloc((size_t)out->rows + 1, sizeof *out->order);
	for (int i = 0; i < out->rows; i++)
		out->order[i] = i;
	if (sort < 0 || sort >= out->column_count)
		return;
	struct row_order o = {b, &out->columns[sort], descending};
	qsort_r(out->order, (size_t)out->rows, sizeof *out->order, compare_rows, &o);
}

void point_table_free(struct point_table *t)
{
	free(t->order);
	*t = (struct point_table){0};
}

int point_table_find_row(const struct point_table *t, int point)
{
	for (int i = 0; i < t->rows; i++)
		if (t->order[i] == point)
			return i;
	return -1;
}

/* --- cells --- */
struct reading point_table_value(const struct point_table *t, const struct lab *b, int row, int column)
{
	return column_value(&t->columns[column], &b->curve.points[t->order[row]]);
}

/* Times are shown in microseconds. */
static bool column_has_times(const struct point_column *c)
{
	return c->get && !strcmp(c->unit, "s");
}

const char *point_table_unit(const struct point_table *t, int column, bool ascii)
{
	const struct point_column *c = &t->columns[column];
	return unit_display(column_has_times(c) ? t->time_unit : strcmp(c->unit, "B") ? c->unit : "", ascii);
}

/* Without the unit, which is above the column; bytes keep theirs. */
static void format_param_cell(const struct param *p, double value, char *out, size_t size)
{
	if (p->kind == PARAM_STEP_CHOICE || !strcmp(p->unit, "B"))
		param_format(p, value, out, size);
	else
		units_format(out, size, value, "", 6);
}

/* A metric of a point that gave no value. */
static bool cell_has_failed(const struct point_column *c, const struct point *p)
{
	return c->metric >= 0 &&
		(p->status == POINT_FAILED || (p->status == POINT_OK && *point_get_metric_error(p->record)));
}

void point_table_format(const struct point_table *t, const struct lab *b, int row, int column, char *out, size_t size)
{
	const struct point_column *c = &t->columns[column];
	struct reading r = point_table_value(t, b, row, column);
	if (!r.valid)
		snprintf(out, size, "%s", cell_has_failed(c, &b->curve.points[t->order[row]]) ? "failed" : "--");
	else if (c->param >= 0)
		format_param_cell(&b->x->params[c->param], r.value, out, size);
	else if (!strcmp(c->unit, "MHz") || !strcmp(c->unit, "C") || !strcmp(c->unit, "W"))
		units_format_rounded(out, size, r.value);
	else if (!strcmp(c->unit, "%"))
		snprintf(out, size, "%.*f", r.value < 10 ? 1 : 0, r.value);
	else
		number_format_digits(out, size, column_has_times(c) ? r.value * t->time_factor : r.value);
}

const char *point_table_remark(const struct lab *b, int point)
{
	const struct point *p = &b->curve.points[point];
	static const char *const pending[] = {
		[POINT_WAITING] = "waiting", [POINT_RUNNING] = "running", [POINT_CANCELLED] = "canceled"};
	if (p->status != POINT_OK && p->status != POINT_FAILED)
		return pending[p->status];
	return p->status == POINT_FAILED || *p->text ? p->text : p->clocks_moved ? "clock moved" : "";
}

/* --- the whole table --- */
/* Outside of the screen a remark alone does not say that the point failed. The caller frees it. */
static char *copy_row_remark(const struct lab *b, int point)
{
	const char *remark = point_table_remark(b, point);
	bool told = b->curve.points[point].status != POINT_FAILED || !strncmp(remark, "failed", 6);
	return xasprintf("%s%s%s", told ? "" : "failed", !told && *remark ? ": " : "", remark);
}

/* A spreadsheet needs plain numbers. */
static bool column_has_bytes(const struct point_column *c)
{
	return c->param >= 0 && !strcmp(c->unit, "B");
}

static void append_copied_row(const struct point_table *t, const struct lab *b, int row, struct buf *out)
{
	char text[64];
	for (int k = 0; k < t->column_count; k++) {
		const struct point_column *c = &t->columns[k];
		struct reading r = point_table_value(t, b, row, k);
		if (r.valid && column_has_bytes(c))
			number_format_exact(text, sizeof text, r.value);
		else
			point_table_format(t, b, row, k, text, sizeof text);
		buf_printf(out, "%s%s", k ? "\t" : "", r.valid ? text : "");
	}
	char *remark = copy_row_remark(b, t->order[row]);
	buf_printf(out, "\t%s\n", remark);
	free(remark);
}

char *point_table_copy_text(const struct point_table *t, const struct lab *b)
{
	struct buf out = {0};
	for (int k = 0; k < t->column_count; k++) {
		const char *unit = column_has_bytes(&t->columns[k]) ? "B" : point_table_unit(t, k, false);
		buf_printf(&out, "%s%s%s%s%s", k ? "\t" : "", t->columns[k].head, *unit ? " (" : "", unit,
			*unit ? ")" : "");
	}
	buf_puts(&out, "\tremark\n");
	for (int i = 0; i < t->rows; i++)
		append_copied_row(t, b, i, &out);
	return out.data;
}

/* --- CSV --- */
struct table_file {
	const struct point_table *t;
	const struct lab *b;
};

static void put_table_text(void *file, const char *text)
{
	fputs(text, file);
}

static void print_table_row(FILE *out, const struct table_file *f, int row)
{
	struct csv_line line = {0};
	for (int k = 0; k < f->t->column_count; k++) {
		const struct point_column *c = &f->t->columns[k];
		struct reading r = point_table_value(f->t, f->b, row, k);
		if (c->param >= 0 && f->b->x->params[c->param].kind == PARAM_STEP_CHOICE)
			csv_add_text(&line, f->b->x->params[c->param].choices[(int)r.value]);
		else if (c->param >= 0)
			csv_add_number(&line, r);
		else
			csv_add_measured(&line, r);
	}
	char *remark = copy_row_remark(f->b, f->t->order[row]);
	csv_add_text(&line, remark);
	free(remark);
	csv_end_line(&line, put_table_text, out);
}

/* A unit is part of the column's name: "time_s", "latency_cycles". */
static void print_table_file(FILE *out, const void *ctx)
{
	const struct table_file *f = ctx;
	struct csv_line line = {0};
	csv_write_provenance(f->b->curve.header, put_table_text, out);
	for (int k = 0; k < f->t->column_count; k++) {
		const struct point_column *c = &f->t->columns[k];
		char *name =
			xasprintf("%s%s%s", c->head, c->get && *c->unit ? "_" : "", c->get && *c->unit ? c->unit : "");
		csv_add_text(&line, name);
		free(name);
	}
	csv_add_text(&line, "remark");
	csv_end_line(&line, put_table_text, out);
	for (int i = 0; i < f->t->rows; i++)
		print_table_row(out, f, i);
}

bool point_table_write_csv(const struct point_table *t, const struct lab *b, const char *path, struct err *e)
{
	struct table_file f = {t, b};
	return file_write_atomic(path, print_table_file, &f, "; choose another file", e);
}
