#include "softgpu/core/streak.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "softgpu/core/fetch.h"
#include "softgpu/core/streak_compile.h"
#include "softgpu/core/streak_rows.h"

enum {
	ARENA_BYTES = 4 << 20,
	LONGEST_LOOK = 4096, /* instructions in line */
	SHORTEST = 3,        /* instructions worth a function */
	MET = OFTEN /
		2, /* times that its first one has issued: others of a loop may be one behind the branch that looks */
};

/* Constants first, code behind. Never writable and executable at once. */
struct arena {
	uint32_t constant[POOL_ENTRIES][8];
	uint8_t code[];
};

struct streaks {
	struct arena *arena; /* NULL: there are none */
	struct pool pool;    /* its constants */
	bool full;           /* those there are stay, and there will be no more */
	uint8_t *end;        /* of its code */
	struct streak *all;
};

struct streaks *streaks_open(bool able)
{
	struct streaks *s = calloc(1, sizeof *s);
	if (!able || !s)
		return s;
	void *p = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return s;
	s->arena = p;
	s->pool.entry = s->arena->constant;
	s->end = s->arena->code;
	return s;
}

void streaks_forget(struct streaks *s)
{
	for (struct streak *x = s->all, *next; x; x = next) {
		next = x->next;
		x->first->compiled = NULL;
		free(x);
	}
	s->all = NULL;
	s->full = false;
	s->pool.count = 0;
	if (s->arena)
		s->end = s->arena->code;
}

/* No streaks from now on. */
static void give_up(struct streaks *s)
{
	streaks_count(s);
	streaks_forget(s);
	if (s->arena)
		munmap(s->arena, ARENA_BYTES);
	s->arena = NULL;
}

void streaks_close(struct streaks *s)
{
	if (s)
		give_up(s);
	free(s);
}

/* --- making them --- */
/* From one's issue to that of the next in line. */
static uint64_t cycles_to_next(const struct inst *i)
{
	const struct inst *after = i + i->words;

	return after->late > i->cost ? after->late : i->cost;
}

static void set_times(struct streak *x)
{
	const struct inst *i = x->first;

	x->cost = i->cost;
	for (unsigned n = 1; n < x->count; n++) {
		const struct inst *after = i + i->words;
		x->cycles += cycles_to_next(i);
		if (after->cost != x->first->cost || after->late > i->cost)
			x->cost = 0;
		i = after;
	}
	x->last = i;
	x->after = i + i->words;
}

static bool add(struct streaks *s, struct inst *i, unsigned count, uint8_t fp)
{
	struct emit e = {.at = s->end, .end = (uint8_t *)s->arena + ARENA_BYTES};
	struct streak *x = calloc(1, sizeof *x);

	if (!x || !streak_compile(&e, &s->pool, i, count) || e.at > e.end) {
		free(x);
		return false;
	}
	*x = (struct streak){.run = (streak_fn *)s->end,
		.first = i,
		.count = count,
		.fp = fp,
		.entries = ENTRIES_UNKNOWN,
		.next = s->all};
	set_times(x);
	s->end = e.at;
	s->all = i->compiled = x;
	return true;
}

/* False when there was no room for all. */
static bool look(struct machine *m, struct inst *i)
{
	for (unsigned n = 0; n < LONGEST_LOOK && i->fn && i->kind != KIND_END; n++) {
		uint8_t fp;
		unsigned count = streak_length(m, i, &fp);
		if (count < SHORTEST) {
			i += i->words;
			continue;
		}
		if (!i->compiled && i->hits >= MET && !add(m->streaks, i, count, fp))
			return false;
		while (count--)
			i += i->words;
	}
	return true;
}

void streaks_look(struct machine *m, struct inst *i)
{
	struct streaks *s = m->streaks;

	if (!s->arena || s->full)
		return;
	if (mprotect(s->arena, ARENA_BYTES, PROT_READ | PROT_WRITE)) {
		give_up(s);
		return;
	}
	s->full = !look(m, i);
	if (mprotect(s->arena, ARENA_BYTES, PROT_READ | PROT_EXEC))
		give_up(s);
}

/* --- what the issue loop asks --- */
void streaks_count(struct streaks *s)
{
	for (struct streak *x = s->all; x; x = x->next) {
		struct inst *i = x->first;
		for (unsigned n = 0; x->runs && n < x->count; n++, i += i->words)
			i->hits += x->runs;
		x->runs = 0;
	}
}

void streaks_unheld(struct streaks *s, uint64_t bits)
{
	for (struct streak *x = s->all; x; x = x->next)
		x->held &= ~bits;
}

void streaks_entered(struct streaks *s)
{
	for (struct streak *x = s->all; x; x = x->next) {
		x->held = 0;
		x->entries = ENTRIES_UNKNOWN;
	}
}

static void find_entries(struct streak *x)
{
	const struct inst *i = x->first;
	uint64_t t = 0;

	x->entries = 0;
	for (unsigned n = 1; n < x->count; n++) {
		t += cycles_to_next(i);
		i += i->words;
		if (!i->enters)
			continue;
		if (x->entries < MOST_ENTRIES) {
			x->entry[x->entries].i = i;
			x->entry[x->entries].cycles = t;
		}
		x->entries++;
	}
}

/* Looking up what has been looked up again changes nothing: the caller may still go on one by one. */
bool streak_fetched(struct wave *w, struct streak *x, uint64_t t)
{
	bool held = true;

	if (x->held & w->near_bit)
		return true;
	if (x->entries == ENTRIES_UNKNOWN)
		find_entries(x);
	if (x->entries > MOST_ENTRIES)
		return false;
	for (unsigned n = 0; n < x->entries; n++) {
		const struct inst *i = x->entry[n].i;
		if (!(i->held & w->near_bit) && !fetch_has(w, i, t + x->entry[n].cycles))
			return false;
		held &= (i->held & w->near_bit) != 0;
	}
	if (held)
		x->held |= w->near_bit;
	return true;
}
