/* Memory of the program that is mapped for the GPU, and that the program has protected since. */
#ifndef SOFTGPU_CORE_STATE_HOST_FAULT_H
#define SOFTGPU_CORE_STATE_HOST_FAULT_H

#include <stdbool.h>

/* For a SIGSEGV handler: if this thread runs a launch and the address is in a mapping of its GPU, does not return, and
 * the launch ends with LAUNCH_MEMORY_FAULT. */
void gpu_take_host_fault(const void *host, bool write);

struct machine;
/* Calls f(m), a part of a launch, which ends at such a fault. */
void run_guarded(struct machine *m, void (*f)(struct machine *m));

#endif
