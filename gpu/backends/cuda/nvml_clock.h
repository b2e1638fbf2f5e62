/* Locks the clock of an NVIDIA GPU's multiprocessors through NVML. The GPU is found through CUDA's driver, whose
 * numbers devices have; no context is made, so that this process does not use the GPU. */
#ifndef GPU_BACKENDS_CUDA_NVML_CLOCK_H
#define GPU_BACKENDS_CUDA_NVML_CLOCK_H

#include "gpu/backends/backend.h"

/* As in struct clock_locker. */
bool nvml_clock_prepare(int index, unsigned mhz, char give_back[CLOCK_COMMAND], struct err *e);
bool nvml_clock_lock(unsigned mhz, struct err *e);
bool nvml_clock_unlock(struct err *e);

#endif
