#include "softgpu/core/exec/host_variant.h"

#include <stdlib.h>
#include <string.h>

#define HAS(feature) (__builtin_cpu_supports(feature) != 0)

static bool any(void)
{
	return true;
}

static bool v3(void)
{
	return HAS("avx2") && HAS("fma") && HAS("bmi2") && HAS("f16c");
}

static bool v4(void)
{
	return v3() && HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") && HAS("avx512vl");
}

static const struct {
	struct host_variant level;
	bool (*has)(void);
} all[] = {
	{{"v4", ops_v4, issue_v4, true}, v4},
	{{"v3", ops_v3, issue_v3, true}, v3},
	{{"base", ops_base, issue_base, false}, any},
};
enum { ALL = sizeof all / sizeof *all };

const struct host_variant *host_variant_at(unsigned k)
{
	__builtin_cpu_init();
	for (unsigned n = 0; n < ALL; n++)
		if (all[n].has() && !k--)
			return &all[n].level;
	return NULL;
}

const struct host_variant *host_variant_best(void)
{
	const char *wanted = getenv("SOFTGPU_LEVEL");
	const struct host_variant *l;

	for (unsigned k = 0; wanted && (l = host_variant_at(k)); k++)
		if (!strcmp(l->name, wanted))
			return l;
	return host_variant_at(0);
}
