/* Turns the points of a recorded session into a curve of the workbench. */
#ifndef TUI_LAB_SESSION_CURVE_H
#define TUI_LAB_SESSION_CURVE_H

#include "sessions/load/session_columns.h"
#include "sessions/session.h"
#include "tui/lab/app.h"

/* Reads the curve over the parameter that the session swept fastest, at the first value of the others. Start it, then
 * continue, for about `ms` milliseconds each time, while it returns true. The curve is empty when the session has no
 * such points. The caller frees the curve; experiment and session are borrowed. */
struct session_curve_reader {
	struct measured_curve curve;
	const struct experiment *x;
	const struct session *session;
	struct session_columns columns;
	size_t next;
};
void session_curve_start(struct session_curve_reader *t, const struct experiment *x, const struct session *s);
bool session_curve_continue(struct session_curve_reader *t, int ms);

#endif
