/* Prepares the process of a worker before it serves requests. */
#ifndef GPU_WORKER_WORKER_PROCESS_H
#define GPU_WORKER_WORKER_PROCESS_H

#include "gpu/backends/backend.h"

/* Closes inherited descriptors. If the backend needs other environment variables, sets them and starts this program
 * again; it does not return then. `rest` is the device name's text after the prefix. */
bool worker_process_prepare(const char *device, const struct backend *b, const char *rest, struct err *e);

#endif
