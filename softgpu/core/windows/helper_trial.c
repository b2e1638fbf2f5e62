#include "softgpu/core/windows/helper_trial.h"

#include "base/min_max.h"

enum {
	SLICES = 4,        /* alone, helped, alone, helped */
	SLICE_NS = 500000, /* or longer, until windows are counted again */
	HOLD_MIN = 16,
	HOLD_MAX = 64 /* so that trials are at most 1/64 of the time, the waking of helpers included */
};

static void begin_slice(struct helper_trial *t, unsigned slice)
{
	t->slice = slice;
	t->left = SLICE_NS;
}

static void begin_trial(struct helper_trial *t)
{
	t->alone = t->helped = (struct trial_time){0};
	t->took = 0;
	begin_slice(t, 1);
}

static bool slice_is_alone(const struct helper_trial *t)
{
	return t->slice % 2;
}

static void end_trial(struct helper_trial *t)
{
	const bool hinder = (double)t->helped.windows * t->alone.ns < (double)t->alone.windows * t->helped.ns;

	t->hold = t->hold && hinder == t->hinder ? min_u64(2 * t->hold, HOLD_MAX) : HOLD_MIN;
	t->hinder = hinder;
	t->left = t->hold * t->took;
	t->slice = 0;
}

static void begin_next(struct helper_trial *t)
{
	if (!t->slice)
		begin_trial(t);
	else if (t->slice < SLICES)
		begin_slice(t, t->slice + 1);
	else
		end_trial(t);
}

void trial_begin_launch(struct helper_trial *t, uint64_t now)
{
	t->counted = now;
}

void trial_restart(struct helper_trial *t, uint64_t now)
{
	t->counted = now;
	begin_trial(t);
}

void trial_count_windows(struct helper_trial *t, uint64_t now, unsigned windows)
{
	const uint64_t ns = now - t->counted;
	struct trial_time *of = slice_is_alone(t) ? &t->alone : &t->helped;

	t->counted = now;
	t->took += ns;
	if (t->slice) {
		of->ns += ns;
		of->windows += windows;
	}
	t->left -= min_u64(t->left, ns);
	if (!t->left)
		begin_next(t);
}

bool trial_wants_helpers(const struct helper_trial *t)
{
	return t->slice || !t->hinder;
}

bool trial_uses_helpers(const struct helper_trial *t)
{
	return t->slice ? !slice_is_alone(t) : !t->hinder;
}
