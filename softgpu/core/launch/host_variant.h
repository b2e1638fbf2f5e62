/* Host variants: the executor and the issue loop are compiled once for each x86-64 level (Makefile: VARIANTS). The best
 * variant that the host supports is used, or the one named by the environment variable SOFTGPU_HOST_VARIANT. Results
 * and times do not depend on the variant. A build may lack variants and executors; those that it has are compiled from
 * the same sources. */
#ifndef SOFTGPU_CORE_LAUNCH_HOST_VARIANT_H
#define SOFTGPU_CORE_LAUNCH_HOST_VARIANT_H

#include "softgpu/core/issue/issue_loop.h"
#include "softgpu/core/ops/ops.h"

struct host_variant {
	const char *name;         /* as in SOFTGPU_HOST_VARIANT */
	op_fn *const *const *ops; /* by enum executor_id */
	issue_fn *const *issue;
	bool avx2; /* AVX2 and FMA, for jit.h */
};

/* NULL if the build has none for this host. */
const struct host_variant *host_variant_best(void);
/* The k-th variant that this host supports, the best first; NULL after the last. */
const struct host_variant *host_variant_at(unsigned k);
/* Whether this build has the variant's executor of the target's waves. `v` may be NULL. */
bool host_variant_serves(const struct host_variant *v, enum isa_target target);

#endif
