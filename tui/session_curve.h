/* A recorded session's points as a curve of the workbench. */
#ifndef TUI_SESSION_CURVE_H
#define TUI_SESSION_CURVE_H

#include "sessions/columns.h"
#include "sessions/session.h"
#include "tui/app.h"

/* Over the parameter that the session swept fastest, at the first value of the others: begin, then more for about so
 * many milliseconds while it returns true. The curve is empty when the session has no such points of this experiment.
 * Borrows experiment and session. */
struct curve_taking {
	struct curve curve;
	const struct experiment *x;
	const struct session *session;
	struct session_columns columns;
	size_t next;
};
void curve_take_begin(struct curve_taking *t, const struct experiment *x, const struct session *s);
bool curve_take_more(struct curve_taking *t, int ms);

#endif
