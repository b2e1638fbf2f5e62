/* What the kernels with faults have in common. KERNEL(name) defines two kernels with one body: `name` with the fault,
 * where RIGHT is false, and `name_ok` without it. The line that has to be reported has a comment "FAULT name"; of two
 * sides either may be. Results go to out[I], one element for each work-item, so that work-items of twins do not meet
 * there. */
#ifndef TESTS_SOFTGPU_FAULTS_FAULTS_H
#define TESTS_SOFTGPU_FAULTS_FAULTS_H

#include <stdint.h>

#define DEVICE static inline __attribute__((device))
#define GLOBAL extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 256)))
#define SHARED static __attribute__((shared))
#define ITEM   __builtin_amdgcn_workitem_id_x()
#define I      (__builtin_amdgcn_workgroup_id_x() * SIZE + ITEM)
enum { SIZE = 256 };

/* out, in: n elements; the host has written `in` and `out`. fresh: 1,024 elements that were never written. freed:
 * memory that was freed. host: memory of the host. */
#define PARAMETERS uint32_t *out, uint32_t n, const uint32_t *in, uint32_t *fresh, uint32_t *freed, uint32_t *host
#define KERNEL(name)                                                \
	template <bool RIGHT> DEVICE void name##_body(PARAMETERS);  \
	GLOBAL void name(PARAMETERS)                                \
	{                                                           \
		name##_body<false>(out, n, in, fresh, freed, host); \
	}                                                           \
	GLOBAL void name##_ok(PARAMETERS)                           \
	{                                                           \
		name##_body<true>(out, n, in, fresh, freed, host);  \
	}                                                           \
	template <bool RIGHT> DEVICE void name##_body(PARAMETERS)

DEVICE void barrier()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* A result of the work-item. */
DEVICE void keep(uint32_t *out, uint32_t n, uint32_t value)
{
	if (I < n)
		out[I] = value;
}

#endif
