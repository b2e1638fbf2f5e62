/* The name of a kernel for people: as in the source. */
#ifndef SOFTGPU_DRIVER_PROBE_KERNEL_NAME_H
#define SOFTGPU_DRIVER_PROBE_KERNEL_NAME_H

#include <stddef.h>

#define NAMELESS_KERNEL "HIP's own kernel"
enum { KERNEL_NAME_BYTES = 1024 }; /* of a symbol; names of C++ templates have some hundreds */

/* Writes the name as in the source where the process has libstdc++, otherwise the symbol; with "..." if it is cut.
 * NAMELESS_KERNEL for an address: the runtime's own kernels have no symbols. Returns out. */
char *kernel_name_text(char *out, size_t size, const char *symbol);

#endif
