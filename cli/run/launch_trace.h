/* The waves of one launch as a file that trace viewers open: Chrome's trace format, which ui.perfetto.dev reads, too.
 */
#ifndef CLI_RUN_LAUNCH_TRACE_H
#define CLI_RUN_LAUNCH_TRACE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

/* Whether the device shows its inside. */
bool timeline_check_device(const char *device, struct err *e);
/* What a job asks for (gpu/protocol/record.h, "inside") to see that CU: a number, "all", or NULL for the first. NULL
 * with one line for anything else; the caller owns it. */
json_t *timeline_request(const char *cu, struct err *e);
/* The point record's spans: a process a CU, a thread a wave slot, microseconds by the launch's core clock. False with
 * one line. */
bool timeline_write_trace(const char *path, const json_t *point, struct err *e);

#endif
