/* The executors of a machine's thread: those of the target's waves. */
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/jit/jit.h"
#include "softgpu/core/launch/host_variant.h"
#include "softgpu/core/windows/thread_views.h"
#include "softgpu/core/ops/ops.h"

static bool open_executor(struct machine *m, enum executor_id e, enum isa_target target, uint32_t lanes)
{
	struct executor *x = &m->thread.executor[e];

	*x = (struct executor){.m = m,
		.ops = m->variant->ops[e],
		.ops_any_mode = ops_for_any_mode(e),
		.decode_cache = decode_cache_open(),
		.jit = jit_open(m->variant->avx2),
		.target = target,
		.lanes = lanes};
	if (!x->decode_cache || !x->jit)
		return false;
	jit_set_lanes(x->jit, lanes);
	return true;
}

#define WAVES(name, targets, lanes, ...) lanes,
static const uint8_t lanes_of_executor[EXECUTOR_COUNT] = {
#include "softgpu/core/state/executors.def"
};
#undef WAVES

/* Whether the executor serves waves of the model's target; *out: that target with the executor's wave size. */
static bool has_waves_for(enum isa_target target, enum executor_id e, enum isa_target *out)
{
	*out = isa_target_of_wave_size(target, lanes_of_executor[e]);
	return executor_of_target(*out) == e;
}

bool machine_open_executors(struct machine *m)
{
	enum isa_target target;

	for (enum executor_id e = 0; e < EXECUTOR_COUNT; e++)
		if (has_waves_for(m->target, e, &target) && !open_executor(m, e, target, lanes_of_executor[e]))
			return false;
	return true;
}

void machine_close_executors(struct machine *m)
{
	for (unsigned k = 0; k < EXECUTORS_MAX; k++) {
		jit_close(m->thread.executor[k].jit);
		decode_cache_close(m->thread.executor[k].decode_cache);
	}
}

bool gpu_is_built(const struct model *model)
{
	const enum isa_target all = isa_target_by_name(model->arch);
	const struct host_variant *v = host_variant_best();
	enum isa_target target;

	for (enum executor_id e = 0; e < EXECUTOR_COUNT; e++)
		if (has_waves_for(all, e, &target) && !host_variant_serves(v, target))
			return false;
	return true;
}
