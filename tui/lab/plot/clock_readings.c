#include "tui/lab/plot/clock_readings.h"

#include "gpu/protocol/header_record.h"

#include "tui/lab/plot/curve_digest.h"
#include "tui/lab/lab.h"

_Static_assert((int)CLOCK_READINGS == (int)TALLY_CLOCKS, "a digest has the spans of all readings");

static struct reading sclk_reading(const struct clocks *c)
{
	return c->sclk_mhz;
}
static struct reading mclk_reading(const struct clocks *c)
{
	return c->mclk_mhz;
}
static struct reading temperature_reading(const struct clocks *c)
{
	return c->temp_c;
}
static struct reading power_reading(const struct clocks *c)
{
	return c->power_w;
}

const struct clock_reading clock_readings[CLOCK_READINGS] = {
	{"sclk", "MHz", sclk_reading, true, true},
	{"mclk", "MHz", mclk_reading, false, true},
	{"temp", "C", temperature_reading, false, false},
	{"power", "W", power_reading, false, false},
};
struct reading_span clock_reading_span(const struct measured_curve *c, const struct clock_reading *row)
{
	struct reading_span s = {0};
	if (c->digest)
		return c->digest->tally.clocks[row - clock_readings];
	for (int i = 0; i < c->count; i++) {
		struct reading r = row->of(&c->points[i].clocks);
		if (c->points[i].status == POINT_OK && r.valid)
			reading_span_add(&s, r.value);
	}
	return s;
}

bool clocks_moved_anywhere(const struct measured_curve *c)
{
	if (c->digest)
		return c->digest->tally.moved;
	for (int i = 0; i < c->count; i++)
		if (c->points[i].clocks_moved)
			return true;
	return false;
}

bool clock_reading_moves(const struct app *a, const struct measured_curve *c, const struct clock_reading *row)
{
	struct reading_span s = clock_reading_span(c, row);
	return (!a->soft && reading_span_moves(&s, row->unit)) || (row->marks && clocks_moved_anywhere(c));
}

static int count_moving_readings(const struct app *a, const struct measured_curve *c)
{
	int n = 0;
	for (int i = 0; i < CLOCK_READINGS; i++)
		n += clock_reading_moves(a, c, &clock_readings[i]);
	return n;
}

int clock_pane_rows(const struct app *a)
{
	const struct lab *b = app_current_lab(a);
	int moving = b ? count_moving_readings(a, &b->curve) : 0;
	bool sampling = b && header_get_sampling(b->curve.header);
	return moving ? 2 + moving + (moving < CLOCK_READINGS || sampling) : 1;
}
