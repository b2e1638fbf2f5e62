/* Kernels for queue_ends_hip.cpp. */
#define GLOBAL extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64)))

GLOBAL void never_ends(volatile int *started)
{
	*started = 1;
	while (1)
		__builtin_amdgcn_s_sleep(1);
}

/* Each workgroup counts after a while. */
GLOBAL void counts(int *count)
{
	for (int k = 0; k < 200; k++)
		__builtin_amdgcn_s_sleep(16);
	if (__builtin_amdgcn_workitem_id_x() == 0)
		__atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}
