#include "softgpu/core/memory/lds_timing.h"

#include <string.h>

#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/l1.h"

/* The distinct words that a group of lanes accesses, by bank. */
struct bank_words {
	uint32_t word[MAX_BANKS][MAX_LANES];
	uint8_t count[MAX_BANKS];
};

static void add_bank_word(struct bank_words *n, uint32_t word, uint32_t bank, bool atomic)
{
	unsigned count = n->count[bank];

	if (!atomic)
		for (unsigned k = 0; k < count; k++)
			if (n->word[bank][k] == word)
				return;
	if (count < MAX_LANES)
		n->word[bank][n->count[bank]++] = word;
}

static uint32_t busiest_bank(const struct bank_words *n, uint32_t banks)
{
	uint32_t most = 0;

	for (uint32_t b = 0; b < banks; b++)
		most = n->count[b] > most ? n->count[b] : most;
	return most;
}

/* Lanes processed together: at most 32 dwords. */
static unsigned lds_group_lanes(unsigned dwords)
{
	return 32 / (dwords > 2 ? 4 : dwords);
}

/* Collects the words of the group of lanes from `first` on; false if none is active. */
static bool collect_bank_words(const struct model *m, const uint32_t *at, uint64_t e, unsigned first, unsigned dwords,
	bool atomic, struct bank_words *n)
{
	unsigned group = lds_group_lanes(dwords);
	uint64_t lanes = e >> first & ((UINT64_C(1) << group) - 1);

	if (!lanes)
		return false;
	memset(n->count, 0, sizeof n->count);
	for (; lanes; lanes &= lanes - 1) {
		uint32_t word = at[first + __builtin_ctzll(lanes)] >> 2;
		for (unsigned k = 0; k < dwords; k++)
			add_bank_word(n, word + k, (word + k) & (m->lds_banks - 1), atomic);
	}
	return true;
}

uint32_t lds_bank_cycles(
	const struct model *m, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic, uint32_t *conflict)
{
	uint32_t cycles = 0;
	struct bank_words n;

	*conflict = 0;
	for (unsigned first = 0; first < MAX_LANES; first += lds_group_lanes(dwords)) {
		if (!collect_bank_words(m, at, e, first, dwords, atomic, &n))
			continue;
		uint32_t ways = model_is_ideal(m, IDEAL_lds_banks) ? 1 : busiest_bank(&n, m->lds_banks);
		cycles += ways;
		*conflict += ways - 1;
	}
	return cycles;
}

void lds_count_bank_dwords(const struct model *m, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic,
	uint32_t *count, uint32_t *over)
{
	struct bank_words n;

	for (unsigned first = 0; first < MAX_LANES; first += lds_group_lanes(dwords))
		if (collect_bank_words(m, at, e, first, dwords, atomic, &n))
			for (uint32_t b = 0; b < m->lds_banks; b++) {
				count[b] += n.count[b];
				over[b] += n.count[b] ? n.count[b] - 1 : 0;
			}
}

/* Reports to the profiler that the access got the banks at cycle t. */
static __attribute__((noinline)) void report_banks(struct wave *w, const struct uop *i, cycle_t t, uint32_t conflict)
{
	struct access_path *p = profiler_new_access_path(w);

	access_path_begin(p, w->last + i->cost);
	access_path_add(p, STALL_LDS_QUEUE, t);
	access_path_add(p, STALL_LDS_CONFLICT, t + conflict);
}

static __attribute__((noinline)) void report_return(struct wave *w, cycle_t back)
{
	access_path_add(profiler_new_access_path(w), STALL_LDS, back);
	waitcnt_push(w, WAITCNT_LGKM, back);
}

uint32_t lds_return_cycles(const struct model *m, uint32_t lanes)
{
	return (lanes + (uint32_t)m->lds_return_lanes - 1) / (uint32_t)m->lds_return_lanes;
}

static void schedule_banks(struct wave *w, const struct uop *i, struct lds_access a, uint32_t conflict)
{
	const uint64_t t = lds_reserve_banks(w, w->last + i->cost, a), back = t + a.cycles + a.behind;

	if (machine_is_profiled(w->m)) {
		report_banks(w, i, t, conflict);
		report_return(w, back);
	} else {
		waitcnt_push(w, WAITCNT_LGKM, back);
	}
}

void lds_schedule_access(
	struct wave *w, const struct uop *i, uint32_t cycles, uint32_t conflict, uint64_t e, bool returns)
{
	if (!w->m->model.timing)
		return;
	if (w->in_run_ahead)
		w->lds_access[w->deferred_lds_tail++ % DEFERRED_LDS_MAX] =
			lds_make_access(w, cycles, conflict, e, returns);
	else
		schedule_banks(w, i, lds_make_access(w, cycles, conflict, e, returns), conflict);
}
