#include "softgpu/core/timing/core_clock.h"

#include "softgpu/core/exec/machine.h"
#include "softgpu/core/model_config.h"

#define MILLION   UINT64_C(1000000)
#define PS_PER_MS UINT64_C(1000000000)

typedef unsigned __int128 wide;

static uint64_t ratio(wide a, wide b)
{
	return (uint64_t)((a + b / 2) / b);
}

/* In kHz / 10^6: the light clock without rounding. */
static uint64_t light(const struct model *m)
{
	return (uint64_t)m->sclk_khz * (MILLION + (uint64_t)m->sclk_light_ppm);
}

uint64_t sclk_idle_khz(const struct model *m)
{
	return ratio(light(m), MILLION);
}

uint64_t sclk_idle_cycles(const struct model *m, uint64_t ns)
{
	return ratio((wide)ns * light(m), MILLION * MILLION);
}

uint64_t sclk_valu_limit(const struct model *m, uint64_t cycles)
{
	return cycles * (uint64_t)m->compute_units * SIMDS;
}

/* Cycles of the light clock that pass meanwhile, times the limit of one cycle and a million. */
static wide stretched(const struct model *m, uint64_t cycles, uint64_t valu_cycles)
{
	return (wide)sclk_valu_limit(m, cycles) * MILLION + (wide)valu_cycles * (uint64_t)m->sclk_stretch_ppm;
}

uint64_t sclk_cycles_to_ps(const struct model *m, uint64_t cycles, uint64_t valu_cycles)
{
	return ratio(stretched(m, cycles, valu_cycles) * PS_PER_MS, (wide)sclk_valu_limit(m, 1) * light(m));
}

uint64_t sclk_mean_khz(const struct model *m, uint64_t cycles, uint64_t valu_cycles)
{
	if (!cycles)
		return sclk_idle_khz(m);
	return ratio((wide)sclk_valu_limit(m, cycles) * light(m), stretched(m, cycles, valu_cycles));
}
