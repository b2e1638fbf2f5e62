/* A session as a gnuplot script that holds its own data: `gnuplot -p FILE` draws it. */
#ifndef TUI_COMMAND_GNUPLOT_H
#define TUI_COMMAND_GNUPLOT_H

#include "tui/command_output.h"

void gnuplot_export(const struct session_output *o);

#endif
