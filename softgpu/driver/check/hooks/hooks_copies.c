/* Interposed functions of HIP that copy without waiting. Those that wait are in interpose/hooks_wait.c. */
#include <stdint.h>

#include "softgpu/driver/check/copied_memory.h"
#include "softgpu/driver/interpose/interpose.h"

/* In one piece: to, from, bytes, and of some the kind and a stream. */
typedef int copy_fn(uint64_t to, uint64_t from, uint64_t bytes, uint64_t d, uint64_t e);
#define COPY(name, kind)                                                                            \
	EXPORT copy_fn name;                                                                        \
	int name(uint64_t to, uint64_t from, uint64_t bytes, uint64_t d, uint64_t e)                \
	{                                                                                           \
		const int status = RUNTIME_FUNCTION(name)(to, from, bytes, d, e);                   \
                                                                                                    \
		copied_memory_note(status, kind, &(struct copied_rows){to, from, bytes, bytes, 1}); \
		return status;                                                                      \
	}
COPY(hipMemcpyAsync, d)
COPY(hipMemcpyHtoDAsync, HOST_TO_DEVICE)

typedef int copy_2d_fn(uint64_t to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width,
	uint64_t height, uint64_t kind, uint64_t stream);
EXPORT copy_2d_fn hipMemcpy2DAsync;
int hipMemcpy2DAsync(uint64_t to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width,
	uint64_t height, uint64_t kind, uint64_t stream)
{
	const int status =
		RUNTIME_FUNCTION(hipMemcpy2DAsync)(to, to_pitch, from, from_pitch, width, height, kind, stream);

	copied_memory_note(status, kind, &(struct copied_rows){to, from, to_pitch, width, height});
	return status;
}
