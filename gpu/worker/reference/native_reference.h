/* The C reference of a user's own: compiled on the worker's machine and loaded into the worker. The front end sends the
 * source only if the user has allowed it to run. */
#ifndef GPU_WORKER_REFERENCE_NATIVE_REFERENCE_H
#define GPU_WORKER_REFERENCE_NATIVE_REFERENCE_H

#include "gpu/protocol/job_record.h"

/* The function of the job's reference. It stays valid until the next call. Blocks while the compiler runs, about 0.1 s;
 * the same source is compiled once. */
bool native_reference_load(const struct job *j, struct reference *out, struct err *e);

#endif
