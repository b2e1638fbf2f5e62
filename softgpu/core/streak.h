/* Streaks: runs of vector instructions in line, as machine code of the host.
 *
 * A function for each instruction loads a wave's registers and stores one; a chain of multiply-adds then waits for its
 * own stores. Where the host has AVX2, what is met often (streak.def's rows, all lanes active, the usual MODE) becomes
 * one function that keeps in the host's registers what the next instruction needs. Everything else stays with the
 * interpreter, and results and times are the same; but which of two NaNs that meet is kept is no result, here as there.
 */
#ifndef SOFTGPU_CORE_STREAK_H
#define SOFTGPU_CORE_STREAK_H

#include <immintrin.h>

#include "softgpu/core/machine.h"

enum {
	MOST_STREAK = 128 /* instructions */,
	MOST_ENTRIES = 32,
	ENTRIES_UNKNOWN = UINT8_MAX,
	OFTEN = 16 /* times that a branch goes somewhere, or that waves have started */
};

struct streaks;

typedef void streak_fn(uint32_t *vgprs, uint32_t *sgprs);

/* Instructions from `first` on as one function. */
struct streak {
	streak_fn *run;
	const struct inst *after, *last; /* behind it, and its last one */
	uint64_t cycles; /* from the first one's issue to the last one's, of a wave that nothing holds up */
	uint64_t runs;   /* times that all of it was issued in this launch and that is not in the instructions' hits */
	uint64_t held;   /* a bit for each instruction cache that surely holds all of it */
	struct {
		const struct inst *i;
		uint64_t cycles;
	} entry[MOST_ENTRIES]; /* what issue looks up behind the first, and how long after */
	uint8_t entries;       /* ENTRIES_UNKNOWN until asked for */
	uint8_t count;
	uint8_t fp;   /* of all that have floating point */
	uint8_t cost; /* of each, where all have the same and none comes late; else 0 */
	struct inst *first;
	struct streak *next;
};

/* NULL where memory runs out. Without `able` there will be no streaks. */
struct streaks *streaks_open(bool able);
void streaks_close(struct streaks *s);
/* Forgets them all, before the instructions are freed. */
void streaks_forget(struct streaks *s);

static inline bool has_all_lanes(const struct wave *w)
{
	return exec_of(w) == UINT64_MAX && !w->gpr_idx;
}

/* Makes streaks of what was met often in line from i on, where waves have now come so many times. */
void streaks_look(struct machine *m, struct inst *i);
static inline void streaks_met(struct wave *w, const struct inst *i, uint64_t times)
{
	if (__builtin_expect(times >= OFTEN && !(times & (times - 1)), 0) && has_all_lanes(w))
		streaks_look(w->m, (struct inst *)i);
}

/* Puts the runs into the instructions' hits. */
void streaks_count(struct streaks *s);
/* Instructions have left the instruction caches of these bits; one that was not looked up is from now on. */
void streaks_unheld(struct streaks *s, uint64_t bits);
void streaks_entered(struct streaks *s);
/* Looks up what issue would behind the first instruction, which the wave issues at cycle t: false when not all has come
 * by its time. */
bool streak_fetched(struct wave *w, struct streak *x, uint64_t t);

/* Whether the wave is in the state for it; sets the host's modes. */
static inline bool streak_may_run(struct wave *w, const struct streak *x)
{
	uint32_t mx = w->mx[x->fp];

	if (!has_all_lanes(w) || (x->fp && mx & MX_MODED))
		return false;
	if (x->fp && w->m->mxcsr != mx)
		_mm_setcsr(w->m->mxcsr = mx);
	return true;
}

/* Runs the streak that begins at i; NULL when there is none or the wave is not in the state for it. */
static inline struct streak *streak_run(struct wave *w, const struct inst *i)
{
	struct streak *x = i->compiled;

	if (!x || !streak_may_run(w, x))
		return NULL;
	x->run(w->v, w->s);
	return x;
}

#endif
