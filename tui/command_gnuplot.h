/* A session as a gnuplot script that holds its own data: `gnuplot -p FILE` draws it. */
#ifndef TUI_COMMAND_GNUPLOT_H
#define TUI_COMMAND_GNUPLOT_H

#include <jansson.h>
#include <stdio.h>

void gnuplot_print(FILE *file, const json_t *header, json_t *const *points, size_t count);

#endif
