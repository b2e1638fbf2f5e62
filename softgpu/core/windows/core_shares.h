/* Which cores of the host simulate: processes of a user on a host share them, so that a pool's workers and the threads
 * of their launches are together no more than the cores.
 *
 * A file ($XDG_RUNTIME_DIR/wavedeck-cores-UID, or in /tmp) has a byte for each core. A process that has locked one has
 * that core; the host unlocks it when the process ends. The thread that launches simulates in any case: without a free
 * core, it locks a byte after these, by which the others see that one of them has to give a core back. */
#ifndef SOFTGPU_CORE_WINDOWS_CORE_SHARES_H
#define SOFTGPU_CORE_WINDOWS_CORE_SHARES_H

#include <stdbool.h>

/* Cores of the host on which no threads run now but `own` ones of the caller. */
unsigned cores_count_idle(unsigned own);
/* What a launch has. */
struct core_share {
	unsigned cores; /* for helpers */
	bool launcher;  /* and one for the thread that launches */
	bool waits;     /* which has none, and shows it */
};
/* Takes one for the launching thread, and up to `helpers` more that no other launch has. */
void cores_take(struct core_share *s, unsigned helpers);
/* Whether a launch of another process has no core. */
bool cores_are_wanted(void);
void cores_give_back(struct core_share *s, unsigned helpers); /* so many of the helpers */
void cores_give_back_all(struct core_share *s);

#endif
