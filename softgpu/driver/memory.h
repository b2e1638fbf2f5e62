/* Device memory: what KFD's memory calls hand out, and the core's view of it.
 *
 * VRAM addresses come from an allocator of our own (small pieces from the top, large ones from the bottom at 2 MiB), so
 * that caches and channels see the same addresses in every run. Host pages are committed as they are touched and given
 * back when freed; freed memory reads as zeros when allocated again, as the driver clears it.
 */
#ifndef SOFTGPU_DRIVER_MEMORY_H
#define SOFTGPU_DRIVER_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct device;
struct kfd_alloc_memory;

bool memory_open(struct device *d);
void memory_forget(void);

/* 0 or an errno. Mapping changes never wait for a running launch: they reach the core before the next packet, or when
 * the launch misses them. */
int memory_alloc(struct kfd_alloc_memory *args);
int memory_free(uint64_t handle);
int memory_map(uint64_t handle);
int memory_unmap(uint64_t handle);

/* Hands pending changes to the core. Caller holds the device lock. */
void memory_settle(void);

struct memory_use {
	uint64_t vram_total, vram, gtt;
};
struct memory_use memory_use(void);
/* Host bytes the device's memory really takes, and the most it may. Over it the device thread stops the program. */
uint64_t memory_committed(void);
uint64_t memory_budget(void);
/* Start and size of the mapping that holds `va`; false when none does. */
bool memory_find(uint64_t va, uint64_t *start, uint64_t *size);

#endif
