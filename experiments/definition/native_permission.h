/* Which C references of the user's own may run. They are native code outside of the sandbox, so each content needs a
 * yes. It is kept as a copy of the file: a hash could be that of another file. */
#ifndef EXPERIMENTS_DEFINITION_NATIVE_PERMISSION_H
#define EXPERIMENTS_DEFINITION_NATIVE_PERMISSION_H

#include "base/buf.h"
#include "experiments/definition/experiment.h"

/* The C file of the experiment's reference, which the caller frees. NULL: none. */
char *native_source_path(const struct experiment *x);
/* Appends the C file of the experiment's reference. */
bool native_source_read(const struct experiment *x, struct buf *out, struct err *e);
bool native_source_is_allowed(const char *file, const char *text);
bool native_source_allow(const char *file, const char *text, struct err *e);
/* False, with what to do, if the job has native code that is not allowed. */
bool native_job_check(const json_t *job, struct err *e);

#endif
