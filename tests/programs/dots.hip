/* Instructions added in gfx906 and gfx908: dot products of small numbers, and float atomics without a return value. gfx11
 * has the dot products of bytes and of 4 bits with a sign for each factor, and none of 16-bit integers. */
#define GLOBAL extern "C" __attribute__((global))
#define INDEX (__builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x())
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
typedef short short2 __attribute__((ext_vector_type(2)));
typedef unsigned short ushort2 __attribute__((ext_vector_type(2)));

#define DOT(name, type, builtin, clamp) \
GLOBAL void name(const type *a, const type *b, const int *c, int *out) \
{ \
	out[INDEX] = __builtin_amdgcn_##builtin(a[INDEX], b[INDEX], c[INDEX], clamp); \
}

#define SIGNED_DOT(name, builtin, clamp) \
GLOBAL void name(const int *a, const int *b, const int *c, int *out) \
{ \
	out[INDEX] = __builtin_amdgcn_##builtin(true, a[INDEX], true, b[INDEX], c[INDEX], clamp); \
}

#ifndef __gfx900__
#ifdef __gfx1100__
SIGNED_DOT(sdot4, sudot4, false)
SIGNED_DOT(sdot4_clamp, sudot4, true)
SIGNED_DOT(sdot8, sudot8, false)
SIGNED_DOT(sdot8_clamp, sudot8, true)
#else
DOT(sdot4, int, sdot4, false)
DOT(sdot4_clamp, int, sdot4, true)
DOT(sdot8, int, sdot8, false)
DOT(sdot8_clamp, int, sdot8, true)
DOT(sdot2, short2, sdot2, false)
DOT(sdot2_clamp, short2, sdot2, true)
DOT(udot2, ushort2, udot2, false)
DOT(udot2_clamp, ushort2, udot2, true)
#endif
DOT(udot4, unsigned, udot4, false)
DOT(udot4_clamp, unsigned, udot4, true)
DOT(udot8, unsigned, udot8, false)
DOT(udot8_clamp, unsigned, udot8, true)

/* A matrix product of halves, summed in floats; exact, because the inputs are small integers. b is column-major. */
GLOBAL void half_product(const half2 *a, const half2 *b, float *c, int n, int k)
{
	int i = INDEX, row = i / n, col = i % n;
	float sum = 0;

	for (int p = 0; p < k / 2; p++)
		sum = __builtin_amdgcn_fdot2(a[row * (k / 2) + p], b[col * (k / 2) + p], sum, false);
	c[i] = sum;
}

/* The same for bytes, with the sum written out, so that the compiler selects the instruction; clang 15 crashes over it for
 * gfx1100. */
GLOBAL void byte_product(const signed char *a, const signed char *b, int *c, int n, int k)
{
	int i = INDEX, row = i / n, col = i % n, sum = 0;

	for (int p = 0; p < k; p += 4)
#ifdef __gfx1100__
		sum = __builtin_amdgcn_sudot4(true, *(const int *)&a[row * k + p], true, *(const int *)&b[col * k + p], sum, false);
#else
		sum = a[row * k + p] * b[col * k + p] + a[row * k + p + 1] * b[col * k + p + 1] + a[row * k + p + 2] * b[col * k + p + 2] +
			a[row * k + p + 3] * b[col * k + p + 3] + sum;
#endif
	c[i] = sum;
}
#endif

#ifdef __gfx908__
/* Float atomic sums of small integers: exact in any order. Compiled with -munsafe-fp-atomics. */
GLOBAL void float_sums(const int *in, float *sum, half2 *pair)
{
	int v = in[INDEX] % 16;

	__hip_atomic_fetch_add((__attribute__((address_space(1))) float *)&sum[v % 5], (float)v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
	asm volatile("global_atomic_pk_add_f16 %0, %1, off" : : "v"(&pair[v % 3]), "v"((half2){ (_Float16)(v & 1), (_Float16)(v & 2) }) : "memory");
}
#endif
