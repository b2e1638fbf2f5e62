/* Barriers. A wave arrives as a whole: lanes that are off there wait for nothing. That is a fault of the kernel if they
 * go on later, since they passed the barrier without the others' data; work-items that return early do not. Elsewhere
 * all work-items must reach the same barrier, which CHECK_PORTABLE looks at. */
#include "softgpu/core/check/checker.h"

/* Lanes that were off at the last barrier go on: they execute a vector instruction. */
static void report_diverged(struct wave *w, const struct uop *i, uint64_t lanes)
{
	struct wave_check *c = &w->group->check->wave[w->index];
	const struct check_report found = {.kind = CHECK_KIND_DIVERGED_BARRIER,
		.at = c->missed,
		.other = checker_describe_side(w, i, __builtin_ctzll(lanes)),
		.has_other = true};

	if (checker_checks(w, CHECK_BARRIER))
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

	if (!c || !checker_checks(w, CHECK_BARRIER | CHECK_PORTABLE))
		return;
	checker_note_lanes(w, i, on);
	struct wave_check *of = &c->wave[w->index];
	of->off = of->items & ~on;
	if (of->off)
		of->missed = checker_describe_side(w, i, __builtin_ctzll(of->off));
	of->barrier = checker_describe_side(w, i, on ? __builtin_ctzll(on) : 0);
	of->at_barrier = true;
}

/* --- what other hardware does not allow --- */
static struct checker *portable_checker(const struct workgroup *g)
{
	struct checker *c = g->launch->m->checker;

	return c->checks & CHECK_PORTABLE ? c : NULL;
}

/* A work-item of a wave that has ended, at the barrier of another one. */
static void report_ended_wave(const struct workgroup *g, unsigned ended, const struct check_side *barrier)
{
	struct check_report found = {.kind = CHECK_KIND_EARLY_RETURN, .at = *barrier};

	found.at.wave = ended;
	found.at.lane = (uint32_t)__builtin_ctzll(g->check->wave[ended].items);
	machine_locate_item(g->launch, ended * g->launch->lanes + found.at.lane, found.at.item);
	check_reports_add(&g->launch->m->checker->reports, &found);
}

static void report_different(struct checker *c, const struct check_side *a, const struct check_side *b)
{
	const struct check_report found = {
		.kind = CHECK_KIND_DIFFERENT_BARRIERS, .at = *a, .other = *b, .has_other = true};

	check_reports_add(&c->reports, &found);
}

/* All waves that still run have arrived. */
static void check_portable_barrier(const struct workgroup *g)
{
	struct checker *c = portable_checker(g);
	const struct check_side *first = NULL;

	for (unsigned k = 0; c && k < g->launch->waves_per_group; k++) {
		const struct wave_check *of = &g->check->wave[k];
		if (!g->wave[k] || !of->at_barrier)
			continue;
		if (first && first->pc != of->barrier.pc)
			report_different(c, &of->barrier, first);
		first = first ? first : &of->barrier;
	}
	for (unsigned k = 0; first && k < g->launch->waves_per_group; k++)
		if (!g->wave[k] && g->check->wave[k].items)
			report_ended_wave(g, k, first);
}

/* Work-items that missed their wave's last barrier have done nothing since. */
void checker_note_returned(const struct workgroup *g)
{
	struct checker *c = portable_checker(g);

	for (unsigned k = 0; c && g->check && k < g->launch->waves_per_group; k++) {
		const struct check_report found = {.kind = CHECK_KIND_EARLY_RETURN, .at = g->check->wave[k].missed};
		if (g->check->wave[k].off)
			check_reports_add(&c->reports, &found);
	}
}

void checker_pass_barrier(struct workgroup *g)
{
	struct group_check *c = g->check;

	if (!c)
		return;
	check_portable_barrier(g);
	for (unsigned k = 0; k < g->launch->waves_per_group; k++)
		c->wave[k].at_barrier = false;
	if (c->global)
		global_races_pass_barrier(c->global, &c->order);
	wave_clocks_pass_barrier(&c->clocks);
}
