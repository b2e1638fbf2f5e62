#include "softgpu/core/timing/core_clock.h"

#include "softgpu/core/state/machine.h"
#include "softgpu/core/model_config.h"

#define MILLION   UINT64_C(1000000)
#define PS_PER_MS UINT64_C(1000000000)

typedef unsigned __int128 wide;

static uint64_t divide_rounded(wide a, wide b)
{
	return (uint64_t)((a + b / 2) / b);
}

/* The idle clock in kHz / 10^6, exact. */
static uint64_t idle_clock_scaled(const struct model *m)
{
	return (uint64_t)m->sclk_khz * (MILLION + (uint64_t)m->sclk_light_ppm);
}

uint64_t sclk_idle_khz(const struct model *m)
{
	return divide_rounded(idle_clock_scaled(m), MILLION);
}

cycle_t sclk_idle_cycles(const struct model *m, ns_t ns)
{
	return divide_rounded((wide)ns * idle_clock_scaled(m), MILLION * MILLION);
}

cycle_t sclk_valu_limit(const struct model *m, cycle_t cycles)
{
	return cycles * (uint64_t)m->compute_units * SIMDS;
}

/* The launch's duration in idle-clock cycles, times sclk_valu_limit(m, 1) and a million. */
static wide duration_scaled(const struct model *m, cycle_t cycles, cycle_t valu_cycles)
{
	return (wide)sclk_valu_limit(m, cycles) * MILLION + (wide)valu_cycles * (uint64_t)m->sclk_stretch_ppm;
}

uint64_t sclk_cycles_to_ps(const struct model *m, cycle_t cycles, cycle_t valu_cycles)
{
	return divide_rounded(duration_scaled(m, cycles, valu_cycles) * PS_PER_MS,
		(wide)sclk_valu_limit(m, 1) * idle_clock_scaled(m));
}

cycle_t sclk_cycles_within(const struct model *m, uint64_t ps)
{
	const wide slowest = (wide)(MILLION + (uint64_t)m->sclk_stretch_ppm) * PS_PER_MS;

	return (uint64_t)((wide)ps * idle_clock_scaled(m) / slowest);
}

uint64_t sclk_mean_khz(const struct model *m, cycle_t cycles, cycle_t valu_cycles)
{
	if (!cycles)
		return sclk_idle_khz(m);
	return divide_rounded(
		(wide)sclk_valu_limit(m, cycles) * idle_clock_scaled(m), duration_scaled(m, cycles, valu_cycles));
}
