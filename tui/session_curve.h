/* A recorded session's points as a curve of the workbench. */
#ifndef TUI_SESSION_CURVE_H
#define TUI_SESSION_CURVE_H

#include "sessions/session.h"
#include "tui/app.h"

/* Over the parameter that the session swept fastest, at the first value of the others. False when the session has no such points of this experiment. */
bool curve_of_session(struct curve *c, const struct experiment *x, const struct session *s);

#endif
