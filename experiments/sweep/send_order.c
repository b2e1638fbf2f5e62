#include "experiments/sweep/send_order.h"

#include <stdlib.h>

#include "base/buf.h"

enum {
	ORDERED_POINTS_MAX = 1024, /* of so many points, the last one takes little of the time */
};

/* Seconds. Shorter points end at about the same time in any order. */
static const double LEAST_TIME_AHEAD = 0.05;

static bool has_same_choices(const struct experiment *x, const double *a, const double *b)
{
	for (int i = 0; i < x->param_count; i++)
		if (x->params[i].kind == PARAM_STEP_CHOICE && a[i] != b[i])
			return false;
	return true;
}

/* The first point with the same choices stands for the group. */
static int find_point_group(const struct experiment *x, const struct point *points, int i)
{
	int first = 0;
	while (first < i && !has_same_choices(x, points[first].values, points[i].values))
		first++;
	return first;
}

bool send_order_needs_work(int count, int workers)
{
	return workers > 1 && count <= ORDERED_POINTS_MAX;
}

void send_order_make(struct send_order *o, const struct experiment *x, const struct point *points, const double *work,
	int count, int workers)
{
	*o = (struct send_order){.count = count, .workers = workers};
	if (!work)
		return;
	o->points = xcalloc((size_t)count, sizeof *o->points);
	o->groups = xcalloc((size_t)count, sizeof *o->groups);
	for (int i = 0; i < count; i++) {
		struct send_point *p = &o->points[i];
		p->group = find_point_group(x, points, i);
		p->work = work[i] > 0 ? work[i] : 1;
	}
}

void send_order_free(struct send_order *o)
{
	free(o->points);
	free(o->groups);
	*o = (struct send_order){0};
}

/* A small point says little about a large one: it consists of what does not grow, such as loading the kernel. */
static void update_rate(struct point_rate *r, double work, double seconds)
{
	if (work >= r->work)
		*r = (struct point_rate){seconds, work};
}

void send_order_note_time(struct send_order *o, int point, double seconds)
{
	if (!o->points)
		return;
	const struct send_point *p = &o->points[point];
	update_rate(&o->groups[p->group], p->work, seconds);
	update_rate(&o->all, p->work, seconds);
}

/* In seconds; 0 before the first measurement. */
static double predict_point_time(const struct send_order *o, const struct send_point *p)
{
	const struct point_rate *group = &o->groups[p->group], *r = group->work > 0 ? group : &o->all;
	return r->work > 0 ? p->work * r->seconds / r->work : 0;
}

/* The longest of the points that were not sent, the first of several, if it has to go ahead; -1 if none has to. */
static int find_point_ahead(const struct send_order *o)
{
	double left = 0, most = 0;
	int longest = -1;
	for (int i = o->next; i < o->count; i++) {
		double time = o->points[i].sent ? 0 : predict_point_time(o, &o->points[i]);
		left += time;
		if (time > most) {
			most = time;
			longest = i;
		}
	}
	return most >= LEAST_TIME_AHEAD && most * o->workers >= left ? longest : -1;
}

int send_order_take(struct send_order *o)
{
	if (!o->points)
		return o->next < o->count ? o->next++ : -1;
	while (o->next < o->count && o->points[o->next].sent)
		o->next++;
	if (o->next == o->count)
		return -1;
	int ahead = find_point_ahead(o), taken = ahead >= 0 ? ahead : o->next;
	o->points[taken].sent = true;
	return taken;
}
