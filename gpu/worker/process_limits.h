/* Limits of the process (ulimit) that are too small for HIP and the software GPU. */
#ifndef GPU_WORKER_PROCESS_LIMITS_H
#define GPU_WORKER_PROCESS_LIMITS_H

#include <stdbool.h>

#include "base/err.h"

/* False with the remedy if the process cannot open as many files as a worker needs, even after raising its limit. */
bool process_limits_check_files(struct err *e);

/* Rewrites the error of a device that did not open, if a limit of the process may be the reason. */
void process_limits_explain(struct err *e);

#endif
