#include "softgpu/driver/queues/blit_kernels.h"

#include <string.h>

#include "base/min_max.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/code/kernel_arguments.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* --- arguments: those of BlitLinearSourceCode in ROCclr's device/blitcl.cpp --- */
static const struct kernel_argument fill_list[] = {{"bufUChar", 0, 8}, {"bufUShort", 8, 8}, {"bufUInt", 16, 8},
	{"bufULong", 24, 8}, {"pattern", 32, 8}, {"patternSize", 40, 4}, {"offset", 48, 8}, {"size", 56, 8}};
static const struct kernel_argument fill_2d_list[] = {{"bufUChar", 0, 8}, {"bufUShort", 8, 8}, {"bufUInt", 16, 8},
	{"bufULong", 24, 8}, {"pattern", 32, 8}, {"patternSize", 40, 4}, {"offset", 48, 8}, {"width", 56, 8},
	{"height", 64, 8}, {"pitch", 72, 8}};
static const struct kernel_argument copy_list[] = {
	{"srcI", 0, 8}, {"dstI", 8, 8}, {"srcOrigin", 16, 8}, {"dstOrigin", 24, 8}, {"size", 32, 8}, {"remain", 40, 4}};
static const struct kernel_argument rect_list[] = {
	{"src", 0, 8}, {"dst", 8, 8}, {"srcRect", 32, 32}, {"dstRect", 64, 32}, {"size", 96, 32}};

struct fill_arguments {
	uint64_t buffer[4]; /* of elements of 1, 2, 4 and 8 bytes; all but one are NULL */
	uint64_t pattern;
	uint32_t pattern_elements;
	uint64_t offset, size;
	uint64_t height, pitch; /* in two dimensions */
};
struct copy_arguments {
	uint64_t from, to, from_offset, to_offset, size;
	uint32_t remain;
};
struct rect_arguments {
	uint64_t from, to, unused[2];
	struct rect {
		uint64_t pitch, slice, start, unused;
	} from_rect, to_rect;
	uint64_t size[3], item_bytes;
};

/* --- what they do: __amd_fillBufferAligned etc. in ROCm-Device-Libs, opencl/src/misc/amdblit.cl --- */
/* The buffer of the widest elements counts. */
static const uint64_t *buffer_of_fill(const struct fill_arguments *a, uint32_t *element)
{
	for (unsigned k = 4; k-- > 0;)
		if (a->buffer[k] || !k) {
			*element = 1u << k;
			return &a->buffer[k];
		}
	return NULL;
}

static struct bulk_move describe_fill(struct gpu *g, const void *arguments)
{
	const struct fill_arguments *a = arguments;
	uint32_t element;
	const uint64_t start = *buffer_of_fill(a, &element), bytes = (uint64_t)element * a->pattern_elements;
	const void *pattern = gpu_host_pointer(g, a->pattern, bytes, VM_READ);
	struct bulk_move b = {.to = start + a->offset * element, .items = {a->size, 1, 1}};

	if (!bytes || bytes > BULK_MOVE_BYTES || !pattern)
		return b;
	b.bytes = bytes;
	memcpy(b.pattern, pattern, bytes);
	return b;
}

/* In two dimensions, an element is one work-item's, so patterns of several would overlap. */
static struct bulk_move describe_fill_2d(struct gpu *g, const void *arguments)
{
	const struct fill_arguments *a = arguments;
	struct bulk_move b = describe_fill(g, a);

	b.items[1] = a->height;
	if (a->pattern_elements != 1 || __builtin_mul_overflow(a->pitch, b.bytes, &b.to_pitch[0]))
		b.bytes = 0;
	return b;
}

/* Work-items copy a dword each, and the last one the bytes that remain. */
static struct bulk_move describe_copy(struct gpu *g, const void *arguments)
{
	enum { COPIES_BYTES = 8 };
	const struct copy_arguments *a = arguments;
	const bool bytes = a->remain == COPIES_BYTES;

	(void)g;
	return (struct bulk_move){.bytes = bytes ? 1 : 4,
		.copies = true,
		.to = a->to + a->to_offset,
		.from = a->from + a->from_offset,
		.items = {a->size - (bytes || !a->size ? 0 : 1), 1, 1}};
}

/* Positions count in items. */
static struct bulk_move describe_rect_of(const struct rect_arguments *a, uint32_t item)
{
	const struct rect *to = &a->to_rect, *from = &a->from_rect;
	struct bulk_move b = {.bytes = item,
		.copies = true,
		.to = a->to + to->start * item,
		.from = a->from + from->start * item,
		.items = {a->size[0], a->size[1], a->size[2]}};

	if (__builtin_mul_overflow(to->pitch, item, &b.to_pitch[0]) ||
		__builtin_mul_overflow(to->slice, item, &b.to_pitch[1]) ||
		__builtin_mul_overflow(from->pitch, item, &b.from_pitch[0]) ||
		__builtin_mul_overflow(from->slice, item, &b.from_pitch[1]))
		b.bytes = 0;
	return b;
}

static struct bulk_move describe_rect(struct gpu *g, const void *arguments)
{
	(void)g;
	return describe_rect_of(arguments, 1);
}

static struct bulk_move describe_aligned_rect(struct gpu *g, const void *arguments)
{
	const struct rect_arguments *a = arguments;

	(void)g;
	return describe_rect_of(a, a->item_bytes == 16 ? 16 : 4);
}

/* --- recognition --- */
static const struct blit_kernel {
	const char *name;
	const struct kernel_argument *list;
	size_t count, bytes;
	struct bulk_move (*describe)(struct gpu *g, const void *arguments);
} blit_kernels[] = {
	{"__amd_rocclr_fillBufferAligned", fill_list, COUNT_OF(fill_list), 64, describe_fill},
	{"__amd_rocclr_fillBufferAligned2D", fill_2d_list, COUNT_OF(fill_2d_list), 80, describe_fill_2d},
	{"__amd_rocclr_copyBuffer", copy_list, COUNT_OF(copy_list), 44, describe_copy},
	{"__amd_rocclr_copyBufferRect", rect_list, COUNT_OF(rect_list), 128, describe_rect},
	{"__amd_rocclr_copyBufferRectAligned", rect_list, COUNT_OF(rect_list), 128, describe_aligned_rect},
};

static const struct blit_kernel *find_blit_kernel(const char *name)
{
	for (size_t k = 0; k < COUNT_OF(blit_kernels); k++)
		if (!strcmp(name, blit_kernels[k].name))
			return &blit_kernels[k];
	return NULL;
}

/* Work-items outside of the grid do not exist. */
static void limit_to_grid(struct bulk_move *b, const struct dispatch *what)
{
	for (unsigned k = 0; k < 3; k++)
		b->items[k] = min_u64(b->items[k], what->grid[k]);
}

struct bulk_move blit_kernel_describe(struct softgpu_device *d, const struct dispatch *what, const char *name)
{
	union {
		struct fill_arguments fill;
		struct copy_arguments copy;
		struct rect_arguments rect;
	} arguments = {0};
	const struct blit_kernel *k = find_blit_kernel(name);
	const void *segment = k ? gpu_host_pointer(d->gpu, what->kernarg, k->bytes, VM_READ) : NULL;
	struct bulk_move b = {0};

	_Static_assert(sizeof(struct fill_arguments) == 80 && sizeof(struct rect_arguments) == 128, "as in the lists");
	if (!segment || !kernel_arguments_are(d, what->kernel_object, name, k->list, k->count))
		return b;
	memcpy(&arguments, segment, k->bytes);
	b = k->describe(d->gpu, &arguments);
	limit_to_grid(&b, what);
	return b;
}
