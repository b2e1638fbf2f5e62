/* The experiments that match the filter of the list. */
#ifndef TUI_VIEWS_WORKBENCH_EXPERIMENT_SEARCH_H
#define TUI_VIEWS_WORKBENCH_EXPERIMENT_SEARCH_H

#include "tui/lab/app.h"

/* Indices of labs in the order of the list: best match first, without a filter the catalog's order. Returns the count;
 * `out` has room for all labs. */
int experiment_search(const struct app *a, int *out);

#endif
