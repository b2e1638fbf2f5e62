/* A validation as a table for a person: rows by experiment, the summary, and the rows that no mechanism explains with
 * what was tried. */
#ifndef TUI_COMMAND_VALIDATE_H
#define TUI_COMMAND_VALIDATE_H

#include "experiments/validate.h"

void validation_print(const struct validation *v, const char *device, const char *device_name);

#endif
