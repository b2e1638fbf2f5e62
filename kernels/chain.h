// What kernels share that time one operation after the other. A chain that fed the result to the next operation would leave the operands' range (log) or
// stop at a fixed point (a quotient at 0), and a compiler may fold a chain of one operator into one. Here every operation has the same operand x, and
// waits for the last result r nevertheless: x | r & mask, where the mask is 0 and only the caller of the kernel knows. One v_and_or_b32 on gfx9.
#ifndef KERNELS_CHAIN_H
#define KERNELS_CHAIN_H

template <typename To, typename From> static inline __device__ To bits_of(From v)
{
	static_assert(sizeof(To) == sizeof(From), "of the same size");
	return __builtin_bit_cast(To, v);
}

// Nothing is known of it any more: operations before and behind are not folded into one. Costs no instruction.
template <typename T> static inline __device__ T opaque(T v)
{
#if defined(__AMDGCN__)
	asm volatile("" : "+v"(v));
#endif
	return v;
}

static inline __device__ unsigned after(unsigned x, unsigned r, unsigned mask) { return x | (r & mask); }
static inline __device__ int after(int x, int r, unsigned mask) { return (int)after((unsigned)x, (unsigned)r, mask); }
static inline __device__ float after(float x, float r, unsigned mask)
{
	return bits_of<float>(after(bits_of<unsigned>(x), bits_of<unsigned>(r), mask));
}

static inline __device__ _Float16 after(_Float16 x, _Float16 r, unsigned mask)
{
	return bits_of<_Float16>((unsigned short)after((unsigned)bits_of<unsigned short>(x), (unsigned)bits_of<unsigned short>(r), mask));
}

// The upper half waits, which is enough: nothing can be known of the result without it.
static inline __device__ unsigned long long after(unsigned long long x, unsigned long long r, unsigned mask)
{
	unsigned upper = after((unsigned)(x >> 32), (unsigned)(r >> 32), mask);
	return (unsigned long long)upper << 32 | (unsigned)x;
}

static inline __device__ double after(double x, double r, unsigned mask)
{
	return bits_of<double>(after(bits_of<unsigned long long>(x), bits_of<unsigned long long>(r), mask));
}

#endif
