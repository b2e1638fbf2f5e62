/* What a worker's process needs before it serves anything. */
#ifndef GPU_WORKER_WORKER_PROCESS_H
#define GPU_WORKER_WORKER_PROCESS_H

#include "gpu/backends/gpu_backend.h"

/* Closes what is not the worker's and, for a software GPU, starts this program again with that below it: then it does
 * not return. False with one line. */
bool worker_process_prepare(const char *device, const struct device_name *n, struct err *e);

#endif
