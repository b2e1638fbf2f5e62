/* Host levels: the executor and the issue loop are compiled once for each of x86-64's, and the best that the host has
 * is taken. SOFTGPU_LEVEL in the environment names another that it has. Results and times are the same at all of them.
 */
#ifndef SOFTGPU_CORE_EXEC_HOST_VARIANT_H
#define SOFTGPU_CORE_EXEC_HOST_VARIANT_H

#include "softgpu/core/issue/issue_loop.h"
#include "softgpu/core/exec/ops.h"

struct host_variant {
	const char *name; /* of SOFTGPU_LEVEL */
	op_fn *const *ops;
	issue_fn *const *issue;
	bool avx2; /* and FMA: jit.h */
};

const struct host_variant *host_variant_best(void);
/* The k-th that this host has, the best first; NULL behind the last. */
const struct host_variant *host_variant_at(unsigned k);

#endif
