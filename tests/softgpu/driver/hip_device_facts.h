// What the HIP runtime must report for each model that the programs run on.
#include <hip/hip_runtime.h>

#include <cstring>

struct device_facts {
	const char *arch;
	int compute_units, wave, sclk_khz, mclk_khz, gib;
	int timer_mhz;             // of the constant clock
	unsigned long long cycles; // the bits of the cycle counter
	double idle_mhz, busy_mhz; // the core clock with one wave, and the most when all CUs work
};

static const struct device_facts &device_facts_of_first()
{
	static const device_facts all[] = {
		{"gfx900", 64, 64, 1536000, 945000, 15, 27, ~0ull, 1539, 1529},
		// 96 CUs in WGPs of two, which HIP counts
		{"gfx1100", 48, 32, 2498000, 1250000, 23, 100, 0xfffff, 2498, 2490},
	};
	hipDeviceProp_t p;
	if (hipGetDeviceProperties(&p, 0) == hipSuccess)
		for (auto &facts : all)
			if (!strncmp(p.gcnArchName, facts.arch, strlen(facts.arch)))
				return facts;
	return all[0];
}
