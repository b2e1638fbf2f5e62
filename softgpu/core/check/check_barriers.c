/* Barriers. A wave arrives as a whole: lanes that are off there wait for nothing. That is a fault of the kernel if they
 * go on later, since they passed the barrier without the others' data; work-items that return early do not. */
#include "softgpu/core/check/checker.h"

/* Lanes that were off at the last barrier go on: they execute a vector instruction. */
static void report_diverged(struct wave *w, const struct uop *i, uint64_t lanes)
{
	struct wave_check *c = &w->group->check->wave[w->index];
	const struct check_report found = {.kind = CHECK_KIND_DIVERGED_BARRIER,
		.at = c->at,
		.other = checker_describe_side(w, i, __builtin_ctzll(lanes)),
		.has_other = true};

	check_reports_add(&w->m->checker->reports, &found);
	c->off = 0;
}

void checker_note_lanes(struct wave *w, const struct uop *i, uint64_t lanes)
{
	const struct group_check *c = w->group->check;

	if (c && c->wave[w->index].off & lanes)
		report_diverged(w, i, c->wave[w->index].off & lanes);
}

void checker_arrive_barrier(struct wave *w, const struct uop *i)
{
	struct group_check *c = w->group->check;
	const uint64_t on = wave_exec_mask(w);

	if (!c || !checker_checks(w, CHECK_BARRIER))
		return;
	checker_note_lanes(w, i, on);
	struct wave_check *of = &c->wave[w->index];
	of->off = of->items & ~on;
	if (of->off)
		of->at = checker_describe_side(w, i, __builtin_ctzll(of->off));
}

void checker_pass_barrier(struct workgroup *g)
{
	struct group_check *c = g->check;

	if (!c)
		return;
	if (c->global)
		global_races_pass_barrier(c->global, &c->order);
	wave_clocks_pass_barrier(&c->clocks);
}
