#include "kernels/code_object.h"
#include "kernels/target.h"

enum { WORKGROUPS_PER_CU = 16 /* of more than one wave: barrier resources; AMD OpenCL Optimization Guide */ };

static unsigned round_up(unsigned n, unsigned to) { return (n + to - 1) / to * to; }

static void limit(struct kernel_info *k, unsigned waves, const char *by)
{
	if (waves < k->waves_per_simd) {
		k->waves_per_simd = waves;
		k->limited_by = by;
	}
}

/* Waves on the fullest SIMD when `groups` workgroups are resident. */
static unsigned spread(unsigned groups, unsigned group_waves, unsigned simds)
{
	return (groups * group_waves + simds - 1) / simds;
}

/* A workgroup is resident whole or not at all: what does not fill another one stays empty. */
static unsigned whole_groups(unsigned waves, unsigned group_waves, unsigned simds)
{
	unsigned groups = waves * simds / group_waves;
	return spread(groups, group_waves, simds);
}

void kernel_occupancy(struct kernel_info *k, unsigned block_threads)
{
	unsigned wave = k->wave_size ? k->wave_size : 64;
	struct target_limits t = target_limits(k->arch, wave);
	unsigned group_waves = block_threads ? (block_threads + wave - 1) / wave : 1;

	k->waves_per_simd = whole_groups(t.wave_slots, group_waves, t.simds);
	k->limited_by = "wave slots";
	if (group_waves > 1)
		limit(k, spread(WORKGROUPS_PER_CU, group_waves, t.simds), "workgroup slots");
	if (k->vgprs)
		limit(k, whole_groups(t.vgprs / round_up(k->vgprs, t.vgpr_granule), group_waves, t.simds), "VGPRs");
	if (t.sgprs && k->sgprs)
		limit(k, whole_groups(t.sgprs / round_up(k->sgprs, 16), group_waves, t.simds), "SGPRs");
	if (k->lds_bytes)
		limit(k, spread(t.lds_bytes / round_up(k->lds_bytes, t.lds_granule), group_waves, t.simds), "LDS");
}
