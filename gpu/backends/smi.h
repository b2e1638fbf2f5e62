/* rocm-smi-lib, loaded at run time: clocks, temperature and power of a GPU. */
#ifndef GPU_BACKENDS_SMI_H
#define GPU_BACKENDS_SMI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "gpu/backends/gpu_runtime.h"
#include "gpu/protocol/record.h"

/* The library names to try, NULL-terminated. */
extern const char *const smi_sonames[];

/* Starts the library in a separate thread, because rsmi_init can hang on a mutex that a killed program left locked, and
 * waits at most `limit_ms` ms. Finds the GPU by its PCI address. False with an error: the device works, but without
 * telemetry. */
bool smi_open(const struct device_info *info, int limit_ms, struct err *e);
/* The readings now; without smi_open none is valid. One thread at a time. */
struct clocks smi_read(void);
/* Versions of the library and the driver; "" if unknown. */
void smi_versions(char *library, size_t library_size, char *driver, size_t driver_size);

#endif
