#include "tui/lab/plot/curve_buckets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/plot/curve_digest.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/plot_model.h"

/* What the plot needs of a metric in a part of the x axis: the points at its ends and those with the extremes. */
struct bucket {
	bool any, any_suspect;
	struct chart_point first, last, least, most, low, high, suspect;
};

struct curve_buckets {
	unsigned generation;
	int count, noted; /* the curve's points, and those in the buckets */
	int metrics;
	bool log, usable;
	double low, high;             /* the window; equal: none */
	double from, to;              /* of the buckets but the outer two, as positions */
	double x_low, x_high;         /* of the whole curve */
	int point[BUCKETS_ALL];       /* the first of all points, ended or not; -1: none */
	double x[BUCKETS_ALL];        /* and its x value */
	double failed_x[BUCKETS_ALL]; /* NAN: none has failed */
	struct bucket *bucket;        /* of each metric, one after the other */
};

void curve_buckets_free(struct curve_buckets *s)
{
	if (s)
		free(s->bucket);
	free(s);
}

struct chart_point measured_chart_point(const struct measured_curve *c, int i, int metric)
{
	const struct point *p = &c->points[i];
	struct chart_point out = {.x = measured_curve_x(c, i)};
	if (p->status != POINT_OK || !p->metrics[metric].valid)
		return out;
	out.y = out.low = out.high = p->metrics[metric].value;
	out.valid = true;
	out.suspect = point_looks_suspect(p);
	out.wrong = point_is_wrong(p);
	if (p->metrics_low[metric].valid && p->metrics_high[metric].valid) {
		out.low = p->metrics_low[metric].value;
		out.high = p->metrics_high[metric].value;
		if (out.low > out.high) { /* a rate: the shortest time gives the highest value */
			double swap = out.low;
			out.low = out.high;
			out.high = swap;
		}
	}
	return out;
}

/* --- the parts of the axis --- */
static double position_of(const struct curve_buckets *s, double x)
{
	return s->log ? log2(x) : x;
}

static int find_bucket(const struct curve_buckets *s, double x)
{
	double at = (position_of(s, x) - s->from) / (s->to - s->from) * BUCKETS;
	return at < 0 ? 0 : at > BUCKETS ? BUCKETS_ALL - 1 : at == BUCKETS ? BUCKETS : 1 + (int)at;
}

/* Whether x only rises or only falls, and has positions on the axis. */
static bool find_x_ends(struct curve_buckets *s, const struct measured_curve *c)
{
	double first = measured_curve_x(c, 0), last = measured_curve_x(c, c->count - 1), before = first;
	s->x_low = fmin(first, last);
	s->x_high = fmax(first, last);
	for (int i = 1; i < c->count; i++) {
		double x = measured_curve_x(c, i);
		if (first < last ? !(x > before) : !(x < before))
			return false;
		before = x;
	}
	return first != last && (!s->log || s->x_low > 0);
}

static void place_points(struct curve_buckets *s, const struct measured_curve *c)
{
	for (int i = 0; i < c->count; i++) {
		int b = find_bucket(s, measured_curve_x(c, i));
		if (s->point[b] >= 0)
			continue;
		s->point[b] = i;
		s->x[b] = measured_curve_x(c, i);
	}
}

static void open_buckets(struct curve_buckets *s, const struct measured_curve *c)
{
	s->count = c->count;
	s->noted = 0;
	s->generation = c->digest->generation;
	memset(s->bucket, 0, (size_t)s->metrics * BUCKETS_ALL * sizeof *s->bucket);
	for (int b = 0; b < BUCKETS_ALL; b++) {
		s->point[b] = -1;
		s->failed_x[b] = NAN;
	}
	s->usable = find_x_ends(s, c);
	if (!s->usable)
		return;
	bool window = s->low < s->high && s->high > s->x_low && s->low < s->x_high && (!s->log || s->low > 0);
	s->from = position_of(s, window ? s->low : s->x_low);
	s->to = position_of(s, window ? s->high : s->x_high);
	place_points(s, c);
}

/* --- points --- */
static void add_chart_point(struct bucket *b, const struct chart_point *p)
{
	if (!p->valid || !isfinite(p->y))
		return;
	if (!b->any)
		b->first = b->last = b->least = b->most = b->low = b->high = *p;
	b->any = true;
	b->first = p->x < b->first.x ? *p : b->first;
	b->last = p->x > b->last.x ? *p : b->last;
	b->least = p->y < b->least.y ? *p : b->least;
	b->most = p->y > b->most.y ? *p : b->most;
	b->low = p->low < b->low.low ? *p : b->low;
	b->high = p->high > b->high.high ? *p : b->high;
	if (p->suspect)
		b->suspect = *p;
	b->any_suspect |= p->suspect;
}

static void add_ended_points(struct curve_buckets *s, const struct measured_curve *c)
{
	for (; s->noted < c->digest->noted; s->noted++) {
		int i = c->digest->order[s->noted], b = find_bucket(s, measured_curve_x(c, i));
		if (c->points[i].status == POINT_FAILED)
			s->failed_x[b] = measured_curve_x(c, i);
		for (int k = 0; k < s->metrics; k++) {
			struct chart_point p = measured_chart_point(c, i, k);
			add_chart_point(&s->bucket[k * BUCKETS_ALL + b], &p);
		}
	}
}

static struct curve_buckets *make_buckets(int metrics)
{
	struct curve_buckets *s = xcalloc(1, sizeof *s);
	s->metrics = metrics;
	s->bucket = xcalloc((size_t)metrics * BUCKETS_ALL + 1, sizeof *s->bucket);
	return s;
}

const struct curve_buckets *curve_buckets_update(
	const struct measured_curve *c, const struct experiment *x, bool log, double low, double high)
{
	struct curve_digest *d = c->digest;
	if (!d || c->x_metric || c->axis < 0 || c->count < CURVE_LONG)
		return NULL;
	if (d->buckets && d->buckets->metrics != x->metric_count) {
		curve_buckets_free(d->buckets);
		d->buckets = NULL;
	}
	bool is_new = !d->buckets;
	struct curve_buckets *s = d->buckets = is_new ? make_buckets(x->metric_count) : d->buckets;
	if (is_new || s->generation != d->generation || s->count != c->count || s->log != log || s->low != low ||
		s->high != high) {
		s->log = log;
		s->low = low;
		s->high = high;
		open_buckets(s, c);
	}
	if (s->usable)
		add_ended_points(s, c);
	return s->usable ? s : NULL;
}

/* --- for the chart --- */
/* Adds a point to those of a bucket, by rising x; the same point only once. */
static size_t insert_point(struct chart_point *to, size_t n, const struct chart_point *p)
{
	size_t at = n;
	while (at && to[at - 1].x > p->x)
		at--;
	if (at && to[at - 1].x == p->x)
		return n;
	memmove(&to[at + 1], &to[at], (n - at) * sizeof *to);
	to[at] = *p;
	return n + 1;
}

static size_t write_bucket(const struct bucket *b, struct chart_point *to)
{
	const struct chart_point *list[BUCKET_POINTS] = {
		&b->first, &b->last, &b->least, &b->most, &b->low, &b->high, b->any_suspect ? &b->suspect : &b->first};
	size_t n = 0;
	for (int i = 0; i < BUCKET_POINTS; i++)
		n = insert_point(to, n, list[i]);
	return n;
}

/* The axis reaches to the ends of the curve, measured or not. */
static size_t reach_ends(const struct curve_buckets *s, struct chart_point *to, size_t n)
{
	if (to[0].x > s->x_low) {
		memmove(to + 1, to, n++ * sizeof *to);
		to[0] = (struct chart_point){.x = s->x_low};
	}
	if (to[n - 1].x < s->x_high)
		to[n++] = (struct chart_point){.x = s->x_high};
	return n;
}

size_t curve_buckets_write(const struct curve_buckets *s, int metric, struct chart_point *to)
{
	size_t n = 0;
	for (int b = 0; b < BUCKETS_ALL; b++) {
		const struct bucket *of = &s->bucket[metric * BUCKETS_ALL + b];
		if (of->any)
			n += write_bucket(of, to + n);
		else if (s->point[b] >= 0)
			to[n++] = (struct chart_point){.x = s->x[b]};
	}
	return reach_ends(s, to, n);
}

void curve_buckets_ends(const struct curve_buckets *s, double *low, double *high)
{
	*low = s->x_low;
	*high = s->x_high;
}

bool curve_bucket_has_failed(const struct curve_buckets *s, int bucket, double *x)
{
	*x = s->failed_x[bucket];
	return !isnan(*x);
}

int curve_bucket_point(const struct curve_buckets *s, int bucket, double *x)
{
	*x = s->x[bucket];
	return s->point[bucket];
}
