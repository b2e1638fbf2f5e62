/* Kernels on typed buffers, with descriptors as arguments: pixels are read and written by format. */
#include <stdint.h>

typedef int32_t descriptor __attribute__((ext_vector_type(4)));
typedef float pixel __attribute__((ext_vector_type(4)));
typedef _Float16 half_pixel __attribute__((ext_vector_type(4)));

#define GLOBAL extern "C" __attribute__((global))
#define DEVICE extern __attribute__((device))

/* 16_16_16_16_FLOAT, in the instruction. */
#if __AMDGCN_WAVEFRONT_SIZE == 64
#define HALVES (12 | 7 << 4)
#else
#define HALVES 57
#endif

/* Arguments: descriptor, index, offset, scalar offset, cache bits. */
DEVICE pixel load_pixel(descriptor, int, int, int, int) __asm("llvm.amdgcn.struct.buffer.load.format.v4f32");
DEVICE void store_pixel(pixel, descriptor, int, int, int, int) __asm("llvm.amdgcn.struct.buffer.store.format.v4f32");
DEVICE _Float16 load_half(descriptor, int, int, int, int) __asm("llvm.amdgcn.struct.buffer.load.format.f16");
/* The format comes before the cache bits. */
DEVICE half_pixel load_halves(descriptor, int, int, int, int, int) __asm("llvm.amdgcn.struct.tbuffer.load.v4f16");
DEVICE void store_halves(half_pixel, descriptor, int, int, int, int, int) __asm(
	"llvm.amdgcn.struct.tbuffer.store.v4f16");

__attribute__((device)) static int item()
{
	return (int)(__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x());
}

GLOBAL void brighten(descriptor from, descriptor to, float scale, float bias)
{
	const pixel p = load_pixel(from, item(), 0, 0, 0) * scale + bias;
	store_halves(__builtin_convertvector(p, half_pixel), to, item(), 0, 0, HALVES, 0);
}

GLOBAL void pack(descriptor from, descriptor to)
{
	const half_pixel p = load_halves(from, item(), 0, 0, HALVES, 0);
	store_pixel(__builtin_convertvector(p * (half_pixel)2, pixel), to, item(), 0, 0, 0);
}

/* A half of a register is loaded; the other one may have any value. */
GLOBAL void count_bright(descriptor from, uint32_t *count, uint32_t items)
{
	if ((uint32_t)item() < items && load_half(from, item(), 0, 0, 0) > (_Float16)0.5f)
		__atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}
