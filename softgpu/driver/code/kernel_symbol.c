#include "softgpu/driver/code/kernel_symbol.h"

#include <stdio.h>
#include <string.h>

#include "softgpu/driver/code/loaded_image.h"

void kernel_symbol_find(struct softgpu_device *d, uint64_t kernel_object, char *out, size_t size)
{
	struct loaded_image image;
	const char *name = NULL;
	size_t length;

	if (loaded_image_find(d, kernel_object, &image))
		name = loaded_image_symbol(&image, kernel_object - image.base);
	if (name)
		snprintf(out, size, "%s", name);
	else
		snprintf(out, size, "%#lx", (unsigned long)kernel_object);
	length = strlen(out);
	if (length > 3 && !strcmp(out + length - 3, ".kd"))
		out[length - 3] = 0;
}
