/* rocm-smi-lib, loaded at run time. smi.c is the only file that knows it. */
#ifndef GPU_BACKENDS_SMI_H
#define GPU_BACKENDS_SMI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "gpu/backends/gpu_runtime.h"
#include "gpu/protocol/record.h"

/* The sonames tried, NULL-terminated. */
extern const char *const smi_sonames[];

/* Starts the library in a thread of its own, because rsmi_init can hang on a mutex that a killed program left behind,
 * and waits for it up to `limit_ms`. The GPU is found by its PCI address. False with the mend; the device works without
 * telemetry then. */
bool smi_open(const struct device_info *info, int limit_ms, struct err *e);
/* What the sensors say now; nothing valid without smi_open. One thread at a time. */
struct clocks smi_read(void);
/* Versions of the library and the driver; "" when unknown. */
void smi_versions(char *library, size_t library_size, char *driver, size_t driver_size);

#endif
