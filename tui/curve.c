/* Curves: measured sweeps that outlive their sweep, and those that stay pinned beside the one shown. */
#include "tui/curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/bench.h"
#include "tui/grid.h"

void curve_begin(struct curve *c, const struct plan *p)
{
	curve_free(c);
	c->count = plan_points(p);
	c->axis = p->axis_count ? p->axes[p->axis_count - 1].param : -1;
	c->x_metric = experiment_x_metric(p->x) + 1;
	c->points = xcalloc((size_t)c->count, sizeof *c->points);
	memcpy(c->fixed, p->fixed, sizeof c->fixed);
	for (int i = 0; i < c->count; i++)
		plan_values(p, i, c->points[i].values);
}

void curve_set(struct curve *c, int point, const struct point *from)
{
	if (point < 0 || point >= c->count)
		return;
	if (c->points[point].status < POINT_OK && from->status >= POINT_OK)
		c->ended++;
	json_decref(c->points[point].record);
	c->points[point] = *from;
	json_incref(c->points[point].record);
}

void curve_free(struct curve *c)
{
	for (int i = 0; i < c->count; i++)
		json_decref(c->points[i].record);
	free(c->points);
	*c = (struct curve){0};
}

void curve_move(struct curve *to, struct curve *from)
{
	curve_free(to);
	*to = *from;
	*from = (struct curve){0};
}

void curve_copy(struct curve *to, const struct curve *from)
{
	curve_free(to);
	*to = *from;
	if (!from->count)
		return;
	to->points = xmalloc((size_t)from->count * sizeof *to->points);
	memcpy(to->points, from->points, (size_t)from->count * sizeof *to->points);
	for (int i = 0; i < to->count; i++)
		json_incref(to->points[i].record);
}

double curve_x(const struct curve *c, int point)
{
	if (c->x_metric)
		return c->points[point].metrics[c->x_metric - 1].valid ? c->points[point].metrics[c->x_metric - 1].value
								       : NAN;
	return c->axis < 0 ? 0 : c->points[point].values[c->axis];
}

/* --- curves of earlier settings --- */
static void keep_known(struct bench *b, struct curve *c)
{
	if (!c->count || c->ended < c->count) {
		curve_free(c);
		return;
	}
	curve_free(&b->known[KNOWN_MAX - 1]);
	memmove(&b->known[1], &b->known[0], (KNOWN_MAX - 1) * sizeof b->known[0]);
	b->known[0] = *c;
	*c = (struct curve){0};
}

void curve_retire(struct bench *b)
{
	if (b->curve.ended * 2 < b->curve.count || !b->curve.count)
		return;
	keep_known(b, &b->ghost);
	curve_move(&b->ghost, &b->curve);
}

static bool serves(const struct bench *b, const struct curve *c, bool soft, bool profile)
{
	bool there = bench_planned(b, c, soft);
	for (int i = 0; there && profile && i < c->count; i++)
		there = c->points[i].status != POINT_OK || json_object_get(c->points[i].record, "profile");
	return there;
}

bool curve_recall(struct bench *b, bool soft, bool profile)
{
	struct curve found = {0};
	if (serves(b, &b->curve, soft, profile))
		return true;
	if (serves(b, &b->ghost, soft, profile))
		curve_move(&found, &b->ghost);
	for (int i = 0; !found.count && i < KNOWN_MAX; i++)
		if (serves(b, &b->known[i], soft, profile)) {
			curve_move(&found, &b->known[i]);
			memmove(&b->known[i], &b->known[i + 1], (size_t)(KNOWN_MAX - 1 - i) * sizeof b->known[0]);
			b->known[KNOWN_MAX - 1] = (struct curve){0};
		}
	if (!found.count)
		return false;
	curve_retire(b);
	curve_move(&b->curve, &found);
	bench_move_cursor(b, 0);
	return true;
}

void curves_forget(struct bench *b)
{
	for (int i = 0; i < KNOWN_MAX; i++)
		curve_free(&b->known[i]);
}

/* --- pins --- */
int bench_pin_named(const struct bench *b, const char *label)
{
	for (int i = 0; *label && i < b->pin_count; i++)
		if (!strcmp(b->pins[i].label, label))
			return i;
	return -1;
}

bool bench_pin(struct bench *b, const struct curve *c, const char *label)
{
	int at = bench_pin_named(b, label);
	if (!c->count || (at < 0 && b->pin_count == PINS_MAX))
		return false;
	at = at < 0 ? b->pin_count++ : at;
	snprintf(b->pins[at].label, sizeof b->pins[at].label, "%.*s",
		(int)text_fitting(label, sizeof b->pins[at].label - 1), label);
	curve_copy(&b->pins[at].curve, c);
	return true;
}

void bench_unpin(struct bench *b, int i)
{
	if (i < 0 || i >= b->pin_count)
		return;
	curve_free(&b->pins[i].curve);
	memmove(&b->pins[i], &b->pins[i + 1], (size_t)(--b->pin_count - i) * sizeof b->pins[0]);
	b->pins[b->pin_count] = (struct pin){0};
}

static bool same_points(const struct curve *x, const struct curve *y)
{
	bool same = x->count == y->count && x->axis == y->axis;
	for (int i = 0; same && i < x->count; i++)
		same = !memcmp(x->points[i].values, y->points[i].values, sizeof x->points[i].values) &&
			x->points[i].record == y->points[i].record;
	return same;
}

int bench_pin_of(const struct bench *b, const struct curve *c)
{
	for (int i = 0; i < b->pin_count; i++)
		if (same_points(&b->pins[i].curve, c))
			return i;
	return -1;
}

char *bench_pin_text(const struct bench *b, int i, char *out, size_t size)
{
	const struct pin *pin = &b->pins[i];
	struct buf text = {0};
	char value[48];
	buf_puts(&text, pin->label);
	for (int k = 0; !*pin->label && b->curve.count && k < b->x->param_count; k++) {
		double v = pin->curve.points[0].values[k];
		if (k == pin->curve.axis || v == b->curve.points[0].values[k])
			continue;
		const struct param *p = &b->x->params[k];
		buf_printf(&text, "%s%s%s%s", text.len ? ", " : "", p->kind == STEP_CHOICE ? "" : p->id,
			p->kind == STEP_CHOICE ? "" : " ", param_format(p, v, value, sizeof value));
	}
	snprintf(out, size, "%.*s", (int)text_fitting(text.len ? text.data : "pinned", (int)size - 1),
		text.len ? text.data : "pinned");
	buf_free(&text);
	return out;
}
