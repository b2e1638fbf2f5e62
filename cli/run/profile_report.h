/* One point measured with the device looked into, and what its cycles went to as text. */
#ifndef CLI_RUN_PROFILE_REPORT_H
#define CLI_RUN_PROFILE_REPORT_H

#include <jansson.h>
#include <stdint.h>

#include "base/err.h"

/* Measures the job on a worker of its own. The point's "profile" (gpu/protocol/record.h), which the caller owns; NULL
 * with why not. */
json_t *profile_measure(const char *device, const json_t *job, struct err *e);

/* The launch's cycles by cause, the most first. */
void profile_print_breakdown(const json_t *profile);
void profile_print_heading(void);
/* The line of the instruction `offset` bytes behind the kernel's entry; one that was never issued has no figures. */
void profile_print_instruction(const json_t *profile, int64_t offset, const char *text, const char *mark);

#endif
