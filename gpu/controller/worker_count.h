/* How many workers a device gets. */
#ifndef GPU_CONTROLLER_WORKER_COUNT_H
#define GPU_CONTROLLER_WORKER_COUNT_H

#include "base/err.h"
#include "gpu/remote/worker_places.h"

enum { WORKERS_MAX = PLACES_MAX, WORKERS_AUTO_MAX = 8 };

/* `text`: a number, or "auto": as many as this process has cores and memory for, at most WORKERS_AUTO_MAX. Only models
 * are private to a worker; a GPU and a recording get one, and a greater number is an error. */
bool worker_count_parse(const char *text, const char *device, int *out, struct err *e);
bool worker_count_check(const char *text, struct err *e); /* on a device that can have several */
/* What the setting `workers` means for this device. */
int worker_count_default(const char *device);
/* `text` (--workers), or if it is NULL the setting. */
bool worker_count_choose(const char *text, const char *device, int *out, struct err *e);

#endif
