#include <stdint.h>
#define HERE static __attribute__((device)) inline
#include "program.h"

#define GLOBAL extern "C" __attribute__((global))

GLOBAL void program(uint32_t *out, uint32_t seed)
{
	uint32_t i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
	out[i] = everything(i * 2246822519u + seed, i ^ seed * 374761393u);
}

/* Many workgroups count into few cells; within one, a tree in LDS with barriers. */
GLOBAL void histogram(uint32_t *out, uint32_t bins)
{
	static __attribute__((shared)) uint32_t tree[256];
	uint32_t t = __builtin_amdgcn_workitem_id_x(), i = __builtin_amdgcn_workgroup_id_x() * 256 + t;

	__atomic_fetch_add(&out[i * 2654435761u % bins], 1, __ATOMIC_RELAXED);
	tree[t] = i;
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	for (uint32_t k = 128; k; k >>= 1) {
		if (t < k)
			tree[t] += tree[t + k];
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
		__builtin_amdgcn_s_barrier();
	}
	if (!t)
		__atomic_fetch_add(&out[bins], tree[0], __ATOMIC_RELAXED);
}
