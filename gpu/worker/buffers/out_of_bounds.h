/* Describes an access of a kernel outside of its buffers, which ended the launch. Software GPUs report them. */
#ifndef GPU_WORKER_BUFFERS_OUT_OF_BOUNDS_H
#define GPU_WORKER_BUFFERS_OUT_OF_BOUNDS_H

#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/buffers/job_buffers.h"
#include "gpu/worker/loaded_kernel.h"

/* Sets `e` to "copy.hip:6 writes 4 bytes at to[16]; buffer to has 16 elements (workgroup 0, work-item 16)". Returns
 * false. */
bool out_of_bounds_set_error(
	const struct softgpu_out_of_bounds *s, const struct buffers *b, const struct loaded_kernel *k, struct err *e);

#endif
