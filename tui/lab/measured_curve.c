#include "tui/lab/measured_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "tui/toolkit/grid.h"

void measured_curve_start(struct measured_curve *c, const struct plan *p)
{
	measured_curve_free(c);
	c->count = plan_point_count(p);
	c->axis = p->axis_count ? p->axes[p->axis_count - 1].param : -1;
	c->x_metric = experiment_find_x_metric(p->x) + 1;
	c->points = xcalloc((size_t)c->count, sizeof *c->points);
	memcpy(c->fixed, p->fixed, sizeof c->fixed);
	c->saved = false;
	for (int i = 0; i < c->count; i++)
		plan_point_values(p, i, c->points[i].values);
}

void measured_curve_set_point(struct measured_curve *c, int point, const struct point *from)
{
	if (point < 0 || point >= c->count)
		return;
	if (c->points[point].status < POINT_OK && from->status >= POINT_OK)
		c->ended++;
	json_decref(c->points[point].record);
	c->points[point] = *from;
	json_incref(c->points[point].record);
}

void measured_curve_free(struct measured_curve *c)
{
	for (int i = 0; i < c->count; i++)
		json_decref(c->points[i].record);
	free(c->points);
	json_decref(c->header);
	*c = (struct measured_curve){0};
}

void measured_curve_move(struct measured_curve *to, struct measured_curve *from)
{
	measured_curve_free(to);
	*to = *from;
	*from = (struct measured_curve){0};
}

void measured_curve_copy(struct measured_curve *to, const struct measured_curve *from)
{
	measured_curve_free(to);
	*to = *from;
	json_incref(to->header);
	if (!from->count)
		return;
	to->points = xmalloc((size_t)from->count * sizeof *to->points);
	memcpy(to->points, from->points, (size_t)from->count * sizeof *to->points);
	for (int i = 0; i < to->count; i++)
		json_incref(to->points[i].record);
}

double measured_curve_x(const struct measured_curve *c, int point)
{
	if (c->x_metric)
		return c->points[point].metrics[c->x_metric - 1].valid ? c->points[point].metrics[c->x_metric - 1].value
								       : NAN;
	return c->axis < 0 ? 0 : c->points[point].values[c->axis];
}

/* --- curves of earlier settings --- */
static void keep_earlier_curve(struct lab *b, struct measured_curve *c)
{
	if (!c->count || c->ended < c->count) {
		measured_curve_free(c);
		return;
	}
	measured_curve_free(&b->earlier[EARLIER_CURVES_MAX - 1]);
	memmove(&b->earlier[1], &b->earlier[0], (EARLIER_CURVES_MAX - 1) * sizeof b->earlier[0]);
	b->earlier[0] = *c;
	*c = (struct measured_curve){0};
}

void lab_retire_curve(struct lab *b)
{
	if (b->curve.ended * 2 < b->curve.count || !b->curve.count)
		return;
	keep_earlier_curve(b, &b->previous);
	measured_curve_move(&b->previous, &b->curve);
}

static bool curve_fits_settings(const struct lab *b, const struct measured_curve *c, bool soft, bool profile)
{
	bool fits = lab_curve_is_complete(b, c, soft);
	for (int i = 0; fits && profile && i < c->count; i++)
		fits = c->points[i].status != POINT_OK || json_object_get(c->points[i].record, "profile");
	return fits;
}

bool lab_recall_curve(struct lab *b, bool soft, bool profile)
{
	struct measured_curve found = {0};
	if (curve_fits_settings(b, &b->curve, soft, profile))
		return true;
	if (curve_fits_settings(b, &b->previous, soft, profile))
		measured_curve_move(&found, &b->previous);
	for (int i = 0; !found.count && i < EARLIER_CURVES_MAX; i++)
		if (curve_fits_settings(b, &b->earlier[i], soft, profile)) {
			measured_curve_move(&found, &b->earlier[i]);
			memmove(&b->earlier[i], &b->earlier[i + 1],
				(size_t)(EARLIER_CURVES_MAX - 1 - i) * sizeof b->earlier[0]);
			b->earlier[EARLIER_CURVES_MAX - 1] = (struct measured_curve){0};
		}
	if (!found.count)
		return false;
	lab_retire_curve(b);
	measured_curve_move(&b->curve, &found);
	lab_move_cursor(b, 0);
	return true;
}

void lab_forget_earlier_curves(struct lab *b)
{
	for (int i = 0; i < EARLIER_CURVES_MAX; i++)
		measured_curve_free(&b->earlier[i]);
}

/* --- pinned curves --- */
int lab_find_pin_by_label(const struct lab *b, const char *label)
{
	for (int i = 0; *label && i < b->pin_count; i++)
		if (!strcmp(b->pins[i].label, label))
			return i;
	return -1;
}

bool lab_pin_curve(struct lab *b, const struct measured_curve *c, const char *label)
{
	int at = lab_find_pin_by_label(b, label);
	if (!c->count || (at < 0 && b->pin_count == PINS_MAX))
		return false;
	at = at < 0 ? b->pin_count++ : at;
	text_shorten(label, (int)sizeof b->pins[at].label, false, b->pins[at].label, sizeof b->pins[at].label);
	measured_curve_copy(&b->pins[at].curve, c);
	return true;
}

void lab_unpin_curve(struct lab *b, int i)
{
	if (i < 0 || i >= b->pin_count)
		return;
	measured_curve_free(&b->pins[i].curve);
	memmove(&b->pins[i], &b->pins[i + 1], (size_t)(--b->pin_count - i) * sizeof b->pins[0]);
	b->pins[b->pin_count] = (struct pinned_curve){0};
}

static bool curves_share_points(const struct measured_curve *x, const struct measured_curve *y)
{
	bool same = x->count == y->count && x->axis == y->axis;
	for (int i = 0; same && i < x->count; i++)
		same = !memcmp(x->points[i].values, y->points[i].values, sizeof x->points[i].values) &&
			x->points[i].record == y->points[i].record;
	return same;
}

int lab_find_pin_of_curve(const struct lab *b, const struct measured_curve *c)
{
	for (int i = 0; i < b->pin_count; i++)
		if (curves_share_points(&b->pins[i].curve, c))
			return i;
	return -1;
}

char *lab_format_pin_label(const struct lab *b, int i, char *out, size_t size)
{
	const struct pinned_curve *pin = &b->pins[i];
	struct buf text = {0};
	char value[48];
	buf_puts(&text, pin->label);
	for (int k = 0; !*pin->label && b->curve.count && k < b->x->param_count; k++) {
		double v = pin->curve.points[0].values[k];
		if (k == pin->curve.axis || v == b->curve.points[0].values[k])
			continue;
		const struct param *p = &b->x->params[k];
		buf_printf(&text, "%s%s%s%s", text.len ? ", " : "", p->kind == PARAM_STEP_CHOICE ? "" : p->id,
			p->kind == PARAM_STEP_CHOICE ? "" : " ", param_format(p, v, value, sizeof value));
	}
	text_shorten(text.len ? text.data : "pinned", (int)size, false, out, size);
	buf_free(&text);
	return out;
}
