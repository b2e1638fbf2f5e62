#include "softgpu/core/check/checker.h"

#include <stdlib.h>

bool check_report_is_same_place(const struct check_report *a, const struct check_report *b)
{
	if (a->kind != b->kind || a->allocation != b->allocation)
		return false;
	if (!a->has_other)
		return a->at.pc == b->at.pc;
	return (a->at.pc == b->at.pc && a->other.pc == b->other.pc) ||
		(a->at.pc == b->other.pc && a->other.pc == b->at.pc);
}

/* The last one that was counted comes first: a loop reports the same place again. */
static struct check_report *find_place(struct check_reports *r, const struct check_report *found)
{
	for (size_t k = r->count; k-- > 0;)
		if (check_report_is_same_place(&r->report[k], found))
			return &r->report[k];
	return NULL;
}

static bool has_room(struct check_reports *r)
{
	if (r->count < r->capacity)
		return true;
	const size_t capacity = r->capacity ? 2 * r->capacity : 16;
	struct check_report *more = r->capacity < CHECK_PLACES_MAX ? realloc(r->report, capacity * sizeof *more) : NULL;
	if (!more)
		return false;
	r->report = more;
	r->capacity = capacity;
	return true;
}

void check_reports_add(struct check_reports *r, const struct check_report *found)
{
	struct check_report *known = find_place(r, found);

	if (known) {
		known->count++;
	} else if (has_room(r)) {
		r->report[r->count] = *found;
		r->report[r->count++].count = 1;
	} else {
		r->left_out++;
	}
}

void check_reports_clear(struct check_reports *r)
{
	r->count = 0;
	r->left_out = 0;
}

void check_reports_free(struct check_reports *r)
{
	free(r->report);
	*r = (struct check_reports){0};
}

struct check_side checker_describe_side(const struct wave *w, const struct uop *i, unsigned lane)
{
	struct check_side s = {.pc = i->pc,
		.offset = (int64_t)(i->pc - w->launch->entry_pc),
		.wave = w->index,
		.lane = lane,
		.launch_wave = w->group->check ? w->group->check->wave[w->index].launch_wave : CHECK_WAVE_UNKNOWN,
		.cycle = w->last - w->launch->begin};

	for (unsigned k = 0; k < 3; k++)
		s.group[k] = w->group->id[k];
	machine_locate_item(w->launch, w->index * w->launch->lanes + lane, s.item);
	return s;
}
