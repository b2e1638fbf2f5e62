/* The host variants, and which of them this host supports and this build has. */
#include "softgpu/core/launch/host_variant.h"

#include <stdlib.h>
#include <string.h>

#define HAS(feature) (__builtin_cpu_supports(feature) != 0)

static bool runs_anywhere(void)
{
	return true;
}

static bool host_has_v3(void)
{
	return HAS("avx2") && HAS("fma") && HAS("bmi2") && HAS("f16c");
}

static bool host_has_v4(void)
{
	return host_has_v3() && HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") &&
		HAS("avx512vl");
}

/* The tables of each variant, by executor. */
#define WAVES(name, ...) ops_##name##_base,
static op_fn *const *const ops_base[EXECUTOR_COUNT] = {
#include "softgpu/core/state/executors.def"
};
#undef WAVES
#define WAVES(name, ...) ops_##name##_v3,
static op_fn *const *const ops_v3[EXECUTOR_COUNT] = {
#include "softgpu/core/state/executors.def"
};
#undef WAVES
#define WAVES(name, ...) ops_##name##_v4,
static op_fn *const *const ops_v4[EXECUTOR_COUNT] = {
#include "softgpu/core/state/executors.def"
};
#undef WAVES

static const struct {
	struct host_variant variant;
	bool (*is_supported)(void);
} known_variants[] = {
	{{"v4", ops_v4, issue_v4, true}, host_has_v4},
	{{"v3", ops_v3, issue_v3, true}, host_has_v3},
	{{"base", ops_base, issue_base, false}, runs_anywhere},
};
enum { VARIANT_COUNT = sizeof known_variants / sizeof *known_variants };

const struct host_variant *host_variant_at(unsigned k)
{
	__builtin_cpu_init();
	for (unsigned n = 0; n < VARIANT_COUNT; n++)
		if (known_variants[n].variant.issue && known_variants[n].is_supported() && !k--)
			return &known_variants[n].variant;
	return NULL;
}

const struct host_variant *host_variant_best(void)
{
	const char *wanted = getenv("SOFTGPU_HOST_VARIANT");
	const struct host_variant *v;

	for (unsigned k = 0; wanted && (v = host_variant_at(k)); k++)
		if (!strcmp(v->name, wanted))
			return v;
	return host_variant_at(0);
}

bool host_variant_serves(const struct host_variant *v, enum isa_target target)
{
	const enum executor_id e = executor_of_target(target);

	return v && v->ops[e] && ops_for_any_mode(e);
}

op_fn *const *ops_for_any_mode(enum executor_id e)
{
#define WAVES(name, ...) ops_##name##_any_mode,
	static op_fn *const *const tables[EXECUTOR_COUNT] = {
#include "softgpu/core/state/executors.def"
	};
#undef WAVES

	return tables[e];
}

enum executor_id executor_of_target(enum isa_target target)
{
#define WAVES(name, targets, ...) ISA_##targets,
	static const enum isa_target served[EXECUTOR_COUNT] = {
#include "softgpu/core/state/executors.def"
	};
#undef WAVES
	enum executor_id e = 0;

	while (e < EXECUTOR_COUNT - 1 && !(served[e] & target))
		e++;
	return e;
}
