/* `compare` of two captures. */
#ifndef CLI_COMPARE_CAPTURES_H
#define CLI_COMPARE_CAPTURES_H

#include <stdbool.h>

#include "base/err.h"
#include "sessions/export/exporters.h"

/* Prints the kernels of both, matched by their names in the source: the figures of the slowest launch when it was
 * captured. Runs nothing. */
bool compare_captures(const char *before, const char *after, enum export_format format, struct err *e);

#endif
