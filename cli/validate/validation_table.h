/* Prints a validation as a table: rows by experiment, the summary, the unexplained rows with what was tried, and the
 * cited sources. */
#ifndef CLI_VALIDATE_VALIDATION_TABLE_H
#define CLI_VALIDATE_VALIDATION_TABLE_H

#include "experiments/analysis/validation.h"

void validation_print(const struct validation *v, const char *device, const char *device_name);

/* The number of rows, their median error, the share within 5 % and the largest error; "no row was measured". */
void validation_print_totals(const struct validation *v);

#endif
