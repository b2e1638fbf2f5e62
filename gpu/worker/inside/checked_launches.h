/* Checks of the launches of a point ("checks" in docs/protocol.md): requested through softgpu/probe.h, returned as
 * JSON. Main thread of the worker. */
#ifndef GPU_WORKER_INSIDE_CHECKED_LAUNCHES_H
#define GPU_WORKER_INSIDE_CHECKED_LAUNCHES_H

#include "gpu/worker/buffers/job_buffers.h"
#include "gpu/worker/loaded_kernel.h"

/* Forgets what was found before, and checks the launches from now on, if the job requests that. False with an error. */
bool checked_launches_begin(const struct job *j, struct err *e);
void checked_launches_end(const struct job *j);
/* What was found since the begin, with source lines and the names of buffers; NULL if nothing was checked. */
json_t *checked_launches_record(const struct job *j, const struct buffers *b, const struct loaded_kernel *k);

#endif
