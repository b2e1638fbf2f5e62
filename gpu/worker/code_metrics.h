/* What is known of a kernel from its code object alone, as metrics see it. The same on silicon. */
#ifndef GPU_WORKER_CODE_METRICS_H
#define GPU_WORKER_CODE_METRICS_H

#include "gpu/worker/loaded_kernel.h"

/* "code" of a point record (gpu/protocol/record.h). Without a disassembler for the target it has the resources only,
 * without a loop no "loop". */
json_t *code_metrics_record(const struct loaded_kernel *k);

#endif
