/* Logs what each launch of a test gave, so that same_times.sh can compare runs of the test:
 *   DEVICE_LOG=FILE    appends a line for each launch: kernel, status; of one that ended by itself also cycles,
 *                      instructions, checksum of the buffers
 *   DEVICE_PROFILE=1   profiles each launch
 * and changes its model, unless the test does:
 *   DEVICE_CUS=N       compute units, for models of gfx9
 *   DEVICE_THREADS=N   threads */
#ifndef TESTS_SOFTGPU_CORE_LAUNCH_LOG_H
#define TESTS_SOFTGPU_CORE_LAUNCH_LOG_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/core/softgpu.h"
#include "softgpu/probe.h"

enum { LOG_BUFFERS = 64, LOG_BYTES = 1 << 22 /* of a buffer */ };

struct launch_log {
	const void *buffer[LOG_BUFFERS];
	uint64_t bytes[LOG_BUFFERS];
	unsigned buffers;
};

static inline const char *launch_log_model(const char *model, char out[256])
{
	const char *cus = getenv("DEVICE_CUS"), *threads = getenv("DEVICE_THREADS");
	int n = snprintf(out, 256, "%s", model);

	if (cus && !strstr(model, "compute_units") && !strncmp(model, "mi", 2))
		n += snprintf(out + n, 256 - (size_t)n, ",compute_units=%s", cus);
	if (threads && !strstr(model, "threads=") && !strstr(model, "window_cycles="))
		snprintf(out + n, 256 - (size_t)n, ",threads=%s", threads);
	return out;
}

static inline void launch_log_open(struct launch_log *l, struct gpu *g)
{
	l->buffers = 0;
	if (getenv("DEVICE_PROFILE"))
		gpu_set_profiling(g, SOFTGPU_PROFILE_CYCLES);
}

static inline void launch_log_add_buffer(struct launch_log *l, const void *buffer, uint64_t bytes)
{
	l->buffer[l->buffers % LOG_BUFFERS] = buffer;
	l->bytes[l->buffers++ % LOG_BUFFERS] = bytes < LOG_BYTES ? bytes : LOG_BYTES;
}

static inline uint64_t launch_log_checksum(const struct launch_log *l)
{
	uint64_t sum = 0;

	for (unsigned k = 0; k < l->buffers && k < LOG_BUFFERS; k++)
		for (uint64_t n = 0; n < l->bytes[k] / 4; n++)
			sum = (sum ^ ((const uint32_t *)l->buffer[k])[n]) * 0x100000001b3;
	return sum;
}

static inline void launch_log_write(const struct launch_log *l, const char *kernel, const struct launch_result *r)
{
	const char *path = getenv("DEVICE_LOG");
	FILE *f = path ? fopen(path, "a") : NULL;

	if (!f)
		return;
	fprintf(f, "%s %d", kernel, r->status);
	if (r->status == LAUNCH_OK)
		fprintf(f, " %llu %llu %016llx", (unsigned long long)r->cycles, (unsigned long long)r->instructions,
			(unsigned long long)launch_log_checksum(l));
	fprintf(f, "\n");
	fclose(f);
}

#endif
