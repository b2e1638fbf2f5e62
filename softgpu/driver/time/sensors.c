#include "softgpu/driver/time/sensors.h"

#include <string.h>

#include "softgpu/core/model_config.h"
#include "softgpu/core/timing/core_clock.h"
#include "softgpu/driver/probe/bounded_buffers.h"
#include "softgpu/driver/probe/last_launch.h"
#include "softgpu/driver/time/utilization.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"

#define PER_MILLE 1000

/* Share of the last launch's cycles in which the vector ALUs worked, per mille. The same value throttles the core
 * clock. */
static int64_t valu_activity(const struct model *m, const struct launch_result *r)
{
	uint64_t limit = sclk_valu_limit(m, r->cycles);

	return limit ? (int64_t)((double)r->valu_cycles / (double)limit * PER_MILLE) : 0;
}

/* Share of the last launch's time that the memory channels needed for its traffic, per mille. */
static int64_t memory_utilization(const struct model *m, const struct finished_launch *l)
{
	double kb = 0, seconds = (double)l->result.ps * 1e-12, share;

	for (size_t i = 0; i < l->counter_count; i++)
		if (!strcmp(l->counters[i].name, "FETCH_SIZE") || !strcmp(l->counters[i].name, "WRITE_SIZE"))
			kb += (double)l->counters[i].value;
	share = seconds > 0 ? kb * 1024 / (seconds * (double)m->dram_mbps * 1e6) : 0;
	return share >= 1 ? PER_MILLE : (int64_t)(share * PER_MILLE);
}

static int64_t interpolate_load(int64_t low, int64_t high, int64_t per_mille)
{
	return low + (high - low) * per_mille / PER_MILLE;
}

/* The core clock is the mean over the last launch: it stays at the top level but drops under load. The junction is
 * warmer than the edge by 1 °C and a tenth of the rise above idle, and the memory cooler by a twentieth of the rise, as
 * on a board under load. */
struct sensor_readings sensors_read(unsigned gpu)
{
	const struct model *m = machine_model(gpu);
	const struct softgpu_device *d = device_at(gpu);
	struct finished_launch last;
	bool any = last_launch_get(gpu, &last);
	const struct launch_result *r = any ? &last.result : &(struct launch_result){0};
	int64_t active = valu_activity(m, r), above_idle;
	struct kfd_memory_usage use = d ? kfd_memory_usage(d) : (struct kfd_memory_usage){0};
	struct sensor_readings t = {
		.edge_mc = interpolate_load(m->temperature_idle_mc, m->temperature_load_mc, active),
		.power_uw = interpolate_load(m->power_idle_mw, m->power_load_mw, active) * 1000,
		.busy_percent = utilization_percent(gpu),
		.memory_busy_percent = utilization_percent(gpu) * memory_utilization(m, &last) / PER_MILLE,
		.sclk_khz = (int64_t)sclk_mean_khz(m, r->cycles, r->valu_cycles),
		.mclk_khz = m->mclk_khz,
		.vram_total = use.vram_total ? use.vram_total : (uint64_t)m->memory_bytes,
		.vram_used = use.vram,
		.gtt_used = use.gtt,
	};

	above_idle = t.edge_mc - m->temperature_idle_mc;
	t.junction_mc = t.edge_mc + 1000 + above_idle / 10;
	t.memory_mc = t.edge_mc - above_idle / 20;
	return t;
}

void sensors_reset_in_child(void)
{
	last_launch_reset_in_child();
	bounded_buffers_reset_in_child();
	utilization_reset_in_child();
}
