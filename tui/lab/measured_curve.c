#include "tui/lab/measured_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "tui/lab/plot/curve_digest.h"

uint64_t measured_curve_device_hash(const char *device)
{
	return hash_text(HASH_START, device);
}

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
	c->digest = curve_digest_new(c->count);
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
	curve_digest_note(c, point);
}

void measured_curve_free(struct measured_curve *c)
{
	for (int i = 0; i < c->count; i++)
		json_decref(c->points[i].record);
	free(c->points);
	json_decref(c->header);
	json_decref(c->what_if);
	curve_digest_free(c->digest);
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
	to->digest = NULL;
	json_incref(to->header);
	json_incref(to->what_if);
	if (!from->count)
		return;
	to->points = xmalloc((size_t)from->count * sizeof *to->points);
	memcpy(to->points, from->points, (size_t)from->count * sizeof *to->points);
	for (int i = 0; i < to->count; i++)
		json_incref(to->points[i].record);
	to->digest = curve_digest_new(to->count);
	curve_digest_note_all(to);
}

int measured_curve_count_measured(const struct measured_curve *c)
{
	int n = 0;
	for (int i = 0; i < c->count; i++)
		n += c->points[i].status == POINT_OK || c->points[i].status == POINT_FAILED;
	return n;
}

double measured_curve_x(const struct measured_curve *c, int point)
{
	if (c->x_metric)
		return c->points[point].metrics[c->x_metric - 1].valid ? c->points[point].metrics[c->x_metric - 1].value
								       : NAN;
	return c->axis < 0 ? 0 : c->points[point].values[c->axis];
}
