/* Computes the occupancy of a kernel. */
#include <stdint.h>

#include "base/min_max.h"
#include "kernels/inspect/code_object.h"
#include "kernels/inspect/target_limits.h"

/* How often `n` fits into `total` when it is allocated in whole granules. A damaged code object may ask for any `n`. */
static unsigned count_fitting(unsigned total, unsigned n, unsigned granule)
{
	return (unsigned)(total / (((uint64_t)n + granule - 1) / granule * granule));
}

/* Waves on the fullest SIMD if `groups` workgroups are resident. */
static unsigned waves_on_fullest_simd(unsigned groups, unsigned group_waves, unsigned simds)
{
	return (groups * group_waves + simds - 1) / simds;
}

/* Only complete workgroups are resident. */
static unsigned whole_groups(unsigned waves, unsigned group_waves, unsigned simds)
{
	unsigned groups = waves * simds / group_waves;
	return waves_on_fullest_simd(groups, group_waves, simds);
}

unsigned kernel_list_limits(
	const struct kernel_info *k, unsigned block_threads, struct kernel_limit out[KERNEL_LIMITS_MAX])
{
	unsigned wave = k->wave_size ? k->wave_size : 64, n = 0;
	struct target_limits t = target_limits(k->arch, wave);
	unsigned group_waves = block_threads ? (block_threads - 1) / wave + 1 : 1;

	out[n++] = (struct kernel_limit){"wave slots", whole_groups(t.wave_slots, group_waves, t.simds)};
	if (group_waves > 1 || t.counts_small)
		out[n++] = (struct kernel_limit){
			"workgroup slots", waves_on_fullest_simd(t.workgroups, group_waves, t.simds)};
	if (k->vgprs)
		out[n++] = (struct kernel_limit){
			"VGPRs", whole_groups(count_fitting(t.vgprs, k->vgprs, t.vgpr_granule), group_waves, t.simds)};
	if (t.sgprs && k->sgprs)
		out[n++] = (struct kernel_limit){
			"SGPRs", whole_groups(count_fitting(t.sgprs, k->sgprs, 16), group_waves, t.simds)};
	if (k->lds_bytes)
		out[n++] = (struct kernel_limit){"LDS",
			waves_on_fullest_simd(count_fitting(t.lds_bytes, k->lds_bytes + t.lds_reserved, t.lds_granule),
				group_waves, t.simds)};
	return n;
}

unsigned kernel_waves_per_cu(const struct kernel_info *k, unsigned block_threads)
{
	unsigned wave = k->wave_size ? k->wave_size : 64,
		 group_waves = block_threads ? (block_threads - 1) / wave + 1 : 1;
	struct target_limits t = target_limits(k->arch, wave);
	uint64_t groups = t.wave_slots * t.simds / group_waves;
	if (group_waves > 1 || t.counts_small)
		groups = min_u64(groups, t.workgroups);
	if (k->vgprs)
		groups = min_u64(groups, count_fitting(t.vgprs, k->vgprs, t.vgpr_granule) * t.simds / group_waves);
	if (t.sgprs && k->sgprs)
		groups = min_u64(groups, count_fitting(t.sgprs, k->sgprs, 16) * t.simds / group_waves);
	if (k->lds_bytes)
		groups = min_u64(groups, count_fitting(t.lds_bytes, k->lds_bytes + t.lds_reserved, t.lds_granule));
	return (unsigned)groups * group_waves;
}

void kernel_compute_occupancy(struct kernel_info *k, unsigned block_threads)
{
	struct kernel_limit limits[KERNEL_LIMITS_MAX];
	unsigned n = kernel_list_limits(k, block_threads, limits), least = 0;

	for (unsigned i = 1; i < n; i++)
		if (limits[i].waves < limits[least].waves)
			least = i;
	k->waves_per_simd = limits[least].waves;
	k->limited_by = limits[least].by;
}
