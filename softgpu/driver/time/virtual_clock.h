/* The virtual time line. It stands still unless the device works; nothing of it comes from the host's clocks, so a
 * program prints the same times twice. */
#ifndef SOFTGPU_DRIVER_TIME_VIRTUAL_CLOCK_H
#define SOFTGPU_DRIVER_TIME_VIRTUAL_CLOCK_H

#include <stdint.h>

struct model;

void vclock_init(const struct model *m); /* which stays in use */
uint64_t vclock_now(void);               /* ns of device time; any thread */
void vclock_advance(uint64_t ns);        /* without a launch: the core clock runs on, light; device thread */
void vclock_advance_to(uint64_t ns);     /* the same to there, if that is ahead; device thread */
/* A launch that began then took so long; returns its end. Others may have run beside it: the clock does not go back.
 * Device thread. */
uint64_t vclock_add_launch(uint64_t start_ns, uint64_t ps, uint64_t cycles);
void vclock_set(uint64_t ns);          /* device thread, for queues with time lines of their own (queue_overlap.h) */
uint64_t vclock_to_ticks(uint64_t ns); /* device time stamps, at the model's timestamp_hz */
uint64_t vclock_core_cycles(void);     /* of the core clock until now; device thread */
/* A reading of all counters at once. Strictly increasing, and exactly linear in each other: the runtime fits a line
 * through such readings and turns time stamps into host time with it. */
uint64_t vclock_read_counters(void);

#endif
