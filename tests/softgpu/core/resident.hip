/* Kernels for launches that are resident together: registers, LDS and a barrier, with results that a host can compute.
 */
#include <stdint.h>

#define GLOBAL extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 256)))
#define SHARED static __attribute__((shared))

static __attribute__((device)) inline uint32_t item(void)
{
	return __builtin_amdgcn_workitem_id_x();
}
static __attribute__((device)) inline uint32_t group(void)
{
	return __builtin_amdgcn_workgroup_id_x();
}

static __attribute__((device)) inline void barrier(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* test_resident_launches.c computes the same. */
static __attribute__((device)) inline uint32_t mix(uint32_t x, uint32_t trips)
{
	while (trips--)
		x = (x ^ x >> 15) * 0x2c1b3c6d + 1;
	return x;
}

#define NEIGHBORS(words)                                                      \
	SHARED volatile uint32_t part[words];                                 \
	const uint32_t t = item(), x = mix(group() * size + t + salt, trips); \
	part[t] = x;                                                          \
	part[(words)-1 - t] = x;                                              \
	barrier();                                                            \
	out[group() * size + t] = part[(t + 1) % size] - part[(words)-1 - t];

/* Little LDS; the LDS of a CU has room for two or four workgroups. */
GLOBAL void few(uint32_t *out, uint32_t size, uint32_t trips, uint32_t salt){NEIGHBORS(512)} GLOBAL
	void many(uint32_t *out, uint32_t size, uint32_t trips, uint32_t salt){NEIGHBORS(6144)}

/* 128 registers for each work-item; waits most of the time. */
GLOBAL void wide(uint32_t *out, uint32_t size, uint32_t trips, uint32_t salt)
{
	uint32_t x = group() * size + item() + salt;

	__asm__ volatile("v_mov_b32 v120, 7" ::: "v120", "v127");
	while (trips--) {
		x = mix(x, 1);
		__builtin_amdgcn_s_sleep(2);
	}
	out[group() * size + item()] = x;
}

/* Stores where nothing is mapped, in its last workgroup. */
GLOBAL void faults(uint32_t *out, uint32_t size, uint32_t trips, uint32_t salt)
{
	const uint32_t x = mix(item() + salt, trips);

	if (group() == 40)
		out = (uint32_t *)64;
	out[item()] = x + size;
}

/* An error in its last workgroup, after the others have been busy for a while. */
GLOBAL void traps(uint32_t *out, uint32_t size, uint32_t trips, uint32_t salt)
{
	const uint32_t x = mix(item() + salt, trips);

	if (group() == 40)
		__builtin_trap();
	out[item()] = x + size;
}

/* Keeps its values in scratch. */
GLOBAL void deep(uint32_t *out, uint32_t size, uint32_t trips, uint32_t salt)
{
	volatile uint32_t kept[32];
	const uint32_t at = group() * size + item();

	for (uint32_t k = 0; k < 32; k++)
		kept[k] = k == salt % 32 ? mix(at + salt, trips) : k;
	out[at] = kept[salt % 32];
}
