/* Whether helpers make a launch faster. Windows are short, and where little of one can be shared, threads together take
 * longer than one alone. So the launching thread works without its helpers for a moment now and then, and with them for
 * another, and goes on with what took less time for a window. No result depends on it. */
#ifndef SOFTGPU_CORE_WINDOWS_HELPER_TRIAL_H
#define SOFTGPU_CORE_WINDOWS_HELPER_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: no trial yet; helpers are taken to help. Times are in ns of one clock. */
struct helper_trial {
	unsigned slice;   /* of the trial that runs, from 1; 0: none */
	bool hinder;      /* what the last one found of helpers */
	uint32_t hold;    /* its result holds for so many times as long as it took; 0: none has ended */
	uint64_t took;    /* ns of launches, of the trial until now */
	uint64_t counted; /* until when windows have been counted */
	uint64_t left;    /* ns of launches, of the slice or until the next trial */
	struct trial_time {
		uint64_t ns, windows;
	} alone, helped;
};

/* Before the first window of a launch: the time before it belongs to no slice. */
void trial_begin_launch(struct helper_trial *t, uint64_t now);
/* After so many more windows. */
void trial_count_windows(struct helper_trial *t, uint64_t now, unsigned windows);
/* Whether helpers are to be there: they work, or a trial runs. */
bool trial_wants_helpers(const struct helper_trial *t);
/* Whether they are to work in the next windows. */
bool trial_uses_helpers(const struct helper_trial *t);
/* Begins a trial, as there are more or fewer helpers now. */
void trial_restart(struct helper_trial *t, uint64_t now);

#endif
