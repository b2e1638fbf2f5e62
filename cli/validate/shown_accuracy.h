/* For `show EXP`: how far the software GPU's numbers are to be trusted for the kinds of measurement that the experiment
 * has published rows of. */
#ifndef CLI_VALIDATE_SHOWN_ACCURACY_H
#define CLI_VALIDATE_SHOWN_ACCURACY_H

#include <jansson.h>

#include "sessions/compare/accuracy_table.h"
#include "sessions/compare/published_rows.h"

/* A line for each model and kind; nothing if there are none. */
void accuracy_print(const struct accuracy_table *t, const struct published *set, const char *experiment);
/* [{device, kind, rows, median}, ...] */
json_t *accuracy_json(const struct accuracy_table *t, const struct published *set, const char *experiment);

#endif
