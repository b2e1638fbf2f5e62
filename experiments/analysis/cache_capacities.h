/* Sizes of a device's caches, lines and channels in bytes, from its record: for marks on an x axis of bytes, and to
 * explain where a footprint fits. */
#ifndef EXPERIMENTS_ANALYSIS_CACHE_CAPACITIES_H
#define EXPERIMENTS_ANALYSIS_CACHE_CAPACITIES_H

#include <stddef.h>

#include "experiments/definition/experiment.h"

enum { CAPACITIES_MAX = 5 };
struct capacity {
	const char *name;
	double bytes;
}; /* "L1", 16384; the name is static */

/* The sizes that matter for a parameter of this meaning, ascending: caches for a footprint, lines and channels for a
 * stride. `device` is a device record (docs/protocol.md) or NULL; unknown sizes are omitted. Returns the number.
 */
int capacities_list(const json_t *device, enum param_meaning means, struct capacity out[CAPACITIES_MAX]);

/* "4 MiB misses L1 (16 KiB), fits L2 (4 MiB)"; for a stride "16 B: 4 consecutive accesses share a line (64 B)". "" if
 * nothing is known. */
char *capacities_explain(const json_t *device, const struct param *p, double value, char *out, size_t size);

#endif
