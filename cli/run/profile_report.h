/* Measures one point with the profiler, and prints its cycle breakdown. */
#ifndef CLI_RUN_PROFILE_REPORT_H
#define CLI_RUN_PROFILE_REPORT_H

#include <jansson.h>
#include <stdint.h>

#include "base/err.h"

/* Measures the job in a new worker and returns the point's "profile" (gpu/protocol/record.h), which the caller owns;
 * NULL with one line in `e`. */
json_t *profile_measure(const char *device, const json_t *job, struct err *e);

/* Prints the cycle breakdown of the launch, the largest share first. */
void profile_print_breakdown(const json_t *profile);
void profile_print_heading(void);
/* Prints the instruction at byte `offset` of the kernel; one that was never issued has no numbers. */
void profile_print_instruction(const json_t *profile, int64_t offset, const char *text, const char *mark);

#endif
