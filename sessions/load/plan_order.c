#include "sessions/load/plan_order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

/* --- the axes --- */
static size_t find_choice(const json_t *choices, const char *name)
{
	for (size_t i = 0; i < json_array_size(choices); i++) {
		const char *choice = json_string_value(json_array_get(choices, i));
		if (choice && !strcmp(name, choice))
			return i;
	}
	return json_array_size(choices);
}

/* A value as a number that has the order of the definition; what is no value comes last. */
static double read_value(const struct column *c, const json_t *value)
{
	if (json_is_string(value))
		return (double)find_choice(c->choices, json_string_value(value));
	return json_is_number(value) ? json_number_value(value) : INFINITY;
}

struct placed_value {
	double value;
	size_t place;
};

static int compare_placed_values(const void *a, const void *b)
{
	const struct placed_value *x = a, *y = b;
	return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
				    : (x->place > y->place) - (x->place < y->place);
}

static void sort_axis_values(struct order_axis *a, struct placed_value *list)
{
	int up = 0, down = 0;
	for (size_t i = 1; i < a->count; i++) {
		up += list[i].value >= list[i - 1].value;
		down += list[i].value <= list[i - 1].value;
	}
	a->direction = up + 1 >= (int)a->count ? 1 : down + 1 >= (int)a->count ? -1 : 0;
	qsort(list, a->count, sizeof *list, compare_placed_values);
}

static void read_axis_values(struct order_axis *a, const json_t *values)
{
	a->count = json_array_size(values);
	struct placed_value *list = xcalloc(a->count ? a->count : 1, sizeof *list);
	a->values = xcalloc(a->count ? a->count : 1, sizeof *a->values);
	a->places = xcalloc(a->count ? a->count : 1, sizeof *a->places);
	for (size_t i = 0; i < a->count; i++)
		list[i] = (struct placed_value){read_value(&a->column, json_array_get(values, i)), i};
	sort_axis_values(a, list);
	for (size_t i = 0; i < a->count; i++) {
		a->values[i] = list[i].value;
		a->places[i] = list[i].place;
	}
	free(list);
}

/* Headers without columns do not list the swept parameters. */
static struct column find_column(const struct session_columns *columns, const char *id)
{
	for (int i = 0; i < columns->param_count; i++)
		if (!strcmp(columns->params[i].id, id))
			return columns->params[i];
	return (struct column){.id = id};
}

static bool is_axis(const struct plan_order *o, const char *id)
{
	for (int i = 0; i < o->axis_count; i++)
		if (!strcmp(o->axes[i].column.id, id))
			return true;
	return false;
}

static void add_axis(struct plan_order *o, const struct session_columns *columns, const json_t *sweep)
{
	const char *id = json_string_value(json_object_get(sweep, "param"));
	if (!id || is_axis(o, id) || o->axis_count == COLUMNS_MAX)
		return;
	struct order_axis *a = &o->axes[o->axis_count++];
	*a = (struct order_axis){.column = find_column(columns, id)};
	read_axis_values(a, json_object_get(sweep, "values"));
}

/* The parameters that are not swept, before the axes that are. */
static void add_fixed_params(struct plan_order *o, const struct session_columns *columns)
{
	struct order_axis swept[COLUMNS_MAX];
	int count = o->axis_count, fixed = 0;
	memcpy(swept, o->axes, sizeof swept);
	for (int i = 0; i < columns->param_count && fixed + count < COLUMNS_MAX; i++)
		if (!is_axis(o, columns->params[i].id))
			swept[count + fixed++] = (struct order_axis){.column = columns->params[i]};
	memcpy(o->axes, swept + count, (size_t)fixed * sizeof *swept);
	memcpy(o->axes + fixed, swept, (size_t)count * sizeof *swept);
	o->axis_count = fixed + count;
}

void plan_order_init(struct plan_order *o, const json_t *header)
{
	const json_t *sweep = header_get_sweep(header), *axis;
	struct session_columns columns;
	size_t i;
	*o = (struct plan_order){.is_in_order = true};
	columns_read(header, &columns);
	if (json_is_object(sweep))
		add_axis(o, &columns, sweep);
	json_array_foreach(sweep, i, axis) add_axis(o, &columns, axis);
	if (o->axis_count)
		add_fixed_params(o, &columns);
}

/* --- the points --- */
/* How many values of the axis are below `v`. */
static size_t count_below(const struct order_axis *a, double v)
{
	size_t low = 0, high = a->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (a->values[middle] < v)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static double find_place(const struct order_axis *a, double v)
{
	size_t below = a->values ? count_below(a, v) : 0;
	if (!a->values || a->direction > 0)
		return v;
	if (a->direction < 0)
		return -v;
	return below < a->count && a->values[below] == v ? (double)a->places[below] : (double)a->count;
}

static void find_key(const struct plan_order *o, const json_t *point, double *key)
{
	const json_t *params = record_get_params(point);
	for (int i = 0; i < o->axis_count; i++)
		key[i] = find_place(
			&o->axes[i], read_value(&o->axes[i].column, json_object_get(params, o->axes[i].column.id)));
}

static int compare_keys(const double *x, const double *y, int count)
{
	for (int i = 0; i < count; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* Most sessions are in order, so only the last key is kept. */
void plan_order_add(struct plan_order *o, const json_t *point)
{
	double key[COLUMNS_MAX];
	find_key(o, point, key);
	if (o->count++ && compare_keys(o->last, key, o->axis_count) >= 0)
		o->is_in_order = false;
	memcpy(o->last, key, sizeof key);
}

/* --- sorting --- */
struct sorted_points {
	double *keys; /* axis_count of each point */
	bool *measured;
	size_t *list; /* the points in order */
	int axis_count;
};

static const double *key_of(const struct sorted_points *s, size_t point)
{
	return s->keys + point * (size_t)s->axis_count;
}

static int compare_points(const void *a, const void *b, void *sorted)
{
	const struct sorted_points *s = sorted;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	int by_key = compare_keys(key_of(s, x), key_of(s, y), s->axis_count);
	return by_key ? by_key : (x > y) - (x < y);
}

static void sort_points(const struct plan_order *o, const struct point_list *points, struct sorted_points *s)
{
	s->axis_count = o->axis_count;
	s->keys = xmalloc(points->count * (size_t)o->axis_count * sizeof *s->keys);
	s->measured = xmalloc(points->count * sizeof *s->measured);
	s->list = xmalloc(points->count * sizeof *s->list);
	for (size_t i = 0; i < points->count; i++) {
		const json_t *point = point_list_get(points, i);
		find_key(o, point, s->keys + i * (size_t)o->axis_count);
		s->measured[i] = !*point_get_status(point) || point_is_ok(point);
		s->list[i] = i;
	}
	qsort_r(s->list, points->count, sizeof *s->list, compare_points, s);
}

static bool has_same_params(const struct point_list *points, size_t a, size_t b)
{
	const json_t *x = json_incref((json_t *)point_list_get(points, a));
	bool same = json_equal(record_get_params(x), record_get_params(point_list_get(points, b)));
	json_decref((json_t *)x);
	return same;
}

/* Keeps one of the points with the same key, and returns how many are left. Values outside of a list of no order share
 * a place, not a key: their points all stay. */
static size_t drop_earlier_points(const struct sorted_points *s, const struct point_list *points)
{
	size_t kept = 0;
	for (size_t i = 0; i < points->count; i++) {
		size_t at = s->list[i], before = kept ? s->list[kept - 1] : 0;
		bool again = kept && !compare_keys(key_of(s, before), key_of(s, at), s->axis_count) &&
			has_same_params(points, before, at);
		if (!again)
			s->list[kept++] = at;
		else if (s->measured[at] || !s->measured[before])
			s->list[kept - 1] = at;
	}
	return kept;
}

void plan_order_apply(const struct plan_order *o, struct point_list *points)
{
	struct sorted_points s;
	if (o->is_in_order || !o->axis_count || o->count != points->count)
		return;
	sort_points(o, points, &s);
	point_list_select(points, s.list, drop_earlier_points(&s, points));
	free(s.keys);
	free(s.measured);
	free(s.list);
}

void plan_order_free(struct plan_order *o)
{
	for (int i = 0; i < o->axis_count; i++) {
		free(o->axes[i].values);
		free(o->axes[i].places);
	}
	*o = (struct plan_order){0};
}

/* --- the plan's points --- */
static size_t set_axis_value(json_t *params, const json_t *axis, size_t i)
{
	const json_t *values = json_object_get(axis, "values");
	size_t count = json_array_size(values);
	const char *id = json_string_value(json_object_get(axis, "param"));
	if (!id || !count)
		return i;
	json_object_set(params, id, json_array_get(values, i % count));
	return i / count;
}

static size_t multiply_by_axis(size_t points, const json_t *axis)
{
	size_t values = json_array_size(json_object_get(axis, "values"));
	return values && __builtin_mul_overflow(points, values, &points) ? SIZE_MAX : points;
}

size_t plan_count_points(const json_t *header)
{
	const json_t *sweep = header_get_sweep(header), *axis;
	size_t points = json_is_object(sweep) ? multiply_by_axis(1, sweep) : 1, i;
	json_array_foreach(sweep, i, axis) points = multiply_by_axis(points, axis);
	return points;
}

json_t *plan_point_params(const json_t *header, size_t i)
{
	const json_t *sweep = header_get_sweep(header), *fixed = record_get_params(header);
	json_t *params = json_is_object(fixed) ? json_copy((json_t *)fixed) : json_object();
	if (json_is_object(sweep))
		set_axis_value(params, sweep, i);
	for (size_t k = json_array_size(sweep); k > 0; k--)
		i = set_axis_value(params, json_array_get(sweep, k - 1), i);
	return params;
}
