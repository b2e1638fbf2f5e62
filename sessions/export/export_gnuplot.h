/* A session as a gnuplot script that holds its own data: `gnuplot -p FILE` draws it. */
#ifndef SESSIONS_EXPORT_EXPORT_GNUPLOT_H
#define SESSIONS_EXPORT_EXPORT_GNUPLOT_H

#include "sessions/export/session_output.h"

void gnuplot_export(const struct session_output *o);

#endif
