#include "tui/lab/plot/curve_digest.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/point_record.h"
#include "tui/lab/plot/curve_buckets.h"

struct curve_digest *curve_digest_new(int points)
{
	if (points < CURVE_LONG)
		return NULL;
	struct curve_digest *d = xcalloc(1, sizeof *d);
	d->capacity = points;
	d->order = xcalloc((size_t)points, sizeof *d->order);
	d->is_noted = xcalloc((size_t)points, sizeof *d->is_noted);
	return d;
}

void curve_digest_free(struct curve_digest *d)
{
	if (!d)
		return;
	curve_buckets_free(d->buckets);
	free(d->order);
	free(d->is_noted);
	free(d);
}

static void tally_clock(struct reading_span *s, struct reading r)
{
	if (r.valid)
		reading_span_add(s, r.value);
}

static void tally_point(struct curve_tally *t, const struct point *p)
{
	const bool ok = p->status == POINT_OK;
	t->ok += ok;
	t->failed += p->status == POINT_FAILED;
	t->moved += p->clocks_moved;
	t->wrong += !strcmp(p->verify, "failed");
	t->broken += !strcmp(p->contract, "broken");
	if (!ok)
		return;
	t->unverified += !strcmp(p->verify, "none");
	t->profiled += point_get_profile(p->record) != NULL;
	tally_clock(&t->clocks[0], p->clocks.sclk_mhz);
	tally_clock(&t->clocks[1], p->clocks.mclk_mhz);
	tally_clock(&t->clocks[2], p->clocks.temp_c);
	tally_clock(&t->clocks[3], p->clocks.power_w);
}

/* A point that was noted has changed. */
static void begin_again(struct curve_digest *d)
{
	memset(d->is_noted, 0, (size_t)d->capacity * sizeof *d->is_noted);
	d->tally = (struct curve_tally){0};
	d->noted = d->knee_count = d->knees_noted = 0;
	d->completeness.known = false;
	d->generation++;
}

static void note_point(struct curve_digest *d, const struct measured_curve *c, int point)
{
	d->is_noted[point] = true;
	d->order[d->noted++] = point;
	tally_point(&d->tally, &c->points[point]);
}

void curve_digest_note_all(const struct measured_curve *c)
{
	struct curve_digest *d = c->digest;
	if (!d)
		return;
	begin_again(d);
	for (int i = 0; i < c->count && i < d->capacity; i++)
		if (c->points[i].status >= POINT_OK)
			note_point(d, c, i);
}

void curve_digest_note(const struct measured_curve *c, int point)
{
	struct curve_digest *d = c->digest;
	if (!d || point >= d->capacity)
		return;
	if (d->is_noted[point] || c->points[point].status < POINT_OK)
		curve_digest_note_all(c);
	else
		note_point(d, c, point);
}

struct curve_tally curve_count_points(const struct measured_curve *c)
{
	struct curve_tally t = {0};
	if (c->digest)
		return c->digest->tally;
	for (int i = 0; i < c->count; i++)
		tally_point(&t, &c->points[i]);
	return t;
}
