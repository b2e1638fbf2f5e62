/* Clocks, temperature and power of a GPU, from the first SMI library that is found and knows the GPU. */
#ifndef GPU_BACKENDS_SMI_H
#define GPU_BACKENDS_SMI_H

#include <stdbool.h>
#include <stddef.h>

#include "gpu/backends/smi/smi_library.h"

/* The libraries for AMD's GPUs and for NVIDIA's, the preferred first, NULL-terminated. */
extern const struct smi_library *const smi_libraries[];
extern const struct smi_library *const smi_of_nvidia[];

/* Starts the first of `libraries` that is found, in a separate thread, because rsmi_init can hang on a mutex that a
 * killed program left locked, and waits at most `limit_ms` ms. False with an error: the device works, but without
 * telemetry. */
bool smi_open(const struct smi_library *const *libraries, const struct device_info *info, int limit_ms, struct err *e);
/* The readings now; without smi_open none is valid. One thread at a time. */
struct clocks smi_read(void);
/* The library in use; NULL: none. */
const struct smi_library *smi_current(void);

#endif
