#include "gpu/backends/hsa_targets.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include "base/host/shared_library.h"

/* Of hsa.h. */
typedef int hsa_init_fn(void);
typedef int hsa_isa_from_name_fn(const char *name, uint64_t *isa);

bool hsa_knows_target(const char *arch)
{
	static const struct shared_library library = {"libhsa-runtime64.so", "1", "hsa_isa_from_name"};
	char why[200], name[80];
	uint64_t isa;
	void *lib = shared_library_open(&library, RTLD_NOW, why, sizeof why);
	hsa_init_fn *init = lib ? (hsa_init_fn *)dlsym(lib, "hsa_init") : NULL;

	if (!init || init()) /* never shut down: HIP uses the same runtime */
		return true;
	snprintf(name, sizeof name, "amdgcn-amd-amdhsa--%s", arch);
	return !((hsa_isa_from_name_fn *)dlsym(lib, "hsa_isa_from_name"))(name, &isa);
}
