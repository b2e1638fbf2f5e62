/* Clocks, temperature and power while a point is measured: a thread that samples 15 times a second on silicon; on a
 * deterministic device one reading at the point's end, which is a pure function of the launch. */
#ifndef GPU_WORKER_TELEMETRY_SAMPLER_H
#define GPU_WORKER_TELEMETRY_SAMPLER_H

#include <stdbool.h>

#include "gpu/protocol/record.h"

typedef struct clocks telemetry_source(void);

void telemetry_start(telemetry_source *source, bool deterministic);
void telemetry_begin_point(void); /* a point starts */
/* Means over the point; *moved when sclk differed by more than 2 % within it. */
struct clocks telemetry_end_point(bool *moved);
struct clocks telemetry_read_now(void); /* between points */
/* No reading is under way after this, or 200 ms have passed: rocm-smi holds a lock that must not die with us. Any
 * thread. */
void telemetry_stop(void);

/* The arithmetic, for tests. */
struct telemetry_sum {
	struct {
		double mean;
		int count;
	} sclk, mclk, temp, power;
	double sclk_min, sclk_max;
};
void telemetry_sum_add(struct telemetry_sum *s, struct clocks c);
struct clocks telemetry_sum_mean(const struct telemetry_sum *s, bool *moved);

#endif
