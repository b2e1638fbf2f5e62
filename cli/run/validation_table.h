/* A validation as a table for a person: rows by experiment, the summary, and the rows that no mechanism explains with
 * what was tried. */
#ifndef CLI_RUN_VALIDATION_TABLE_H
#define CLI_RUN_VALIDATION_TABLE_H

#include "experiments/analysis/validation.h"

void validation_print(const struct validation *v, const char *device, const char *device_name);

#endif
