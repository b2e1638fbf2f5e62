/* The timeline opens where a launch spends its time: on two trips of the hot loop, when its caches are warm. The steps
 * of a wave tell when it begins a trip. If the loaded steps have too few trips, those from the middle of the loop are
 * requested. */
#include "tui/views/inspector/inspector.h"

enum { TRIPS = 2 };

static uint64_t count_waves(const struct wave_spans *w)
{
	uint64_t n = 0;
	for (int i = 0; i < w->cus; i++)
		n += w->by_cu[i];
	return n;
}

/* The loaded steps' last TRIPS trips, in cycles. False: they do not contain so many. */
static bool find_last_trips(const struct wave_steps *t, int64_t header, uint64_t *from, uint64_t *to)
{
	uint64_t begin[TRIPS + 1] = {0};
	int n = 0;
	for (int k = t->steps - 1; k >= 0 && n <= TRIPS; k--)
		if (t->step[k].offset == header)
			begin[n++] = t->step[k].cycle;
	*from = begin[TRIPS];
	*to = begin[0];
	return n > TRIPS;
}

/* At least one trip, or its beginning: a trip may be longer than the steps that can be loaded. */
static bool find_part_of_trip(const struct wave_steps *t, int64_t header, uint64_t *from, uint64_t *to)
{
	if (t->steps < 2 || t->step[0].offset != header)
		return false;
	*from = t->step[0].cycle;
	*to = t->step[t->steps - 1].cycle;
	return *to > *from;
}

static void select_row_of(struct wave_spans *w, const struct wave_steps *t)
{
	for (int i = 0; i < w->rows; i++)
		if (w->row[i].simd == t->simd && w->row[i].slot == t->slot)
			w->selected = i;
}

static void show_cycles(struct app *a, struct inspector *v, uint64_t from, uint64_t to)
{
	if (v->steps.cu != v->waves.cu)
		return;
	wave_spans_fit(&v->waves, from, to, inspector_timeline_columns(a));
	select_row_of(&v->waves, &v->steps);
	if (v->waves.grain) /* merged spans do not tell one instruction from the next */
		inspector_request_timeline(a, from > to - from ? from - (to - from) : 0, to + (to - from));
	else
		inspector_load_timeline(a);
}

static void request_trip(struct app *a, struct inspector *v, int64_t header, uint64_t nth)
{
	v->trips_sought = true;
	v->seek = SEEK_NONE;
	v->request_step = v->request_cycle = 0;
	v->request_offset = header;
	v->request_nth = nth;
	inspector_request_parts(a, PART_STEPS);
}

bool inspector_show_trips(struct app *a)
{
	struct inspector *v = inspector_get(a);
	uint64_t trips, from, to;
	int line = issued_code_find_hot_loop(&v->code, count_waves(&v->waves), &trips);
	if (line < 0 || !v->steps.loaded)
		return false;
	if (find_last_trips(&v->steps, v->code.line[line].offset, &from, &to))
		show_cycles(a, v, from, to);
	else
		request_trip(a, v, v->code.line[line].offset, trips / 2);
	return true;
}

void inspector_open_timeline(struct app *a)
{
	struct inspector *v = inspector_get(a);
	const unsigned needs = PART_WAVES | PART_STEPS;
	if (v->page != INSPECTOR_TIMELINE || v->trips_tried || v->pending || (v->loaded & needs) != needs)
		return;
	v->trips_tried = true;
	inspector_show_trips(a);
}

void inspector_continue_trips(struct app *a)
{
	struct inspector *v = inspector_get(a);
	const int64_t header = v->request_offset;
	uint64_t from, to;
	v->trips_sought = false;
	v->request_offset = -1;
	v->request_nth = 0;
	v->loaded &= ~(unsigned)PART_STEPS; /* the steps page begins with the wave */
	if (find_last_trips(&v->steps, header, &from, &to) || find_part_of_trip(&v->steps, header, &from, &to))
		show_cycles(a, v, from, to);
}
