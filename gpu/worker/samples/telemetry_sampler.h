/* Clocks, temperature and power of a point. On hardware a thread samples 15 times a second. A software GPU is read at
 * the end of the point, and with noise after each sample; the readings depend only on the launches. */
#ifndef GPU_WORKER_TELEMETRY_SAMPLER_H
#define GPU_WORKER_TELEMETRY_SAMPLER_H

#include <stdbool.h>

#include "gpu/protocol/record.h"

typedef struct clocks telemetry_source(void);

void telemetry_start(telemetry_source *source, bool in_background);
void telemetry_begin_point(void);
void telemetry_end_sample(void); /* reads the sensors now, unless the thread does */
/* Means over the point; *moved: sclk changed by more than 2 % during it. */
struct clocks telemetry_end_point(bool *moved);
struct clocks telemetry_read_now(void); /* one reading, between points */
/* Waits until no reading is in progress, at most 200 ms: rocm-smi holds a lock that must not stay locked when the
 * process ends. Any thread. */
void telemetry_stop(void);

/* The arithmetic, for tests. */
struct telemetry_sum {
	struct {
		double mean;
		int count;
	} sclk, mclk, temp, power;
	double sclk_min, sclk_max;
	unsigned limits, others;
};
void telemetry_sum_add(struct telemetry_sum *s, struct clocks c);
struct clocks telemetry_sum_mean(const struct telemetry_sum *s, bool *moved);

#endif
