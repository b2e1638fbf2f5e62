/* Properties of a kernel that follow from its code object alone, for metrics. The same on every device. */
#ifndef GPU_WORKER_CODE_METRICS_H
#define GPU_WORKER_CODE_METRICS_H

#include "gpu/worker/loaded_kernel.h"

/* "code" of a point record (docs/protocol.md). Without a disassembler for the target it contains only the resources; it
 * contains "loop" only if there is a hot loop. */
json_t *code_metrics_record(const struct loaded_kernel *k);

#endif
