#include "softgpu/core/check/checker.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/check/races/lds_races.h"
#include "softgpu/core/check/stored_origins.h"
#include "softgpu/core/check/undefined_memory.h"
#include "softgpu/core/check/undefined_registers.h"
#include "softgpu/core/state/gpu.h"

void checker_close(struct machine *m)
{
	struct checker *c = m->checks;

	if (!c)
		return;
	check_reports_free(&c->reports);
	checker_forget_effects(c);
	for (unsigned k = 0; k < LAUNCHES_MAX; k++)
		global_races_close(c->global[k]);
	if (!c->is_clone)
		undefined_memory_close(c->memory);
	free(c);
	m->checks = NULL;
}

bool checker_clone(struct machine *m, const struct machine *from)
{
	m->checks = NULL;
	if (!from->checks)
		return true;
	m->checks = calloc(1, sizeof *m->checks);
	if (!m->checks)
		return false;
	m->checks->checks = from->checks->checks;
	m->checks->find = from->checks->find;
	m->checks->memory = from->checks->memory;
	m->checks->is_clone = true;
	return true;
}

/* What is known of memory stays while undefined values are checked. */
bool gpu_set_checks(struct gpu *g, unsigned checks, check_find_fn *find)
{
	struct machine *m = &g->m;

	if (!m->checks && checks)
		m->checks = calloc(1, sizeof *m->checks);
	if (!m->checks)
		return !checks;
	m->checks->checks = checks;
	m->checks->find = find;
	if (checks & CHECK_INIT && !m->checks->memory)
		m->checks->memory = undefined_memory_open();
	return !(checks & CHECK_INIT) || m->checks->memory;
}

void gpu_define_memory(struct gpu *g, uint64_t va, uint64_t bytes)
{
	if (g->m.checks && g->m.checks->memory)
		undefined_memory_define(&g->m, va, bytes);
}

size_t gpu_read_check_reports(const struct gpu *g, struct check_report *out, size_t max)
{
	const struct checker *c = g->m.checks;

	for (size_t k = 0; c && k < c->reports.count && k < max; k++)
		out[k] = c->reports.report[k];
	return c ? c->reports.count : 0;
}

void gpu_number_launch(struct gpu *g, uint64_t number)
{
	if (g->m.checks)
		g->m.checks->launch = number;
}

bool gpu_left_undefined(const struct gpu *g)
{
	return g->m.checks && g->m.checks->left_undefined;
}

struct found_stores {
	struct check_report *out;
	size_t count, max;
};

static void add_found_store(void *context, const struct stored_origin *from, uint32_t allocation)
{
	struct found_stores *f = context;
	const struct check_report found = {.kind = CHECK_KIND_UNDEFINED_COPY,
		.at = from->store,
		.allocation = allocation,
		.launch = from->launch,
		.count = 1};

	for (size_t k = 0; k < f->count; k++)
		if (f->out[k].launch == from->launch && check_report_is_same_place(&f->out[k], &found)) {
			f->out[k].count++;
			return;
		}
	if (f->count < f->max)
		f->out[f->count++] = found;
}

size_t gpu_take_undefined(struct gpu *g, uint64_t va, uint64_t bytes, struct check_report *out, size_t max)
{
	struct found_stores f = {out, 0, max};

	if (g->m.checks && g->m.checks->memory)
		undefined_memory_take(&g->m, va, bytes, &(struct undefined_reader){add_found_store, &f});
	return f.count;
}

bool gpu_is_host_memory(struct gpu *g, uint64_t va)
{
	return undefined_memory_is_host(&g->m, va);
}

static void define_row(struct machine *m, const struct bulk_move *b, uint64_t to)
{
	undefined_memory_define(m, to, b->items[0] * b->bytes);
}

void checker_note_move(const struct launch *n)
{
	const struct bulk_move *b = &n->d->move;

	if (!b->bytes || !(n->m->checker->checks & CHECK_INIT))
		return;
	for (uint64_t z = 0; z < b->items[2]; z++)
		for (uint64_t y = 0; y < b->items[1]; y++)
			define_row(n->m, b, b->to + y * b->to_pitch[0] + z * b->to_pitch[1]);
}

uint64_t gpu_count_unreported_accesses(const struct gpu *g)
{
	return g->m.checks ? g->m.checks->reports.left_out : 0;
}

/* --- a launch and its workgroups --- */
void checker_begin(struct machine *m)
{
	m->checker = m->checks && m->checks->checks ? m->checks : NULL;
	if (m->checks)
		check_reports_clear(&m->checks->reports);
	if (!m->checker)
		return;
	m->checker->left_undefined = false;
	m->checker->extent = (struct check_extent){0};
	m->checker->polls.count = m->checker->atomic.count = 0;
}

void checker_begin_launch(struct launch *n)
{
	struct checker *c = n->m->checker;

	if (!(c->checks & CHECK_GLOBAL) || (!c->global[n->number] && !(c->global[n->number] = global_races_open())))
		return;
	global_races_begin(c->global[n->number], n->total, n->waves_per_group);
}

static void free_group(struct checker *c, struct group_check *g)
{
	if (g->next)
		g->next->before = g->before;
	*(g->before ? &g->before->next : &c->groups) = g->next;
	lds_races_close(g->races);
	if (g->order.clocks)
		global_races_end_group(g->global, &g->order);
	for (unsigned k = 0; k < MAX_GROUP_WAVES; k++) {
		free(g->wave[k].registers);
		free(g->wave[k].defined_scratch);
	}
	free(g->undefined_lds);
	free(g);
}

/* A launch that was stopped leaves workgroups behind. */
void checker_end(struct machine *m)
{
	while (m->checker && m->checker->groups)
		free_group(m->checker, m->checker->groups);
	if (m->checker)
		checker_forget_effects(m->checker);
	m->checker = NULL;
}

/* Nothing in LDS and in most registers was written yet. */
static void begin_undefined(const struct workgroup *g, struct group_check *c)
{
	const struct launch *n = g->launch;

	for (uint32_t k = 0; k < n->waves_per_group; k++)
		c->wave[k].registers = g->wave[k] ? undefined_registers_open(g->wave[k]) : NULL;
	c->undefined_lds = malloc(n->group_bytes + 1);
	if (c->undefined_lds)
		memset(c->undefined_lds, 1, n->group_bytes);
}

/* Its waves are those that were created last. */
static void number_waves(const struct workgroup *g, struct group_check *c)
{
	uint64_t number = g->launch->m->thread.sums.waves;

	for (uint32_t k = g->launch->waves_per_group; k-- > 0;)
		if (g->wave[k])
			c->wave[k].launch_wave = (uint32_t)--number;
}

/* Its number in the launch. */
static uint64_t number_of_group(const struct workgroup *g)
{
	const uint32_t *grid = g->launch->grid;

	return g->id[0] + (uint64_t)grid[0] * (g->id[1] + (uint64_t)grid[1] * g->id[2]);
}

static void begin_races(const struct workgroup *g, struct group_check *c)
{
	const struct launch *n = g->launch;

	wave_clocks_begin(&c->clocks, n->waves_per_group);
	if (n->group_bytes)
		c->races = lds_races_open(n->group_bytes, &c->clocks);
	if (!(n->m->checker->checks & CHECK_GLOBAL) || !(c->global = n->m->checker->global[n->number]))
		return;
	global_races_start_group(c->global, &c->order, number_of_group(g), &c->clocks);
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
	number_waves(g, c);
	for (uint32_t k = 0; k < n->waves_per_group; k++)
		c->wave[k].items = g->wave[k] ? wave_exec_mask(g->wave[k]) : 0;
	if (n->m->checker->checks & (CHECK_RACE | CHECK_GLOBAL))
		begin_races(g, c);
	if (n->m->checker->checks & CHECK_INIT)
		begin_undefined(g, c);
}

void checker_end_group(struct workgroup *g)
{
	checker_note_returned(g);
	if (g->check)
		free_group(g->launch->m->checker, g->check);
	g->check = NULL;
}

void checker_execute(struct wave *w, const struct uop *i)
{
	if (i->unit == UNIT_VALU)
		checker_note_lanes(w, i, wave_exec_mask(w));
	checker_note_instruction(w, i);
	init_execute(w, i);
}
