/* The name of a kernel from the code object that the loader has copied into device memory. */
#ifndef SOFTGPU_DRIVER_PROBE_KERNEL_SYMBOL_H
#define SOFTGPU_DRIVER_PROBE_KERNEL_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

struct softgpu_device;

/* `out` becomes the name without ".kd", or the address when nothing there names it. Under the device lock. */
void kernel_symbol_find(struct softgpu_device *d, uint64_t kernel_object, char *out, size_t size);

#endif
