/* Where the workers of a run measure: on this machine, on several of its GPUs, or elsewhere. */
#ifndef CLI_RUN_RUN_PLACES_H
#define CLI_RUN_RUN_PLACES_H

#include "cli/run/device_choice.h"
#include "gpu/remote/worker_places.h"

/* `workers`: the value of --workers; NULL: the setting. `vias`: the values of --via; NULL after the last. Borrows the
 * devices' names. Freed by worker_places_free, even on failure. */
bool run_places_find(struct worker_places *out, const struct device_choice *devices, const char *workers,
	const char *const *vias, struct err *e);

#endif
