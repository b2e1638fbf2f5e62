// A pointer chase through lines in random order: each line holds the byte offset of the next one to read, so a read is
// one load whose address is the previous load's value. Unrolled, because the branch of a loop would add to each read.
// The work-item's index is the first offset's address: from a uniform one the compiler would load through the scalar
// cache.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

enum { READS = 64 /* per trip */ };

/* `reads` is a multiple of READS. */
extern "C" __global__ void chase_shuffled(const int *buf, unsigned, unsigned reads, int *out)
{
	unsigned tid = threadIdx.x, at = buf[tid];
#pragma unroll 1
	for (unsigned i = 0; i < reads; i += READS) {
#pragma unroll
		for (int k = 0; k < READS; k++)
			at = *(const unsigned *)((const char *)buf + at);
	}
	out[tid] = at;
}
