/* The buffers of a point: on the device, and as host copies for the reference. */
#ifndef GPU_WORKER_BUFFERS_JOB_BUFFERS_H
#define GPU_WORKER_BUFFERS_JOB_BUFFERS_H

#include "gpu/backends/gpu_runtime.h"
#include "gpu/protocol/job_record.h"

struct buffers {
	const struct gpu_runtime *rt;
	void *device;
	const struct job *job;
	void *on_device[BUFFERS_MAX];
	void *in_kernel[BUFFERS_MAX]; /* the address for kernels; on a software GPU it reaches only the buffer's bytes
	                               */
	void *on_host[BUFFERS_MAX];   /* NULL until buffers_copy_to_host */
	/* Differences from the host copies, within the tolerance or not: number of components, units in the last place.
	 */
	struct {
		size_t unequal;
		double ulp;
	} difference[BUFFERS_MAX];
	bool compared;
};

/* Allocates on the device, without filling. False if out of memory; call buffers_free in any case. */
bool buffers_alloc(struct buffers *b, const struct gpu_runtime *rt, void *device, const struct job *j, struct err *e);
bool buffers_fill(struct buffers *b, struct err *e);
/* Makes host copies with the content after buffers_fill. False if the host is out of memory. */
bool buffers_copy_to_host(struct buffers *b);
/* Puts the device's addresses into host copies that had offsets for the reference, unless a kernel writes there. */
void buffers_expect_addresses(struct buffers *b);
/* Replaces the content of host copies by that on the device, where a kernel writes. */
bool buffers_read_to_host(struct buffers *b, struct err *e);
/* Moves the host copies to the buffers of the same job, or of one with the same buffers, which have none. */
void buffers_take_host(struct buffers *to, struct buffers *from);
void buffers_release_device(struct buffers *b); /* keeps the host copies; buffers_free is still needed */
/* A hash of what is in all of them. */
bool buffers_digest(struct buffers *b, uint64_t *digest, struct err *e);
void buffers_free(struct buffers *b);
/* Staging memory for a chunk of the largest buffer. Kept between points to avoid the page faults of new memory. */
enum { BUFFERS_CHUNK = 16 << 20 };
void *buffers_chunk(const struct job *j);
/* Fills `bytes` bytes at `to` with the content of the buffer from byte `from` on. */
void buffer_fill_bytes(const struct job_buffer *b, void *to, size_t from, size_t bytes);

/* The arguments for the kernel (`host` false) or the reference, as kernelParams. `vector` and `room` have
 * KERNEL_ARGS_MAX elements each; `room` stores the pointers. */
void buffers_build_args(struct buffers *b, bool host, void **vector, void **room);

#endif
