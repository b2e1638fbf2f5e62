/* Runs a captured launch again, on a device of its own, with the memory and the clocks that it found. On a device like
 * then and with the caches that it found, it does the same to the last bit. */
#ifndef SOFTGPU_CAPTURE_LAUNCH_REPLAY_H
#define SOFTGPU_CAPTURE_LAUNCH_REPLAY_H

#include "softgpu/capture/captured_launch.h"

struct launch_replay;

/* The most that a replay may take, an hour or so of the host's time: the file may be made to do harm. */
#define REPLAY_CYCLES_MAX       (UINT64_C(1) << 36)
#define REPLAY_INSTRUCTIONS_MAX (UINT64_C(1) << 35)

/* On a device of this model ("mi25,l1_bytes=65536"). `c` must stay valid until the end. NULL with the reason in one
 * line. */
struct launch_replay *launch_replay_open(const struct captured_launch *c, const char *model, char *why, size_t size);
void launch_replay_close(struct launch_replay *r);
struct gpu *launch_replay_gpu(const struct launch_replay *r);
/* After a replay. Device memory: a digest of the pages that the captured launch has written. Host memory: whether each
 * byte that the replay has changed is what it was after the captured launch. */
struct replay_memory {
	uint64_t device_digest;
	bool host_is_same;
};
/* The caches at its begin. */
enum replay_caches {
	REPLAY_CACHES_CAPTURED, /* as it found them; only for the model that it ran on */
	REPLAY_CACHES_EMPTY,
	REPLAY_CACHES_KEPT /* as the last replay left them */
};
/* Memory as it was before the launch, then the launch. A page that was not captured ends it with LAUNCH_MEMORY_FAULT,
 * if faults of this thread reach gpu_take_host_fault (core/state/host_fault.h). */
enum launch_status launch_replay_run(
	struct launch_replay *r, enum replay_caches caches, struct launch_result *out, struct replay_memory *memory);
/* Whether memory is what it was after the captured launch; otherwise the difference, in one line. */
bool launch_replay_compare_memory(
	const struct captured_launch *c, const struct replay_memory *memory, char *why, size_t size);
/* Whether the launch with captured caches did the same: memory, and with timing cycles and counts, but of a launch that
 * an error ended not the instructions. Otherwise the difference, in one line. */
bool launch_replay_compare(const struct captured_launch *c, const struct launch_result *now,
	const struct replay_memory *memory, char *why, size_t size);

#endif
