/* Runs a test at every host level that this machine has. */
#ifndef TESTS_SOFTGPU_CORE_EACH_LEVEL_H
#define TESTS_SOFTGPU_CORE_EACH_LEVEL_H

#include <stdio.h>
#include <stdlib.h>

#include "softgpu/core/exec/host_variant.h"

static inline void each_level(void (*run)(void))
{
	const struct host_variant *l;

	for (unsigned k = 0; (l = host_variant_at(k)); k++) {
		printf("# host level %s\n", l->name);
		setenv("SOFTGPU_LEVEL", l->name, 1);
		run();
	}
	unsetenv("SOFTGPU_LEVEL");
}

#endif
