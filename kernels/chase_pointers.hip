// A pointer chase through lines in random order, as chase_shuffled.hip, but each line holds the address of the next one to
// read: a read is one load on GPUs whose loads add no offset to a base, too. gpu-benches' gpu-latency does the same.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

/* A load of global memory: which memory an address that was read belongs to, the compiler cannot know. */
static __device__ __forceinline__ const char *address_at(const char *at)
{
#if defined(__clang__)
	return *(const char *const __attribute__((address_space(1))) *)at;
#else
	const char *next;
	asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(at));
	return next;
#endif
}

enum { READS = 64 /* per trip */ };

/* `reads` is a multiple of READS. The result is the offset of the last line, since the reference has other addresses. */
extern "C" __global__ void chase_pointers(const int *buf, unsigned, unsigned reads, int *out)
{
	unsigned tid = threadIdx.x;
	const char *at = ((const char *const *)buf)[tid];
#pragma unroll 1
	for (unsigned i = 0; i < reads; i += READS) {
#pragma unroll
		for (int k = 0; k < READS; k++)
			at = address_at(at);
	}
	out[tid] = (int)(at - (const char *)buf);
}
