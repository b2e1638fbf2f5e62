/* Interposed functions of HIP that copy without waiting. Those that wait are in interpose/hooks_wait.c. */
#include <stdint.h>

#include "softgpu/driver/check/copied_memory.h"
#include "softgpu/driver/interpose/interpose.h"

/* In one piece: to, from, bytes, and of some the kind and a stream. */
typedef int copy_fn(uint64_t to, uint64_t from, uint64_t bytes, uint64_t d, uint64_t e);
#define COPY(name, kind)                                                             \
	EXPORT copy_fn name;                                                         \
	int name(uint64_t to, uint64_t from, uint64_t bytes, uint64_t d, uint64_t e) \
	{                                                                            \
		const struct copied_rows rows = {to, from, bytes, bytes, bytes, 1};  \
                                                                                     \
		copied_memory_expect_read(kind, &rows);                              \
		const int status = RUNTIME_FUNCTION(name)(to, from, bytes, d, e);    \
		copied_memory_note(status, kind, &rows);                             \
		return status;                                                       \
	}
COPY(hipMemcpyAsync, d)
COPY(hipMemcpyHtoDAsync, HOST_TO_DEVICE)
COPY(hipMemcpyDtoHAsync, DEVICE_TO_HOST)

typedef int copy_2d_fn(uint64_t to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width,
	uint64_t height, uint64_t kind, uint64_t stream);
EXPORT copy_2d_fn hipMemcpy2DAsync;
int hipMemcpy2DAsync(uint64_t to, uint64_t to_pitch, uint64_t from, uint64_t from_pitch, uint64_t width,
	uint64_t height, uint64_t kind, uint64_t stream)
{
	const struct copied_rows rows = {to, from, to_pitch, from_pitch, width, height};

	copied_memory_expect_read(kind, &rows);
	const int status =
		RUNTIME_FUNCTION(hipMemcpy2DAsync)(to, to_pitch, from, from_pitch, width, height, kind, stream);
	copied_memory_note(status, kind, &rows);
	return status;
}

/* --- boxes --- */
struct copied_place { /* of HIP's hipMemcpy3DParms */
	uint64_t array, x, y, z;
	uint64_t memory, pitch, width, height; /* hipPitchedPtr */
};
struct copied_box {
	struct copied_place from, to;
	uint64_t width, height, depth;
	uint32_t kind;
};
typedef int copy_3d_fn(const struct copied_box *);
typedef int copy_3d_async_fn(const struct copied_box *, void *stream);
EXPORT copy_3d_fn hipMemcpy3D;
EXPORT copy_3d_async_fn hipMemcpy3DAsync;

static uint64_t slice_address(const struct copied_place *p, uint64_t z)
{
	return p->memory + p->x + p->pitch * (p->y + p->height * (p->z + z));
}

/* The rows of a slice; none of an array. */
static struct copied_rows slice_rows(const struct copied_box *b, uint64_t z)
{
	return (struct copied_rows){slice_address(&b->to, z), slice_address(&b->from, z), b->to.pitch, b->from.pitch,
		b->width, b->from.array || b->to.array ? 0 : b->height};
}

int hipMemcpy3D(const struct copied_box *b)
{
	const int status = RUNTIME_FUNCTION(hipMemcpy3D)(b);

	for (uint64_t z = 0; !status && z < b->depth; z++) {
		const struct copied_rows rows = slice_rows(b, z);
		copied_memory_note_read(status, b->kind, &rows);
	}
	return status;
}

int hipMemcpy3DAsync(const struct copied_box *b, void *stream)
{
	for (uint64_t z = 0; b && z < b->depth; z++) {
		const struct copied_rows rows = slice_rows(b, z);
		copied_memory_expect_read(b->kind, &rows);
	}
	return RUNTIME_FUNCTION(hipMemcpy3DAsync)(b, stream);
}
