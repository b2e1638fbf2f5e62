/* Writes the waves of one launch in Chrome's trace format, for chrome://tracing and ui.perfetto.dev. */
#ifndef CLI_RUN_LAUNCH_TRACE_H
#define CLI_RUN_LAUNCH_TRACE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

/* False with one line if the device cannot record a timeline. */
bool timeline_check_device(const char *device, struct err *e);
/* The "inside" member of a job (gpu/protocol/record.h) for one CU: a number, "all", or NULL for CU 0. The caller owns
 * it; NULL with one line if `cu` is something else. */
json_t *timeline_request(const char *cu, struct err *e);
/* Writes the spans of a point record: each CU is a process, each wave slot a thread, times are in microseconds of the
 * launch's core clock. False with one line. */
bool timeline_write_trace(const char *path, const json_t *point, struct err *e);

#endif
