/* The buffers of one point, on the device and as host copies for the reference. */
#ifndef GPU_WORKER_JOB_BUFFERS_H
#define GPU_WORKER_JOB_BUFFERS_H

#include "gpu/backends/gpu_runtime.h"
#include "gpu/protocol/job_record.h"

struct buffers {
	const struct gpu_runtime *rt;
	void *device;
	const struct job *job;
	void *on_device[BUFFERS_MAX];
	void *on_host[BUFFERS_MAX]; /* NULL without buffers_copy_to_host */
	/* How far from the host's, tolerated or not: components, and units in the last place. */
	struct {
		size_t unequal;
		double ulp;
	} difference[BUFFERS_MAX];
	bool compared;
};

/* Allocates on the device, not filled. False when memory runs out; buffers_free is right either way. */
bool buffers_alloc(struct buffers *b, const struct gpu_runtime *rt, void *device, const struct job *j, struct err *e);
bool buffers_fill(struct buffers *b, struct err *e);
/* What the device holds after buffers_fill, on the host. False when the host has not the memory. */
bool buffers_copy_to_host(struct buffers *b);
/* Compares the device's with the host's, and sets `difference`. *differences is 0 when they agree, and `text` then
 * names the worst difference that was tolerated ("" when all are equal); otherwise it names the first one that was not.
 */
bool buffers_compare(struct buffers *b, size_t *differences, char *text, size_t size, struct err *e);
void buffers_free(struct buffers *b);
/* Fills `bytes` at `to` as the buffer's elements from byte `from` on. */
void buffer_fill_bytes(const struct job_buffer *b, void *to, size_t from, size_t bytes);

/* kernelParams for the kernel (host false) or the reference. `vector` and `room` hold KERNEL_ARGS_MAX each. */
void buffers_build_args(struct buffers *b, bool host, void **vector, void **room);

#endif
