/* `run --resume FILE`: locks and loads an interrupted session, and checks that the request matches it. */
#ifndef CLI_RUN_RESUMED_SESSION_H
#define CLI_RUN_RESUMED_SESSION_H

#include "experiments/sweep/sweep.h"
#include "sessions/session.h"

enum { RESUME_COUNTERS = 32 };

struct resumed_session {
	const char *path;
	struct recorder *recorder; /* holds the lock; does not write until something is added */
	struct session *session;
	const char *counters[RESUME_COUNTERS + 1]; /* of its columns, borrowed from the session */
};

/* False with one line if another program writes the file, or if it is not a session. */
bool resumed_session_open(struct resumed_session *r, const char *path, struct err *e);
void resumed_session_free(struct resumed_session *r); /* the caller closes the recorder first */
/* Without `given` (no parameters on the command line), the plan becomes that of the session; otherwise, it must be
 * equal, because a file is one measurement. p->x must be set. False with one line. */
bool resumed_session_plan(struct resumed_session *r, struct plan *p, bool given, struct err *e);
/* A note record for the file: the following points were measured later. The caller owns it. */
json_t *resumed_session_note(void);

#endif
