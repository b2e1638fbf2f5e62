/* Runs a captured launch again: on a device of its own, with the memory, the caches and the clocks that it found. */
#ifndef SOFTGPU_CAPTURE_LAUNCH_REPLAY_H
#define SOFTGPU_CAPTURE_LAUNCH_REPLAY_H

#include "softgpu/capture/captured_launch.h"

struct launch_replay;

/* `c` must stay valid until the end. NULL with the reason in one line. */
struct launch_replay *launch_replay_open(const struct captured_launch *c, char *why, size_t size);
void launch_replay_close(struct launch_replay *r);
/* After a replay. Device memory: a digest of the pages that the captured launch has written. Host memory: whether each
 * byte that the replay has changed is what it was after the captured launch. */
struct replay_memory {
	uint64_t device_digest;
	bool host_is_same;
};
/* Memory as it was before the launch, then the launch. A page that was not captured ends it with LAUNCH_MEMORY_FAULT,
 * if faults of this thread reach gpu_take_host_fault (core/launch/host_fault.h). */
enum launch_status launch_replay_run(struct launch_replay *r, struct launch_result *out, struct replay_memory *memory);
/* Whether the launch did the same: memory, and with timing cycles and counts. Otherwise the difference, in one line. */
bool launch_replay_compare(const struct captured_launch *c, const struct launch_result *now,
	const struct replay_memory *memory, char *why, size_t size);

#endif
