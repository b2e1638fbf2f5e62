/* Noise of a software GPU's measured times: "soft:mi25,noise=white:0.01+steps:0.8:0.1+seed:3". Cycles, counters and
 * results stay as they are. What it draws depends only on the seed, the point and the number of the measured time, so
 * it is the same in every run, with any number of workers. */
#ifndef GPU_SOFTGPU_LINK_NOISE_MODEL_H
#define GPU_SOFTGPU_LINK_NOISE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define NOISE_MARK ",noise="
enum {
	NOISE_TEXT = 120,     /* bytes of the text after "noise=" */
	NOISE_STEP_TIMES = 8, /* measured times in a row that have the same clock */
};

struct noise_model {
	double white;      /* standard deviation of a normal distribution, relative to the time */
	double drift;      /* how much each measured time of a point is longer than the one before, relative */
	double step_clock; /* the clock after a step, relative */
	double step_share; /* of all times that have it */
	uint64_t seed;
};

/* One measured time. */
struct noise_draw {
	double time;  /* the factor of the time */
	double clock; /* the factor of the clock reading */
};
struct noise_draw noise_draw(const struct noise_model *m, uint64_t point, uint64_t number);

/* The text after "noise=" of a device's name, cut to the size of `text`; "" if it has none. */
void noise_find_text(const char *device, char text[NOISE_TEXT]);
bool device_has_noise(const char *device);
/* The noise of a device's name; without, none. False with an error if its text is wrong. */
bool noise_parse(const char *device, struct noise_model *out, struct err *e);

#endif
