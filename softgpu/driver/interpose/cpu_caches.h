/* The caches of the host's processors, where /sys does not show them. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_CPU_CACHES_H
#define SOFTGPU_DRIVER_INTERPOSE_CPU_CACHES_H

/* ROCr's thunk reads /sys/devices/system/cpu/cpuN/cache for the host's node of the topology, and finds no GPU without
 * it. In a container without /sys it gets files with what the C library knows. */
void cpu_caches_add_files(void);

#endif
