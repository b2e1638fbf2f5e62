/* Measures one point with the profiler, and prints its cycle breakdown. */
#ifndef CLI_RUN_PROFILE_REPORT_H
#define CLI_RUN_PROFILE_REPORT_H

#include <jansson.h>
#include <stdint.h>

#include "base/err.h"
#include "experiments/analysis/code_model.h"

/* Measures the job in a new worker and returns the point's "profile" (gpu/protocol/record.h) with its
 * counters, which the caller owns; NULL with one line in `e`. */
json_t *profile_measure(const char *device, const json_t *job, struct err *e);

/* Prints the cycle breakdown of the launch, the largest share first. */
void profile_print_breakdown(const json_t *profile);
void profile_print_heading(void);
/* Prints the instruction at byte `offset` of the kernel; one that was never issued has no numbers. */
void profile_print_instruction(const json_t *profile, int64_t offset, const char *text, const char *mark);

/* Prints what costs the kernel time, and what to try (code_advice.h). `profile` NULL: what its code shows. */
void profile_print_advice(const struct code_model *m, json_t *profile);

#endif
