/* Runs a test with each host variant that this machine supports. */
#ifndef TESTS_SOFTGPU_CORE_EACH_VARIANT_H
#define TESTS_SOFTGPU_CORE_EACH_VARIANT_H

#include <stdio.h>
#include <stdlib.h>

#include "softgpu/core/launch/host_variant.h"

static inline void each_variant(void (*run)(void))
{
	const struct host_variant *v;

	for (unsigned k = 0; (v = host_variant_at(k)); k++) {
		printf("# host variant %s\n", v->name);
		setenv("SOFTGPU_HOST_VARIANT", v->name, 1);
		run();
	}
	unsetenv("SOFTGPU_HOST_VARIANT");
}

#endif
