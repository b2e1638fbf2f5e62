#include "softgpu/core/fast/sampled_launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/launch/workgroup_dispatch.h"
#include "softgpu/core/fast/bulk_move.h"
#include "softgpu/core/fast/launch_window.h"
#include "softgpu/core/fast/line_pass.h"

enum {
	UNTIMED_STRIDE = 64,    /* without timing: workgroups until it is tried (again) to leave out the rest */
	LEAST_GROUPS = 64,      /* fewer are not worth it */
	PAUSE_BYTES = 32 << 20, /* moved by the host before other queues have their turn */
};

struct sample {
	uint64_t uniform; /* no workgroup from here on is left out; the last one never is */
	uint64_t until;   /* left out up to here as soon as the launch continues; 0: none are */
	bool is_checked;  /* memory is as the host would have written it */
	struct launch_window window;
	struct launch_rate rate;
	struct passed_lines passed; /* of the workgroups up to `until` */
};

/* --- begin and end --- */
void sample_begin(struct machine *m)
{
	struct launch *n = &m->launch;
	const bool known = m->model.host_fills && n->d->move.bytes;
	const uint64_t uniform = known ? min_u64(bulk_move_uniform_groups(n), n->total - 1) : 0;

	if (uniform <= LEAST_GROUPS || n->scratch_groups || !bulk_move_is_plain(m))
		return;
	n->sample = calloc(1, sizeof *n->sample); /* if this fails, the launch only takes longer */
	if (!n->sample)
		return;
	n->sample->uniform = uniform;
	window_open(m, &n->sample->window);
}

void sample_end(struct machine *m)
{
	free(m->launch.sample);
	m->launch.sample = NULL;
}

/* --- instructions --- */
struct wave_counts {
	uint64_t started, ended, skipped;
	bool are_equal;
};

/* How often each wave issues i; 0: not known yet. */
static uint64_t hits_of_wave(const struct uop *i, const struct wave_counts *n)
{
	const uint64_t least = (i->hits + n->started - 1) / n->started;

	return n->ended && least == i->hits / n->ended ? least : 0;
}

static void check_hits(const struct uop *i, void *data)
{
	struct wave_counts *n = data;

	n->are_equal &= hits_of_wave(i, n) != 0;
}

static void add_hits(const struct uop *i, void *data)
{
	const struct wave_counts *n = data;

	((struct uop *)i)->hits += n->skipped * hits_of_wave(i, n);
}

static struct wave_counts count_waves(const struct machine *m)
{
	uint64_t running = 0;

	for (uint32_t k = 0; k < m->cus; k++)
		running += m->cu[k].touched ? m->cu[k].waves : 0;
	return (struct wave_counts){m->sums.waves, m->sums.waves - running, 0, true};
}

static bool are_waves_equal(const struct machine *m)
{
	struct wave_counts n = count_waves(m);

	decode_cache_visit(m, check_hits, &n);
	return n.are_equal;
}

static void add_waves(struct machine *m, uint64_t groups)
{
	struct wave_counts n = count_waves(m);

	n.skipped = groups * m->launch.waves_per_group;
	decode_cache_visit(m, add_hits, &n);
	m->sums.waves += n.skipped;
	m->launch.skipped_waves += n.skipped;
}

/* --- memory --- */
static uint64_t number_of_group(const struct launch *n, const uint32_t *id)
{
	return ((uint64_t)id[2] * n->grid[1] + id[1]) * n->grid[0] + id[0];
}

/* All workgroups before this one have ended. */
static uint64_t first_group_in_flight(const struct machine *m)
{
	uint64_t first = m->launch.issued;

	for (uint32_t k = 0; k < m->cus; k++)
		for (uint64_t e = m->cu[k].touched ? m->cu[k].groups_used : 0; e; e &= e - 1)
			first = min_u64(first, number_of_group(&m->launch, m->cu[k].group[__builtin_ctzll(e)].id));
	return first;
}

/* Whether the launch does what is known of it, and workgroups may be left out now. */
static bool may_skip(struct machine *m)
{
	struct sample *s = m->launch.sample;

	if (!are_waves_equal(m))
		return false;
	if (!s->is_checked && !bulk_move_is_done(m, 0, first_group_in_flight(m))) {
		s->uniform = 0;
		return false;
	}
	return s->is_checked = true;
}

/* --- skipping --- */
/* Misses, reads and writes are those of the lines that passed; the waves have been counted. */
static void add_at_rate(struct machine *m, uint64_t groups)
{
	const struct sample *s = m->launch.sample;
	const struct passed_lines *p = &s->passed;
	struct launch_sums sums = m->sums;

	for (unsigned k = 0; k < WINDOW_SUMS; k++)
		((uint64_t *)&m->sums)[k] += rate_of_groups(&s->rate, s->rate.sums[k], groups);
	m->sums.waves = sums.waves;
	m->sums.l2_miss = sums.l2_miss + p->misses * groups / p->groups;
	m->sums.dram_read = sums.dram_read + p->reads * groups / p->groups;
	m->sums.dram_write = sums.dram_write + p->writes * groups / p->groups;
	m->launch.skipped_cycles += rate_of_groups(&s->rate, s->rate.cycles, groups);
}

/* Leaves out workgroups up to sample.until, or as many of them as the host moves before a pause. */
static void skip_groups(struct machine *m, cycle_t t)
{
	struct launch *n = &m->launch;
	struct sample *s = n->sample;
	const uint64_t piece = PAUSE_BYTES / (n->d->move.bytes * n->group_items) + 1,
		       groups = min_u64(s->until - n->issued, piece);

	if (!bulk_move_perform(m, n->issued, n->issued + groups)) {
		s->uniform = 0; /* a mapping is gone: the workgroups will find out */
		return;
	}
	add_waves(m, groups);
	if (m->model.timing)
		add_at_rate(m, groups);
	dispatch_skip_workgroups(m, groups);
	if (n->issued < s->until)
		m->pause = t;
	else
		s->until = 0;
}

static void plan_skip(struct machine *m, cycle_t t)
{
	struct sample *s = m->launch.sample;

	s->until = s->uniform;
	if (!m->model.timing)
		return;
	s->passed = lines_pass(m, &s->rate, m->launch.issued, s->uniform, t);
	s->until = s->passed.end;
}

/* Whether workgroups may be left out at cycle t. */
static bool is_time_to_skip(struct machine *m, cycle_t t)
{
	struct sample *s = m->launch.sample;
	const struct launch *n = &m->launch;

	if (!m->model.timing)
		return n->issued && n->issued % UNTIMED_STRIDE == 0;
	if (n->issued < (uint64_t)n->groups_per_cu * m->cus) { /* not all CUs are full yet */
		window_restart(m, &s->window, t);
		return false;
	}
	return window_advance(m, &s->window, t) && window_find_rate(&s->window, &s->rate) &&
		(s->rate.is_steady || lines_have_room(m, &s->rate));
}

void sample_take(struct machine *m, cycle_t t)
{
	struct sample *s = m->launch.sample;

	if (!s->until && is_time_to_skip(m, t) && may_skip(m))
		plan_skip(m, t);
	if (s->until) {
		skip_groups(m, t);
		window_restart(m, &s->window, t);
	}
	if (m->launch.issued + LEAST_GROUPS >= s->uniform)
		sample_end(m);
}
