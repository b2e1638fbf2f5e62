#include "kernels/compile/compiler_environment.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/hash.h"

uint64_t compiler_environment_hash(uint64_t h)
{
	static const char *const names[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS",
		"CLANG_NO_DEFAULT_CONFIG", "HIP_PATH", "SOURCE_DATE_EPOCH"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);
		if (value)
			h = hash_text(hash_text(h, names[i]), value);
	}
	return h;
}

uint64_t compiler_program_hash(uint64_t h, const char *path)
{
	struct stat st;
	if (!path || stat(path, &st))
		return h;
	const int64_t identity[] = {(int64_t)st.st_size, (int64_t)st.st_mtim.tv_sec, (int64_t)st.st_mtim.tv_nsec};
	return hash_bytes(h, identity, sizeof identity);
}
