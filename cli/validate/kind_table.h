/* Prints the errors of a validation by kind of measurement, for `validate --summary`. */
#ifndef CLI_VALIDATE_KIND_TABLE_H
#define CLI_VALIDATE_KIND_TABLE_H

#include "experiments/analysis/validation.h"

void kind_table_print(const struct validation *v, const char *device, const char *device_name);

#endif
