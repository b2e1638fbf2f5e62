/* Each work-item of a wave runs the linked program and stores its checksum. */
extern "C" __attribute__((device)) unsigned csmith_run(unsigned lane);

extern "C" __attribute__((global)) void run(unsigned *out)
{
	unsigned lane = __builtin_amdgcn_workitem_id_x();

	out[lane] = csmith_run(lane);
}
