/* Loads a code object into the memory of a device. */
#include "gpu/backends/aql/aql_code.h"

#include <elf.h>

#include "base/elf/elf_image.h"

uint8_t *aql_code_load(struct aql_device *d, const struct code_object *object, struct err *e)
{
	size_t bytes;
	const void *data = code_object_bytes(object, &bytes);
	struct elf_file f;
	const char *why;
	uint64_t size = elf_open(&f, data, bytes, EM_AMDGPU, &why) ? elf_image_size(&f) : 0;
	if (!size) {
		err_set(e, ST_FAILED, "the segments of the code object are missing, damaged or too large");
		return NULL;
	}
	uint8_t *to = aql_device_alloc(d, AQL_ON_DEVICE, size, e);
	if (to)
		elf_image_load(&f, to, size, (uintptr_t)to);
	return to;
}
