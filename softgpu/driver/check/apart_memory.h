/* Memory of GPUs that the runtime has packed into blocks, and that got addresses of its own, apart from its neighbors
 * (kfd_alias.h). The program and HIP know only these. Any thread. */
#ifndef SOFTGPU_DRIVER_CHECK_APART_MEMORY_H
#define SOFTGPU_DRIVER_CHECK_APART_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* False if memory runs out. */
bool apart_memory_add(uint64_t address, uint64_t original);
/* The runtime's own address for memory at `address`; 0: it is not apart. */
uint64_t apart_memory_original(uint64_t address);
void apart_memory_remove(uint64_t address);

#endif
