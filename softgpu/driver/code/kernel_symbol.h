/* The name of a kernel, from the code object that the loader copied into device memory. */
#ifndef SOFTGPU_DRIVER_PROBE_KERNEL_SYMBOL_H
#define SOFTGPU_DRIVER_PROBE_KERNEL_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

struct softgpu_device;

/* Writes the name without ".kd" to `out`, or the address if no symbol matches. Under the device lock. */
void kernel_symbol_find(struct softgpu_device *d, uint64_t kernel_object, char *out, size_t size);

#endif
