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
/* Compares the device buffers with the host copies and sets `difference`. If they agree within the tolerance,
 * *differences is 0 and `text` describes the largest difference ("" if all are equal); otherwise `text` describes the
 * first difference outside the tolerance. */
bool buffers_compare(struct buffers *b, size_t *differences, char *text, size_t size, struct err *e);
/* A hash of what is in all of them. */
bool buffers_digest(struct buffers *b, uint64_t *digest, struct err *e);
void buffers_free(struct buffers *b);
/* Fills `bytes` bytes at `to` with the content of the buffer from byte `from` on. */
void buffer_fill_bytes(const struct job_buffer *b, void *to, size_t from, size_t bytes);

/* The arguments for the kernel (`host` false) or the reference, as kernelParams. `vector` and `room` have
 * KERNEL_ARGS_MAX elements each; `room` stores the pointers. */
void buffers_build_args(struct buffers *b, bool host, void **vector, void **room);

#endif
