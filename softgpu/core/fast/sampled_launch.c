#include "softgpu/core/fast/sampled_launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/resident/launch_resources.h"
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
/* With times, copies of rows are simulated to the end: those measured took up to 4 % more or less than their rate in a
 * window, however long it was. */
static bool has_a_rate(const struct launch *n)
{
	const struct bulk_move *b = &n->d->move;

	return !n->m->model.timing || !b->copies || b->items[1] * b->items[2] == 1;
}

void sample_begin(struct launch *n)
{
	const bool known = n->m->model.host_fills && n->d->move.bytes && has_a_rate(n);
	const uint64_t uniform = known ? min_u64(bulk_move_uniform_groups(n), n->total - 1) : 0;

	if (uniform <= LEAST_GROUPS || n->scratch_groups || !bulk_move_is_plain(n))
		return;
	n->sample = calloc(1, sizeof *n->sample); /* if this fails, the launch only takes longer */
	if (!n->sample)
		return;
	n->sample->uniform = uniform;
	window_open(n, &n->sample->window);
}

void sample_end(struct launch *n)
{
	free(n->sample);
	n->sample = NULL;
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

static struct wave_counts count_waves(const struct launch *n)
{
	uint64_t running = 0;

	for (uint32_t k = 0; k < n->m->cus; k++)
		running += n->m->cu[k].touched ? n->m->cu[k].waves : 0;
	return (struct wave_counts){n->m->thread.sums.waves, n->m->thread.sums.waves - running, 0, true};
}

static bool are_waves_equal(const struct launch *n)
{
	struct wave_counts c = count_waves(n);

	decode_cache_visit(n->m, check_hits, &c);
	return c.are_equal;
}

static void add_waves(struct launch *n, uint64_t groups)
{
	struct wave_counts c = count_waves(n);

	c.skipped = groups * n->waves_per_group;
	decode_cache_visit(n->m, add_hits, &c);
	n->m->thread.sums.waves += c.skipped;
	n->skipped_waves += c.skipped;
}

/* --- memory --- */
static uint64_t number_of_group(const struct launch *n, const uint32_t *id)
{
	return ((uint64_t)id[2] * n->grid[1] + id[1]) * n->grid[0] + id[0];
}

/* All workgroups before this one have ended. */
static uint64_t first_group_in_flight(const struct launch *n)
{
	uint64_t first = n->issued;

	for (uint32_t k = 0; k < n->m->cus; k++)
		for (uint64_t e = n->m->cu[k].touched ? n->m->cu[k].share[n->number].used : 0; e; e &= e - 1)
			first = min_u64(
				first, number_of_group(n, n->m->cu[k].share[n->number].group[__builtin_ctzll(e)].id));
	return first;
}

/* Whether the launch does what is known of it, and workgroups may be left out now. */
static bool may_skip(struct launch *n)
{
	struct sample *s = n->sample;

	if (!are_waves_equal(n))
		return false;
	if (!s->is_checked && !bulk_move_is_done(n, 0, first_group_in_flight(n))) {
		s->uniform = 0;
		return false;
	}
	return s->is_checked = true;
}

/* --- skipping --- */
/* Misses, reads and writes are those of the lines that passed; the waves have been counted. */
static void add_at_rate(struct launch *n, uint64_t groups)
{
	const struct sample *s = n->sample;
	const struct passed_lines *p = &s->passed;
	struct launch_sums sums = n->m->thread.sums;

	for (unsigned k = 0; k < WINDOW_SUMS; k++)
		((uint64_t *)&n->m->thread.sums)[k] += rate_of_groups(&s->rate, s->rate.sums[k], groups);
	n->m->thread.sums.waves = sums.waves;
	n->m->thread.sums.l2_miss = sums.l2_miss + p->misses * groups / p->groups;
	n->m->thread.sums.dram_read = sums.dram_read + p->reads * groups / p->groups;
	n->m->thread.sums.dram_write = sums.dram_write + p->writes * groups / p->groups;
	n->skipped_cycles += rate_of_groups(&s->rate, s->rate.cycles, groups);
}

/* Leaves out workgroups up to sample.until, or as many of them as the host moves before a pause. */
static void skip_groups(struct launch *n, cycle_t t)
{
	struct sample *s = n->sample;
	const uint64_t piece = PAUSE_BYTES / (n->d->move.bytes * n->group_items) + 1,
		       groups = min_u64(s->until - n->issued, piece);

	if (!bulk_move_perform(n, n->issued, n->issued + groups)) {
		s->uniform = 0; /* a mapping is gone: the workgroups will find out */
		return;
	}
	add_waves(n, groups);
	if (n->m->model.timing)
		add_at_rate(n, groups);
	launch_skip_workgroups(n, groups);
	if (n->issued < s->until)
		n->m->pause = t;
	else
		s->until = 0;
}

static void plan_skip(struct launch *n, cycle_t t)
{
	struct sample *s = n->sample;

	s->until = s->uniform;
	if (!n->m->model.timing)
		return;
	s->passed = lines_pass(n, &s->rate, n->issued, s->uniform, t);
	s->until = s->passed.end;
}

/* Whether workgroups may be left out at cycle t. */
static bool is_time_to_skip(struct launch *n, cycle_t t)
{
	struct sample *s = n->sample;

	if (!n->m->model.timing)
		return n->issued && n->issued % UNTIMED_STRIDE == 0;
	if (n->issued < (uint64_t)n->groups_per_cu * n->m->cus) { /* not all CUs are full yet */
		window_restart(n, &s->window, t);
		return false;
	}
	return window_advance(n, &s->window, t) && window_find_rate(&s->window, &s->rate) &&
		(s->rate.is_steady || lines_have_room(n->m, &s->rate));
}

void sample_take(struct launch *n, cycle_t t)
{
	struct sample *s = n->sample;

	if (!s->until && is_time_to_skip(n, t) && may_skip(n))
		plan_skip(n, t);
	if (s->until) {
		skip_groups(n, t);
		window_restart(n, &s->window, t);
	}
	if (n->issued + LEAST_GROUPS >= s->uniform)
		sample_end(n);
}
