/* A captured launch as the launch of a point. On a device like the one that it ran on, it finds the caches of then and
 * does the same, to the last bit. Otherwise it runs as the launches of experiments do: after one that warms the caches.
 */
#ifndef GPU_WORKER_CAPTURED_RUN_H
#define GPU_WORKER_CAPTURED_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "gpu/protocol/job_record.h"

struct captured_run {
	bool same_memory;    /* after the last launch, as after the captured one */
	uint32_t alike;      /* SOFTGPU_..._DEVICE: this one, and the one that it ran on */
	int caches;          /* SOFTGPU_CACHES_... of the launch that is measured */
	const char *verdict; /* of the last launch: "ok", "failed", or "none": its memory differs on another device */
	char text[256];
};

/* Opens the launch of a job on a device of its own, which the probes describe until softprobe_reset_state. */
bool captured_run_open(const struct job *j, struct captured_run *out, struct err *e);
/* Whether a launch has to warm the caches first. */
bool captured_run_needs_warmup(const struct captured_run *r);
/* Returns when the launch has ended; softprobe_last_launch has its result. */
bool captured_run_launch(struct captured_run *r, bool warmup, struct err *e);

#endif
