// Allocates and frees device memory, with the runtime below HIP, whose frees wait for no kernel, while one runs.
#include <hip/hip_runtime.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <cstdio>

/* The second flag says that it runs. */
static __global__ void wait_for(int *flag)
{
	__atomic_store_n(flag + 1, 1, __ATOMIC_RELAXED);
	while (!__atomic_load_n(flag, __ATOMIC_RELAXED))
		;
}

static hsa_status_t find_gpu(hsa_agent_t agent, void *out)
{
	hsa_device_type_t type;

	hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
	if (type != HSA_DEVICE_TYPE_GPU)
		return HSA_STATUS_SUCCESS;
	*static_cast<hsa_agent_t *>(out) = agent;
	return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t take_first(hsa_amd_memory_pool_t pool, void *out)
{
	*static_cast<hsa_amd_memory_pool_t *>(out) = pool;
	return HSA_STATUS_INFO_BREAK;
}

int main()
{
	const size_t bytes = 48 << 20;
	hsa_agent_t gpu;
	hsa_amd_memory_pool_t pool;
	int *flag;

	if (hipHostMalloc(reinterpret_cast<void **>(&flag), 2 * sizeof *flag, 0) ||
		hsa_iterate_agents(find_gpu, &gpu) != HSA_STATUS_INFO_BREAK ||
		hsa_amd_agent_iterate_memory_pools(gpu, take_first, &pool) != HSA_STATUS_INFO_BREAK)
		return 1;
	flag[0] = flag[1] = 0;
	hipLaunchKernelGGL(wait_for, dim3(64), dim3(64), 0, 0, flag);
	while (!__atomic_load_n(flag + 1, __ATOMIC_RELAXED))
		;
	for (int k = 0; k < 40; k++) {
		void *p;
		if (hsa_amd_memory_pool_allocate(pool, bytes, 0, &p) || hsa_amd_memory_pool_free(p))
			return 2;
	}
	__atomic_store_n(flag, 1, __ATOMIC_RELAXED);
	return hipDeviceSynchronize() != hipSuccess;
}
