#include "sessions/compare/session_compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/stats.h"
#include "base/units.h"
#include "sessions/load/point_index.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

struct side_value {
	struct reading value;
	double low, high;
	bool untrusted;
};

char *column_param_plain_text(const struct column *c, const json_t *point)
{
	char text[64] = "";
	const char *name;
	struct reading r = column_param(c, point, &name);
	if (name)
		return xstrdup(name);
	if (r.valid)
		number_format_exact(text, sizeof text, r.value);
	return xstrdup(text);
}

char *column_param_format(const struct column *c, const json_t *point)
{
	char text[40];
	const char *name;
	struct reading r = column_param(c, point, &name);
	if (!r.valid || name || strcmp(c->unit, "B"))
		return column_param_plain_text(c, point);
	return xstrdup(units_format(text, sizeof text, r.value, "B", 6));
}

/* --- points by their parameters --- */

static char *make_point_key(const struct session_columns *c, const json_t *point)
{
	struct buf b = {0};
	buf_puts(&b, "");
	for (int i = 0; i < c->param_count; i++) {
		char *text = column_param_plain_text(&c->params[i], point);
		buf_printf(&b, "%s\n", text);
		free(text);
	}
	return b.data;
}

static void make_point_index(struct point_index *x, const struct session_columns *c, const struct session *s)
{
	*x = (struct point_index){0};
	for (size_t i = 0; i < s->points.count; i++)
		point_index_add(x, make_point_key(c, point_list_get(&s->points, i)), i);
	point_index_sort(x);
}

/* --- rows --- */

static const json_t *get_side_point(const struct session_comparison *c, int side, size_t at)
{
	return point_list_get(&c->sides[side].session->points, at);
}

const json_t *comparison_first_point(const struct session_comparison *c, size_t row)
{
	return get_side_point(c, 0, c->rows[row].at[0]);
}

const json_t *comparison_excluded_point(const struct session_comparison *c, size_t i)
{
	return get_side_point(c, c->left[i].side, c->left[i].at);
}

static void exclude_point(struct session_comparison *c, int side, size_t at, char *why)
{
	if ((c->left_count & (c->left_count - 1)) == 0)
		c->left = xrealloc(c->left, (c->left_count ? 2 * c->left_count : 1) * sizeof *c->left);
	c->left[c->left_count++] = (struct excluded_point){side, at, why};
}

static bool is_untrusted(const json_t *point)
{
	char why[8];
	return point_describe_fault(point, why, sizeof why) || point_has_moved_clocks(point);
}

/* Why a point cannot be compared; NULL if it can. The caller frees it. */
static char *describe_untrusted(const json_t *point)
{
	char why[512];
	if (point_describe_fault(point, why, sizeof why))
		return xstrdup(why);
	if (point_has_moved_clocks(point))
		return xstrdup("clock moved by more than 2 % during the measurement");
	return NULL;
}

static void exclude_untrusted(struct session_comparison *c, const struct comparison_row *row)
{
	for (int i = 0; i < c->count; i++) {
		char *why = describe_untrusted(get_side_point(c, i, row->at[i]));
		if (why)
			exclude_point(c, i, row->at[i], why);
	}
}

static struct side_value *get_side_value(const struct session_comparison *c, size_t row, int side, int metric)
{
	size_t metrics = (size_t)c->sides[0].columns.metric_count;
	return &c->values[(row * (size_t)c->count + (size_t)side) * metrics + (size_t)metric];
}

static void read_row_values(struct session_comparison *c, size_t row)
{
	for (int i = 0; i < c->count; i++) {
		const json_t *point = get_side_point(c, i, c->rows[row].at[i]);
		bool untrusted = is_untrusted(point);
		for (int m = 0; m < c->sides[0].columns.metric_count; m++) {
			const struct column *metric = &c->sides[0].columns.metrics[m];
			struct side_value *v = get_side_value(c, row, i, m);
			*v = (struct side_value){.value = column_metric(metric, point), .untrusted = untrusted};
			column_quartiles(metric, point, &v->low, &v->high);
		}
	}
}

/* Adds a row if every session has the point; otherwise the point is skipped, with the session that does not have it. */
static void align_point(struct session_comparison *c, struct point_index *indexes, size_t at)
{
	struct comparison_row row = {{at}};
	char *key = make_point_key(&c->sides[0].columns, get_side_point(c, 0, at));
	bool all = point_index_find(&indexes[0], key)->at == at, known = all;
	for (int i = 1; all && i < c->count; i++) {
		const struct point_key *other = point_index_find(&indexes[i], key);
		if (!other)
			exclude_point(c, 0, at, xasprintf("not in %c", 'A' + i));
		else
			row.at[i] = other->at;
		all = other != NULL;
	}
	if (!known)
		exclude_point(c, 0, at, xstrdup("measured again later in the same session"));
	free(key);
	if (!all)
		return;
	c->rows[c->row_count++] = row;
	exclude_untrusted(c, &row);
	read_row_values(c, c->row_count - 1);
}

static void exclude_unmatched(struct session_comparison *c, const struct point_index *indexes)
{
	for (int i = 1; i < c->count; i++)
		for (size_t k = 0; k < indexes[i].count; k++)
			if (!point_index_find(&indexes[0], indexes[i].list[k].key))
				exclude_point(c, i, indexes[i].list[k].at, xstrdup("not in A"));
}

static bool check_same_experiment(
	const char *const *names, const struct session *const *sessions, int count, struct err *e)
{
	const char *first = record_get_experiment(sessions[0]->header);
	for (int i = 1; i < count; i++)
		if (strcmp(first, record_get_experiment(sessions[i]->header)))
			return err_set(e, ST_REQUEST,
				"%s is a session of %s, but %s is one of %s; compare sessions of one experiment",
				names[0], first, names[i], record_get_experiment(sessions[i]->header));
	return true;
}

bool comparison_make(struct session_comparison *c, const char *const *names, const struct session *const *sessions,
	int count, struct err *e)
{
	struct point_index indexes[COMPARE_MAX];
	*c = (struct session_comparison){.count = count};
	if (!check_same_experiment(names, sessions, count, e))
		return false;
	for (int i = 0; i < count; i++) {
		c->sides[i] = (struct compared_session){.name = names[i], .session = sessions[i]};
		c->sides[i].deterministic = device_is_deterministic(header_get_device(sessions[i]->header));
		columns_read(sessions[i]->header, &c->sides[i].columns);
		make_point_index(&indexes[i], &c->sides[0].columns, sessions[i]);
	}
	size_t most = sessions[0]->points.count, row_values = (size_t)(count * c->sides[0].columns.metric_count);
	c->rows = xmalloc((most + 1) * sizeof *c->rows);
	c->values = xmalloc((most * row_values + 1) * sizeof *c->values);
	for (size_t k = 0; k < most; k++)
		align_point(c, indexes, k);
	exclude_unmatched(c, indexes);
	for (int i = 0; i < count; i++)
		point_index_free(&indexes[i]);
	return true;
}

void comparison_free(struct session_comparison *c)
{
	for (size_t i = 0; i < c->left_count; i++)
		free(c->left[i].why);
	free(c->left);
	free(c->rows);
	free(c->values);
	*c = (struct session_comparison){0};
}

/* --- numbers --- */

static enum comparison_verdict compare_values(
	const struct session_comparison *c, int side, const struct compared_value *a, const struct compared_value *b)
{
	if (c->sides[0].deterministic && c->sides[side].deterministic)
		return a->value.value == b->value.value ? COMPARED_SAME : COMPARED_DIFFERENT;
	return a->low <= b->high && b->low <= a->high ? COMPARED_SAME : COMPARED_DIFFERENT;
}

struct compared_value comparison_value_at(const struct session_comparison *c, size_t row, int metric, int side)
{
	const struct side_value *a = get_side_value(c, row, 0, metric), *b = get_side_value(c, row, side, metric);
	struct compared_value first = {.value = a->value, .low = a->low, .high = a->high},
			      out = {.value = b->value, .low = b->low, .high = b->high, .verdict = COMPARED_MISSING};
	if (a->untrusted || b->untrusted)
		out.verdict = COMPARED_FAULT;
	else if (first.value.valid && out.value.valid)
		out.verdict = compare_values(c, side, &first, &out);
	out.has_ratio = out.verdict <= COMPARED_DIFFERENT && first.value.value != 0;
	if (out.has_ratio)
		out.ratio = out.value.value / first.value.value;
	return out;
}

const char *comparison_verdict_text(enum comparison_verdict v)
{
	static const char *const texts[] = {[COMPARED_SAME] = "same",
		[COMPARED_DIFFERENT] = "differs",
		[COMPARED_FAULT] = "!",
		[COMPARED_MISSING] = "-"};
	return texts[v];
}

struct comparison_summary comparison_summarize(const struct session_comparison *c, int metric, int side)
{
	struct comparison_summary s = {0};
	double *ratios = xmalloc((c->row_count + 1) * sizeof *ratios);
	for (size_t k = 0; k < c->row_count; k++) {
		struct compared_value at = comparison_value_at(c, k, metric, side);
		s.same += at.verdict == COMPARED_SAME;
		s.left_out += at.verdict == COMPARED_FAULT;
		if (at.has_ratio)
			ratios[s.compared++] = at.ratio;
	}
	struct stats all = stats_compute(ratios, (int)s.compared);
	s.least = all.min;
	s.most = all.max;
	s.median_ratio = all.median;
	free(ratios);
	return s;
}

char *comparison_format_point(const struct session_comparison *c, const json_t *point)
{
	const struct session_columns *columns = &c->sides[0].columns;
	struct buf b = {0};
	buf_puts(&b, "");
	for (int i = 0; i < columns->param_count; i++) {
		bool swept = columns->swept_count == 0;
		for (int k = 0; k < columns->swept_count; k++)
			swept = swept || !strcmp(columns->swept[k], columns->params[i].id);
		if (!swept)
			continue;
		char *text = column_param_format(&columns->params[i], point);
		buf_printf(&b, "%s%s=%s", b.len ? " " : "", columns->params[i].id, text);
		free(text);
	}
	return b.data;
}
