#include "tui/lab/session_curve.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "sessions/load/session_columns.h"
#include "gpu/protocol/point_record.h"
#include "tui/lab/plot/curve_digest.h"

static bool point_is_on_curve(const struct measured_curve *c, const struct experiment *x, const double *values)
{
	for (int i = 0; i < x->param_count; i++)
		if (i != c->axis && values[i] != c->fixed[i])
			return false;
	return true;
}

static const struct column *find_metric_column(const struct session_columns *c, const char *id)
{
	for (int i = 0; i < c->metric_count; i++)
		if (!strcmp(c->metrics[i].id, id))
			return &c->metrics[i];
	return NULL;
}

static void read_point_metrics(struct point *p, const struct experiment *x, const struct session_columns *columns)
{
	for (int k = 0; k < x->metric_count; k++) {
		const struct column *m = find_metric_column(columns, x->metrics[k].id);
		if (!m)
			continue;
		p->metrics[k] = p->metrics_low[k] = p->metrics_high[k] = column_metric(m, p->record);
		column_quartiles(m, p->record, &p->metrics_low[k].value, &p->metrics_high[k].value);
	}
}

static void read_curve_point(
	struct point *p, const struct experiment *x, const struct session_columns *columns, const json_t *record)
{
	const char *status = point_get_status(record);
	p->record = json_incref((json_t *)record);
	p->status = !*status || !strcmp(status, "ok") ? POINT_OK : POINT_FAILED;
	p->seconds = point_sample_stats(record);
	p->clocks = record_get_clocks(record);
	p->clocks_moved = point_has_moved_clocks(record);
	snprintf(p->verify, sizeof p->verify, "%.7s", *point_get_verify(record) ? point_get_verify(record) : "none");
	snprintf(p->contract, sizeof p->contract, "%.7s",
		*point_get_contract(record) ? point_get_contract(record) : "none");
	point_describe_fault(record, p->text, sizeof p->text);
	snprintf(p->verdict, sizeof p->verdict, "%.199s", point_get_verdict(record));
	if (p->status != POINT_OK)
		return;
	read_point_metrics(p, x, columns);
	bool any = !*point_get_metric_error(record);
	for (int k = 0; k < x->metric_count; k++)
		any |= p->metrics[k].valid;
	p->status = any ? POINT_OK : POINT_FAILED;
}

void session_curve_start(struct session_curve_reader *t, const struct experiment *x, const struct session *s)
{
	*t = (struct session_curve_reader){.x = x, .session = s};
	struct measured_curve *c = &t->curve;
	columns_read(s->header, &t->columns);
	c->header = json_incref(s->header);
	c->saved = true;
	c->axis = t->columns.swept_count ? experiment_find_param(x, t->columns.swept[t->columns.swept_count - 1]) : -1;
	c->x_metric = experiment_find_x_metric(x) + 1;
	c->points = xcalloc(s->points.count + 1, sizeof *c->points);
	c->digest = curve_digest_new((int)s->points.count);
}

static void add_session_record(struct session_curve_reader *t, const json_t *record)
{
	double values[PARAMS_MAX];
	struct measured_curve *c = &t->curve;
	if (!params_from_json(t->x, record_get_params(record), values))
		return;
	if (!c->count)
		memcpy(c->fixed, values, sizeof c->fixed);
	if (!point_is_on_curve(c, t->x, values))
		return;
	struct point *p = &c->points[c->count++];
	memcpy(p->values, values, sizeof values);
	read_curve_point(p, t->x, &t->columns, record);
	c->ended = c->count;
	curve_digest_note(c, c->count - 1);
}

bool session_curve_continue(struct session_curve_reader *t, int ms)
{
	for (long long end = now_ms() + ms; t->next < t->session->points.count && now_ms() < end;)
		add_session_record(t, point_list_get(&t->session->points, t->next++));
	return t->next < t->session->points.count;
}
