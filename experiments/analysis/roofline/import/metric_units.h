/* The units of ncu's metrics, in the row below its header: "byte" or, scaled, "Mbyte"; "ns", "nsecond"; "Ghz". A factor
 * is 1000, not 1024 (Nsight Compute CLI, --print-units). */
#ifndef EXPERIMENTS_ANALYSIS_METRIC_UNITS_H
#define EXPERIMENTS_ANALYSIS_METRIC_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* What a value of the metric is multiplied with to be in bytes, seconds, Hz, instructions, or these per second or
 * cycle. False if the unit is not one of the metric's kind: a time in bytes. */
bool metric_unit_factor(const char *metric, const char *unit, double *factor);
/* "2.99 TB/s", "48.6 us": with a prefix. Returns out. */
char *metric_format(char *out, size_t size, double value, const char *unit);

#endif
