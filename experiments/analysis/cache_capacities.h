/* What a device has of caches and lines, in bytes, as far as its record says: to be ruled on an x axis of bytes and to
 * tell where a footprint lives. */
#ifndef EXPERIMENTS_ANALYSIS_CACHE_CAPACITIES_H
#define EXPERIMENTS_ANALYSIS_CACHE_CAPACITIES_H

#include <stddef.h>

#include "experiments/definition/experiment.h"

enum { CAPACITIES_MAX = 4 };
struct capacity {
	const char *name;
	double bytes;
}; /* "L1", 16384; the name is static */

/* Those that matter to a parameter of that meaning, ascending: caches to a footprint, lines and channels to a stride.
 * `device` is a device record (gpu/protocol/record.h) or NULL; what it does not tell is left out. */
int capacities_list(const json_t *device, enum param_meaning means, struct capacity out[CAPACITIES_MAX]);

/* "4 MiB misses L1 (16 KiB), fits L2 (4 MiB)"; of a stride "16 B: 4 accesses in a row share a line (64 B)". "" when
 * nothing is known. */
char *capacities_explain(const json_t *device, const struct param *p, double value, char *out, size_t size);

#endif
