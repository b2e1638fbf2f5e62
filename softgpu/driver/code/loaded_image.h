/* A code object as the loader has copied it into device memory: segments are at their addresses relative to `base`.
 * Every read is checked, because programs can write this memory. Under the device lock. */
#ifndef SOFTGPU_DRIVER_PROBE_LOADED_IMAGE_H
#define SOFTGPU_DRIVER_PROBE_LOADED_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct softgpu_device;

struct loaded_image {
	const uint8_t *data;
	uint64_t base, size;
};

/* The mapping that contains `va`, which may have no code object; false: none. */
bool loaded_image_find(struct softgpu_device *d, uint64_t va, struct loaded_image *out);
/* The name of the symbol at this offset; NULL: none. */
const char *loaded_image_symbol(const struct loaded_image *i, uint64_t value);
/* The metadata of its kernels (MessagePack); NULL: none. */
const uint8_t *loaded_image_metadata(const struct loaded_image *i, size_t *size);

#endif
