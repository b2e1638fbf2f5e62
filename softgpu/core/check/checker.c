#include "softgpu/core/check/checker.h"

#include <stdlib.h>

#include "softgpu/core/check/lds_races.h"
#include "softgpu/core/state/gpu.h"

bool gpu_set_checks(struct gpu *g, unsigned checks, check_find_fn *find)
{
	struct machine *m = &g->m;

	if (m->checks) {
		check_reports_free(&m->checks->reports);
		free(m->checks);
	}
	m->checks = checks ? calloc(1, sizeof *m->checks) : NULL;
	if (!m->checks)
		return !checks;
	m->checks->checks = checks;
	m->checks->find = find;
	return true;
}

size_t gpu_read_check_reports(const struct gpu *g, struct check_report *out, size_t max)
{
	const struct checker *c = g->m.checks;

	for (size_t k = 0; c && k < c->reports.count && k < max; k++)
		out[k] = c->reports.report[k];
	return c ? c->reports.count : 0;
}

/* --- a launch and its workgroups --- */
void checker_begin(struct machine *m)
{
	m->checker = m->checks;
	if (!m->checker)
		return;
	check_reports_clear(&m->checker->reports);
	m->checker->extent = (struct check_extent){0};
	m->checker->polls.count = 0;
}

static void free_group(struct checker *c, struct group_check *g)
{
	if (g->next)
		g->next->before = g->before;
	*(g->before ? &g->before->next : &c->groups) = g->next;
	lds_races_close(g->races);
	free(g);
}

/* A launch that was stopped leaves workgroups behind. */
void checker_end(struct machine *m)
{
	while (m->checker && m->checker->groups)
		free_group(m->checker, m->checker->groups);
	m->checker = NULL;
}

void checker_start_group(struct workgroup *g)
{
	const struct launch *n = g->launch;
	struct group_check *c = g->check = calloc(1, sizeof *c);

	if (!c)
		return;
	c->next = n->m->checker->groups;
	if (c->next)
		c->next->before = c;
	n->m->checker->groups = c;
	for (uint32_t k = 0; k < n->waves_per_group; k++)
		c->wave[k].items = g->wave[k] ? wave_exec_mask(g->wave[k]) : 0;
	if (n->m->checker->checks & CHECK_RACE && n->group_bytes)
		c->races = lds_races_open(n->group_bytes, n->waves_per_group);
}

void checker_end_group(struct workgroup *g)
{
	if (g->check)
		free_group(g->launch->m->checker, g->check);
	g->check = NULL;
}

/* --- for the checks --- */
struct check_side checker_describe_side(const struct wave *w, const struct uop *i, unsigned lane)
{
	struct check_side s = {.pc = i->pc,
		.offset = (int64_t)(i->pc - w->launch->entry_pc),
		.wave = w->index,
		.lane = lane,
		.cycle = w->last - w->launch->begin};

	for (unsigned k = 0; k < 3; k++)
		s.group[k] = w->group->id[k];
	machine_locate_item(w->launch, w->index * w->launch->lanes + lane, s.item);
	return s;
}
