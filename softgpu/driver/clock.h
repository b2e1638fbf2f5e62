/* The virtual time line. It stands still unless the device works; nothing of it comes from the host's clocks, so a program
 * prints the same times twice. */
#ifndef SOFTGPU_DRIVER_CLOCK_H
#define SOFTGPU_DRIVER_CLOCK_H

#include <stdint.h>

struct model;

void clock_open(const struct model *m);
uint64_t clock_now(void);            /* ns of device time; any thread */
void clock_advance(uint64_t ns);     /* device thread */
void clock_reach(uint64_t ns);       /* advances to there, if that is ahead; device thread */
uint64_t clock_ticks(uint64_t ns);   /* device time stamps, at the model's timestamp_hz */
uint64_t clock_cycles(uint64_t ns);  /* core clock */
uint64_t clock_ns(uint64_t cycles);  /* core clock to ns, rounded to nearest */
/* A reading of all counters at once. Strictly increasing, and exactly linear in each other: the runtime fits a line through
 * such readings and turns time stamps into host time with it. */
uint64_t clock_reading(void);

#endif
