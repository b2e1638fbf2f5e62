/* `run --resume FILE`: an interrupted session, locked, loaded, and what is asked for held against what it was measured
 * with. */
#ifndef CLI_RUN_RESUMED_SESSION_H
#define CLI_RUN_RESUMED_SESSION_H

#include "experiments/sweep/sweep.h"
#include "sessions/session.h"

enum { RESUME_COUNTERS = 32 };

struct resumed_session {
	const char *path;
	struct recorder *recorder; /* holds the lock; nothing is written until there is something to add */
	struct session *session;
	const char *counters[RESUME_COUNTERS + 1]; /* those of its columns, borrowed from it */
};

/* False with one line when another program writes the file, or it is no session. */
bool resumed_session_open(struct resumed_session *r, const char *path, struct err *e);
void resumed_session_free(struct resumed_session *r); /* the recorder is the caller's to close, before */
/* Without `given` the plan becomes the session's, with it must be the same: a file holds one measurement. The plan has
 * its experiment. */
bool resumed_session_plan(struct resumed_session *r, struct plan *p, bool given, struct err *e);
/* As a note in the file: from here on it was measured later, by this program. */
json_t *resumed_session_note(void);

#endif
