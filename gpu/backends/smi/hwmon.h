/* Sensors of a GPU that the amdgpu driver shows as files, for what an SMI library does not report. */
#ifndef GPU_BACKENDS_HWMON_H
#define GPU_BACKENDS_HWMON_H

#include "gpu/backends/gpu_runtime.h"
#include "gpu/protocol/record.h"

/* The folder with the files; the caller frees it. NULL: not found. */
char *hwmon_find(const struct device_info *info);
/* The number in a file times `scale`; not valid if the file is missing. `folder` may be NULL. Names and units of the
 * files: "GPU Power/Thermal Controls and Monitoring" in the kernel's documentation of amdgpu. */
struct reading hwmon_read(const char *folder, const char *file, double scale);

#endif
